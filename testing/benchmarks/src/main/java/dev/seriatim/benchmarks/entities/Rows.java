// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.benchmarks.entities;

import dev.seriatim.hibernate.Seriatim;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import jakarta.persistence.TableGenerator;
import org.jspecify.annotations.Nullable;

/** The same entity, once for each generator. */
final class Rows {

    static final int BLOCK = 50;

    private Rows() {}

    /** The columns of an entity beside its identifier. */
    @MappedSuperclass
    abstract static class Row {
        String customer = "a customer with a name of usual length";
        long cents = 1999;
        int status = 1;
    }

    @Entity(name = "row_identity")
    static class WithIdentity extends Row {
        @Id
        @GeneratedValue(strategy = GenerationType.IDENTITY)
        @Nullable
        Long id;
    }

    @Entity(name = "row_table")
    static class WithTable extends Row {
        @Id
        @GeneratedValue(strategy = GenerationType.TABLE, generator = "row_table_generator")
        @TableGenerator(name = "row_table_generator", allocationSize = BLOCK)
        @Nullable
        Long id;
    }

    @Entity(name = "row_sequence")
    static class WithSequence extends Row {
        @Id
        @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "row_sequence_generator")
        @SequenceGenerator(name = "row_sequence_generator", sequenceName = "row_sequence_seq", allocationSize = BLOCK)
        @Nullable
        Long id;
    }

    @Entity(name = "row_cosid")
    static class WithCosId extends Row {
        @Id
        @Nullable
        Long id;

        WithCosId() {}

        WithCosId(long id) {
            this.id = id;
        }
    }

    @Entity(name = "row_seriatim")
    static class WithSeriatim extends Row {
        @Id
        @Seriatim("row_seriatim_id")
        @Nullable
        Long id;
    }
}
