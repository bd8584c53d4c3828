// SPDX-License-Identifier: Apache-2.0
package shop;

import dev.seriatim.hibernate.Seriatim;
import dev.seriatim.hibernate.SeriatimNumber;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import lombok.AllArgsConstructor;
import lombok.Builder;
import lombok.Data;
import lombok.NoArgsConstructor;

@Entity(name = "bill")
@Data
@Builder
@NoArgsConstructor
@AllArgsConstructor
class QuarkusBill {
    @Id
    @Seriatim
    private Long id;

    @SeriatimNumber
    private Long number;

    private long invoice;
    private long ticket;
}
