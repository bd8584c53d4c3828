// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor;

import dev.seriatim.doctor.inventory.InspectionFault.Level;
import dev.seriatim.doctor.inventory.Inventory;
import dev.seriatim.doctor.inventory.Skips;
import dev.seriatim.doctor.rule.Diagnosis;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A diagnosis in a few words. Stateless. */
public final class Summary {

    private Summary() {}

    /** Returns the outcome, such as {@code 2 errors, 1 warning}. */
    public static String of(Diagnosis diagnosis) {
        List<String> counts = new ArrayList<>();
        add(counts, diagnosis.count(Level.ERROR), "error", "errors");
        add(counts, diagnosis.count(Level.WARNING), "warning", "warnings");
        return counts.isEmpty() ? "no fault found" : String.join(", ", counts);
    }

    /** Returns the outcome as a heading. */
    static String headline(Diagnosis diagnosis) {
        String words = of(diagnosis);
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }

    /** Returns what was examined, without its engine. */
    static String extent(Inventory inventory) {
        return counted(inventory.columns().size(), "numbered column", "numbered columns") + ", "
                + counted(inventory.sequences().size(), "native sequence", "native sequences") + ", "
                + counted(inventory.counters().size(), "sequence of Seriatim's", "sequences of Seriatim's");
    }

    /** Returns the engine and the database. */
    static String place(Inventory inventory) {
        return inventory.product().isEmpty() || inventory.database().isEmpty()
                ? inventory.product() + inventory.database()
                : inventory.product() + ", " + inventory.database();
    }

    /** Returns what was left out, with the option that would not leave it out. */
    static List<String> skipped(Inventory inventory) {
        return inventory.skipped().stream()
                .map(line -> line.endsWith(Skips.NO_INDEX) ? line + " with --scan" : line)
                .toList();
    }

    static String seconds(Diagnosis diagnosis) {
        return String.format(Locale.ROOT, "%.1f s", diagnosis.took().toMillis() / 1000.0);
    }

    static String counted(long count, String one, String many) {
        return count + " " + (count == 1 ? one : many);
    }

    private static void add(List<String> counts, long count, String one, String many) {
        if (count > 0) {
            counts.add(counted(count, one, many));
        }
    }
}
