// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.hibernate;

import java.util.Locale;
import java.util.Map;
import org.hibernate.cfg.AvailableSettings;
import org.jspecify.annotations.Nullable;

/** The schema tool's action at start-up that concerns sequences. */
enum SchemaAction {
    /** It leaves the tables as they are, so the sequences must exist. */
    NONE,
    /** It creates missing tables. */
    CREATE,
    /** It drops the tables and creates them. */
    DROP_AND_CREATE;

    static SchemaAction of(Map<String, Object> settings) {
        String jpa = text(settings.get(AvailableSettings.JAKARTA_HBM2DDL_DATABASE_ACTION));
        if (!jpa.isEmpty() && !jpa.equals("none")) {
            return switch (jpa) {
                case "create", "create-only", "update" -> CREATE;
                case "drop-and-create", "create-drop" -> DROP_AND_CREATE;
                default -> NONE;
            };
        }
        return switch (text(settings.get(AvailableSettings.HBM2DDL_AUTO))) {
            case "create-only", "update" -> CREATE;
            case "create", "create-drop", "drop-and-create" -> DROP_AND_CREATE;
            default -> NONE;
        };
    }

    /** Hibernate accepts the text, and its own constants. */
    private static String text(@Nullable Object setting) {
        return setting == null
                ? ""
                : setting.toString().strip().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    boolean creates() {
        return this != NONE;
    }
}
