// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.examples.orders;

import org.springframework.data.jpa.repository.JpaRepository;

interface OrderRepository extends JpaRepository<PurchaseOrder, Long> {}
