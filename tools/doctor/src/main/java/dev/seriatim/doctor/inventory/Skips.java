// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.doctor.inventory;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Collects the objects that an examination leaves out, and the reasons. Not thread-safe. */
public final class Skips {

    /** The reason for the rest when the time for all of it is used up. */
    public static final String TIME_IS_OVER = "the inspection's time was over";

    /** The reason for a column whose lowest and highest numbers only a read of the whole table finds. */
    public static final String NO_INDEX = "no index begins with the column; reading all of it has to be asked for";

    static final String DENIED = "this user may not read it";
    static final String DROPPED = "it was dropped meanwhile";

    static String unread(SQLException e) {
        return "it could not be read (" + Query.message(e) + ")";
    }

    /** Further objects are counted, not listed. */
    private static final int LISTED = 3;

    private final Map<String, Set<String>> subjects = new LinkedHashMap<>();

    /** Adds a column, a sequence or a setting that was not read; twice for one reason counts once. */
    public void add(String subject, String reason) {
        subjects.computeIfAbsent(reason, none -> new LinkedHashSet<>()).add(subject);
    }

    /** Returns a line for each reason. */
    public List<String> lines() {
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
