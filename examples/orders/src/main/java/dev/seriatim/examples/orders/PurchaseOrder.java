// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.examples.orders;

import dev.seriatim.hibernate.Seriatim;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

/** An order. Its identifier is unique; a rollback or a crash may leave a gap. */
@Entity
public class PurchaseOrder {

    @Id
    @Seriatim("order_id")
    private Long id;

    private String customer;

    private long cents;

    protected PurchaseOrder() {}

    public PurchaseOrder(String customer, long cents) {
        this.customer = customer;
        this.cents = cents;
    }

    public Long getId() {
        return id;
    }

    public String getCustomer() {
        return customer;
    }

    public long getCents() {
        return cents;
    }
}
