// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.examples.orders;

import dev.seriatim.hibernate.Seriatim;
import dev.seriatim.hibernate.SeriatimNumber;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.Id;

/** An invoice. A draft has no number; an issued one has the next, and the numbers of all that are issued have no gap. */
@Entity
public class Invoice {

    /** The state of an invoice. */
    public enum Status {
        DRAFT,
        ISSUED
    }

    @Id
    @Seriatim("invoice_id")
    private Long id;

    private long orderId;

    @Enumerated(EnumType.STRING)
    private Status status = Status.DRAFT;

    @SeriatimNumber(value = "invoice_number", of = "status", when = "ISSUED")
    @Column(unique = true)
    private Long number;

    protected Invoice() {}

    public Invoice(PurchaseOrder order) {
        orderId = order.getId();
    }

    /** The number is drawn in the transaction that stores this. */
    public void issue() {
        status = Status.ISSUED;
    }

    public Long getId() {
        return id;
    }

    public long getOrderId() {
        return orderId;
    }

    public Status getStatus() {
        return status;
    }

    public Long getNumber() {
        return number;
    }
}
