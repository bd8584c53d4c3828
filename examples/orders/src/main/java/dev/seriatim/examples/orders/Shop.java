// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.examples.orders;

import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** The shop's actions, a transaction each. */
@Service
class Shop {

    private final OrderRepository orders;
    private final InvoiceRepository invoices;

    Shop(OrderRepository orders, InvoiceRepository invoices) {
        this.orders = orders;
        this.invoices = invoices;
    }

    @Transactional
    PurchaseOrder order(String customer, long cents) {
        return orders.save(new PurchaseOrder(customer, cents));
    }

    @Transactional
    Invoice draft(long order) {
        return invoices.save(new Invoice(orders.findById(order).orElseThrow()));
    }

    /** If this fails after the number is drawn, the next invoice gets that number. */
    @Transactional
    Invoice issue(long invoice) {
        Invoice issued = invoices.findById(invoice).orElseThrow();
        issued.issue();
        return invoices.saveAndFlush(issued);
    }
}
