// SPDX-License-Identifier: Apache-2.0
package shop;

import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;

@Singleton
class MicronautShop {
    @Inject
    EntityManager entities;

    @Inject
    Invoices invoices;

    @Transactional
    void sell(boolean fails) throws Exception {
        MicronautBill bill = new MicronautBill();
        bill.invoice = invoices.issue();
        entities.persist(bill);
        if (fails) {
            throw new Refused();
        }
    }

    @Transactional
    Object sold() {
        return entities.createNativeQuery("""
                SELECT count(*) || ' bills, ' || count(DISTINCT id) || ' ids, '
                    || count(DISTINCT number) || ' numbers to ' || max(number) || ', '
                    || count(DISTINCT invoice) || ' invoices to ' || max(invoice) FROM bill""").getSingleResult();
    }

    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
