// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.examples.orders;

import java.util.List;
import java.util.NoSuchElementException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The shop over HTTP. */
@RestController
class ShopController {

    /** A customer's request. */
    record NewOrder(String customer, long cents) {}

    private final Shop shop;
    private final InvoiceRepository invoices;

    ShopController(Shop shop, InvoiceRepository invoices) {
        this.shop = shop;
        this.invoices = invoices;
    }

    @PostMapping("/orders")
    PurchaseOrder order(@RequestBody NewOrder order) {
        return shop.order(order.customer(), order.cents());
    }

    @PostMapping("/orders/{id}/invoice")
    Invoice draft(@PathVariable("id") long order) {
        return shop.draft(order);
    }

    @PostMapping("/invoices/{id}/issue")
    Invoice issue(@PathVariable("id") long invoice) {
        return shop.issue(invoice);
    }

    @GetMapping("/invoices")
    List<Invoice> invoices() {
        return invoices.findAll();
    }

    @ExceptionHandler(NoSuchElementException.class)
    @ResponseStatus(HttpStatus.NOT_FOUND)
    void missing() {}
}
