// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.seriatim.hibernate.Seriatim;
import dev.seriatim.hibernate.SeriatimNumber;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;

@Entity(name = "bill")
class MicronautBill {
    @Id
    @Seriatim
    Long id;

    @SeriatimNumber
    Long number;

    long invoice;
}
