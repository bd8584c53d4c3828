// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.doctor.rule.HibernateNames;
import dev.seriatim.jdbc.DatabaseInspection;
import dev.seriatim.jdbc.inspect.EngineInspection;
import dev.seriatim.jdbc.inspect.InspectionLimits;
import dev.seriatim.jdbc.inspect.Inventory;
import dev.seriatim.jdbc.inspect.ObjectName;
import dev.seriatim.jdbc.inspect.Remedy;
import dev.seriatim.store.ColumnName;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is examined. */
interface Patient {

    /**
     * What was read.
     *
     * @param tables those of the tables in question that are there
     */
    record Read(Inventory inventory, Set<ObjectName> tables, Optional<EngineInspection> engine) {}

    /**
     * Reads it.
     *
     * @throws dev.seriatim.SequenceException if that fails
     */
    Read read();

    /**
     * Runs a statement that only raises.
     *
     * @throws dev.seriatim.SequenceException if that fails
     */
    void mend(Remedy remedy);

    /** An SQL database, through a connection of the examination's own. */
    record Database(DatabaseInspection inspection, InspectionLimits limits, Map<String, ColumnName> columns)
            implements Patient {

        @Override
        public Read read() {
            DatabaseInspection.Examined examined = inspection.read(limits, columns, HibernateNames::tables);
            return new Read(examined.inventory(), examined.tables(), examined.engine());
        }

        @Override
        public void mend(Remedy remedy) {
            inspection.mend(remedy, limits);
        }
    }
}
