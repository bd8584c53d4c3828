// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.seriatim.jdbc.JdbcSequences;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.persistence.EntityManager;
import jakarta.transaction.Transactional;

@ApplicationScoped
class QuarkusShop {
    @Inject
    EntityManager entities;

    @Inject
    Invoices invoices;

    @Inject
    JdbcSequences sequences;

    @Transactional(rollbackOn = Exception.class)
    void sell(boolean fails) throws Exception {
        long ticket = sequences.unique("ticket_id").next();
        entities.persist(QuarkusBill.builder().invoice(invoices.issue()).ticket(ticket).build());
        if (fails) {
            throw new Refused();
        }
    }

    @Transactional
    Object sold() {
        return entities.createNativeQuery("""
                SELECT count(*) || ' bills, ' || count(DISTINCT id) || ' ids, ' || count(DISTINCT ticket) || ' tickets, '
                    || count(DISTINCT number) || ' numbers to ' || max(number) || ', '
                    || count(DISTINCT invoice) || ' invoices to ' || max(invoice) FROM bill""").getSingleResult();
    }

    static final class Refused extends Exception {
        private static final long serialVersionUID = 1L;
    }
}
