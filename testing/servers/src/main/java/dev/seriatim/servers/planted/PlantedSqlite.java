// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.planted;

import java.util.ArrayList;
import java.util.List;

/** What can be wrong with row numbers on SQLite. */
public final class PlantedSqlite {

    private PlantedSqlite() {}

    /** Returns the schema. */
    public static PlantedSchema schema() {
        List<PlantedFault> faults = new ArrayList<>();
        faults.addAll(counters());
        faults.addAll(plainKeys());
        faults.addAll(notGenerated());
        faults.addAll(ends());
        return new PlantedSchema(List.of(), faults, clean());
    }

    /** Counters that do not know the highest number, or are no single ones. */
    private static List<PlantedFault> counters() {
        return List.of(
                PlantedFault.of(
                        "reuses",
                        "updated.id",
                        "CREATE TABLE updated (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO updated VALUES (1), (2)",
                        "UPDATE updated SET id = 10 WHERE id = 1"),
                PlantedFault.of(
                        "reuses",
                        "forgotten.id",
                        "CREATE TABLE forgotten (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO forgotten VALUES (1), (2)",
                        "DELETE FROM sqlite_sequence WHERE name = 'forgotten'"),
                PlantedFault.of(
                        "reuses",
                        "set_back.id",
                        "CREATE TABLE set_back (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO set_back VALUES (5000000000)",
                        "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'set_back'"),
                PlantedFault.of(
                        "reuses",
                        "set_null.id",
                        "CREATE TABLE set_null (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO set_null VALUES (3)",
                        "UPDATE sqlite_sequence SET seq = NULL WHERE name = 'set_null'"),
                PlantedFault.of(
                        "reuses",
                        "set_text.id",
                        "CREATE TABLE set_text (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO set_text VALUES (3)",
                        "UPDATE sqlite_sequence SET seq = 'many' WHERE name = 'set_text'"),
                PlantedFault.of(
                        "reuses",
                        "set_below_zero.id",
                        "CREATE TABLE set_below_zero (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO set_below_zero VALUES (3)",
                        "UPDATE sqlite_sequence SET seq = -7 WHERE name = 'set_below_zero'"),
                PlantedFault.of(
                        "reuses",
                        "It's \"quoted\" `{fn x}`.a[b]c",
                        "CREATE TABLE \"It's \"\"quoted\"\" `{fn x}`\" (\"a[b]c\" INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO \"It's \"\"quoted\"\" `{fn x}`\" VALUES (2)",
                        "UPDATE sqlite_sequence SET seq = 1 WHERE name LIKE 'It%'"),
                PlantedFault.of(
                        "reuses",
                        "select.order",
                        "CREATE TABLE [select] (`order` integer primary key autoincrement)",
                        "INSERT INTO [select] VALUES (2)",
                        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'select'"),
                PlantedFault.of(
                        "reuses",
                        "gr\u00f6\u00dfe.\u6570",
                        "CREATE TABLE gr\u00f6\u00dfe (\u6570 INTEGER CONSTRAINT one PRIMARY KEY ASC AUTOINCREMENT NOT NULL)",
                        "INSERT INTO gr\u00f6\u00dfe VALUES (2)",
                        "DELETE FROM sqlite_sequence WHERE name = 'gr\u00f6\u00dfe'"),
                PlantedFault.of(
                        "reuses",
                        "MixedCase.Id",
                        "CREATE TABLE MixedCase (Id INTEGER /* a ' */ PRIMARY KEY -- it's \"\n AutoIncrement, v TEXT)",
                        "INSERT INTO mixedcase (id) VALUES (2)",
                        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'MixedCase'"),
                PlantedFault.of(
                        "reuses",
                        "by_constraint.id",
                        "CREATE TABLE by_constraint (v TEXT, id INTEGER, PRIMARY KEY (id AUTOINCREMENT))",
                        "INSERT INTO by_constraint (id) VALUES (2)",
                        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'by_constraint'"),
                PlantedFault.of(
                        "reuses",
                        "strictly.id",
                        "CREATE TABLE strictly (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT) STRICT",
                        "INSERT INTO strictly (id) VALUES (2)",
                        "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'strictly'"),
                PlantedFault.of(
                        "defined-twice",
                        "two_rows.id",
                        "CREATE TABLE two_rows (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO two_rows VALUES (3)",
                        "INSERT INTO sqlite_sequence VALUES ('two_rows', 500)"),
                PlantedFault.of(
                        "defined-twice",
                        "three_rows.id",
                        "CREATE TABLE three_rows (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO sqlite_sequence VALUES ('three_rows', 5), ('three_rows', 'x'), ('three_rows', NULL)"));
    }

    /** Keys without AUTOINCREMENT whose numbers are known to be generated again. */
    private static List<PlantedFault> plainKeys() {
        return List.of(PlantedFault.of(
                "reuses",
                "once_counted.id",
                "CREATE TABLE once_counted (id INTEGER PRIMARY KEY)",
                "INSERT INTO once_counted VALUES (1), (2)",
                "INSERT INTO sqlite_sequence VALUES ('once_counted', 9)"));
    }

    /** Keys that are no row numbers. */
    private static List<PlantedFault> notGenerated() {
        return List.of(
                PlantedFault.of("not-generated", "of_int.id", "CREATE TABLE of_int (id INT PRIMARY KEY)"),
                PlantedFault.of(
                        "not-generated",
                        "of_bigint.id",
                        "CREATE TABLE of_bigint (id BIGINT PRIMARY KEY)",
                        "INSERT INTO of_bigint VALUES (NULL), (NULL)"),
                PlantedFault.of(
                        "not-generated", "downwards.id", "CREATE TABLE downwards (id INTEGER PRIMARY KEY DESC)"),
                PlantedFault.of(
                        "not-generated", "unsigned.id", "CREATE TABLE unsigned (id UNSIGNED BIG INT PRIMARY KEY)"),
                PlantedFault.of("not-generated", "sized.id", "CREATE TABLE sized (id INTEGER(8) PRIMARY KEY)"),
                PlantedFault.of(
                        "not-generated",
                        "by_itself.id",
                        "CREATE TABLE by_itself (v TEXT, id smallint, PRIMARY KEY (id))"),
                PlantedFault.of(
                        "not-generated",
                        "Not \"generated\".I'd",
                        "CREATE TABLE \"Not \"\"generated\"\"\" (\"I'd\" INT PRIMARY KEY)"));
    }

    /** Numbers near their ends. */
    private static List<PlantedFault> ends() {
        return List.of(
                PlantedFault.of(
                        "exhausted",
                        "full.id",
                        "CREATE TABLE full (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO full VALUES (9223372036854775807)"),
                PlantedFault.of(
                        "exhausted",
                        "full_and_empty.id",
                        "CREATE TABLE full_and_empty (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO full_and_empty VALUES (9223372036854775807)",
                        "DELETE FROM full_and_empty"),
                PlantedFault.of(
                        "exhausted",
                        "full_plain.id",
                        "CREATE TABLE full_plain (id INTEGER PRIMARY KEY)",
                        "INSERT INTO full_plain VALUES (9223372036854775807)"),
                PlantedFault.of(
                        "type-running-out",
                        "late.id",
                        "CREATE TABLE late (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO late VALUES (8000000000000000000)"),
                PlantedFault.of(
                        "type-running-out",
                        "late_plain.id",
                        "CREATE TABLE late_plain (id INTEGER PRIMARY KEY)",
                        "INSERT INTO late_plain VALUES (8000000000000000000)"),
                PlantedFault.of(
                        "type-running-out",
                        "late_ahead.id",
                        "CREATE TABLE late_ahead (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO sqlite_sequence VALUES ('late_ahead', 9000000000000000000)"),
                PlantedFault.of(
                        "beyond-exact-doubles",
                        "near_doubles.id",
                        "CREATE TABLE near_doubles (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO near_doubles VALUES (9007199254740000)"),
                PlantedFault.of(
                        "beyond-exact-doubles",
                        "ahead_of_doubles.id",
                        "CREATE TABLE ahead_of_doubles (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                        "INSERT INTO sqlite_sequence VALUES ('ahead_of_doubles', 9007199254740990)"),
                PlantedFault.of(
                        "type-running-out",
                        "late_strict.id",
                        "CREATE TABLE late_strict (id INTEGER PRIMARY KEY) STRICT",
                        "INSERT INTO late_strict VALUES (-5), (7500000000000000000)"),
                PlantedFault.of(
                        "beyond-exact-doubles",
                        "past_doubles.id",
                        "CREATE TABLE past_doubles (id INTEGER PRIMARY KEY)",
                        "INSERT INTO past_doubles VALUES (9007199254741999)"));
    }

    private static List<String> clean() {
        return List.of(
                "CREATE TABLE clean_auto (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO clean_auto VALUES (NULL), (NULL)",
                "CREATE TABLE clean_empty (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "CREATE TABLE clean_emptied (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO clean_emptied VALUES (7)",
                "DELETE FROM clean_emptied",
                "CREATE TABLE clean_ahead (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO sqlite_sequence VALUES ('clean_ahead', 1000)",
                "CREATE TABLE clean_below_zero (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO clean_below_zero VALUES (-7)",
                "DELETE FROM sqlite_sequence WHERE name = 'clean_below_zero'",
                "CREATE TABLE clean_plain (id INTEGER PRIMARY KEY)",
                "INSERT INTO clean_plain VALUES (1), (2)",
                "CREATE TABLE clean_plain_empty (id INTEGER PRIMARY KEY)",
                "CREATE TABLE clean_plain_counted (id INTEGER PRIMARY KEY)",
                "INSERT INTO clean_plain_counted VALUES (1), (9)",
                "INSERT INTO sqlite_sequence VALUES ('clean_plain_counted', 9)",
                "CREATE TABLE clean_renamed_once (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO clean_renamed_once VALUES (5)",
                "ALTER TABLE clean_renamed_once RENAME TO clean_renamed",
                "CREATE TABLE \"Cl'ean \"\"one\"\"\" (\"a[b]c\" INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO \"Cl'ean \"\"one\"\"\" VALUES (5)",
                "CREATE TABLE clean_mixed (ID integer primary key autoincrement)",
                "INSERT INTO CLEAN_MIXED VALUES (5)",
                "CREATE TABLE clean_strict (id INTEGER PRIMARY KEY) STRICT",
                "CREATE TABLE clean_strict_int (id INT PRIMARY KEY) STRICT",
                "CREATE TABLE clean_without (id INTEGER PRIMARY KEY) WITHOUT ROWID",
                "CREATE TABLE clean_without_int (id INT PRIMARY KEY) WITHOUT ROWID, STRICT",
                "CREATE TABLE clean_by_application (id INT NOT NULL PRIMARY KEY)",
                "CREATE TABLE clean_by_default (id INT PRIMARY KEY DEFAULT (abs(random())))",
                "CREATE TABLE clean_text (id TEXT PRIMARY KEY)",
                "CREATE TABLE clean_real (id REAL PRIMARY KEY)",
                "CREATE TABLE clean_untyped (id PRIMARY KEY)",
                "CREATE TABLE clean_no_key (v INT)",
                "INSERT INTO clean_no_key VALUES (9223372036854775807)",
                "CREATE TABLE clean_two_columns (a INT, b INT, PRIMARY KEY (a, b))",
                "CREATE TABLE clean_word (id INTEGER PRIMARY KEY, v TEXT DEFAULT 'AUTOINCREMENT')",
                "INSERT INTO clean_word (id) VALUES (3)",
                "CREATE TABLE clean_words (id INTEGER PRIMARY KEY, \"WITHOUT ROWID\" INT, v INT CHECK (v <> ')')) -- STRICT",
                "CREATE TABLE clean_parent (id INTEGER PRIMARY KEY)",
                "INSERT INTO clean_parent VALUES (1), (2)",
                "CREATE TABLE clean_child (id INTEGER PRIMARY KEY, of INT REFERENCES clean_parent (id))",
                "CREATE INDEX clean_child_of ON clean_child (of)",
                "INSERT INTO clean_child VALUES (1, 2), (2, NULL)",
                "CREATE TABLE clean_auto_parent (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "CREATE TABLE clean_auto_child (id INTEGER PRIMARY KEY, of INT REFERENCES clean_auto_parent (id))",
                "CREATE INDEX clean_auto_child_of ON clean_auto_child (of)",
                "INSERT INTO clean_auto_child VALUES (1, 7)",
                "CREATE TABLE clean_unindexed_child (id INTEGER PRIMARY KEY, of INT REFERENCES clean_parent (id))",
                "INSERT INTO clean_unindexed_child VALUES (1, 2)",
                "CREATE TABLE clean_composite (id INTEGER PRIMARY KEY, a INT, b INT,"
                        + " FOREIGN KEY (a, b) REFERENCES clean_two_columns (a, b))",
                "CREATE TABLE clean_dangling (id INTEGER PRIMARY KEY, of INT REFERENCES nowhere (id))",
                "CREATE VIEW clean_view AS SELECT * FROM clean_auto",
                "CREATE VIEW clean_broken AS SELECT * FROM nowhere",
                "CREATE VIRTUAL TABLE clean_virtual USING fts5 (words)",
                "INSERT INTO clean_virtual VALUES ('some words')",
                "CREATE TABLE clean_half (id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO clean_half VALUES (5000000000000000000)",
                "CREATE TABLE clean_hidden (id INTEGER PRIMARY KEY, twice INT AS (id * 2) STORED)",
                "INSERT INTO clean_hidden VALUES (5)",
                "CREATE TABLE clean_alias (\"rowid\" INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO clean_alias VALUES (5)",
                "CREATE TABLE clean_other (rowid TEXT, id INTEGER PRIMARY KEY AUTOINCREMENT)",
                "INSERT INTO clean_other VALUES ('x', 5)");
    }
}
