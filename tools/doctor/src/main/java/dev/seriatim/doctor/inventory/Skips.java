// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import dev.seriatim.store.StoreUrl;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the objects that an examination leaves out, and the reasons. Not thread-safe. */
public final class Skips {

    /** The reason for a column whose lowest and highest numbers only a read of the whole table finds. */
    public static final String NO_INDEX = "no index begins with the column; reading all of it has to be asked for";

    static final String TIME_IS_OVER = "the inspection's time was over";
    static final String DENIED = "this user may not read it";
    static final String DROPPED = "it was dropped meanwhile";

    /** Further objects are counted, not listed. */
    private static final int LISTED = 3;

    private final Map<String, Set<String>> subjects = new LinkedHashMap<>();

    static String unread(SQLException e) {
        return "it could not be read (" + message(e) + ")";
    }

    static String message(SQLException e) {
        return StoreUrl.redact(String.valueOf(e.getMessage())).replaceAll("\\s+", " ");
    }

    /** Adds a column, a sequence or a setting that was not read; twice for one reason counts once. */
    void add(String subject, String reason) {
        subjects.computeIfAbsent(reason, none -> new LinkedHashSet<>()).add(subject);
    }

    List<String> lines() {
        return subjects.entrySet().stream()
                .map(entry -> listed(List.copyOf(entry.getValue())) + ": " + entry.getKey())
                .toList();
    }

    private static String listed(List<String> of) {
        return of.size() <= LISTED
                ? String.join(", ", of)
                : of.size() + ", such as " + String.join(", ", of.subList(0, LISTED));
    }
}
