// SPDX-License-Identifier: Apache-2.0
package dev.seriatim.servers.planted;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What can be wrong with {@code AUTO_INCREMENT} on MariaDB and MySQL, and with MariaDB's sequences. */
public final class PlantedMariaDb {

    /** The last number that each type generates. */
    private static final Map<String, String> LAST = new LinkedHashMap<>();

    /** A number with which a type has less than a fifth left. */
    private static final Map<String, String> LATE = new LinkedHashMap<>();

    static {
        LAST.put("tinyint", "127");
        LAST.put("tinyint unsigned", "255");
        LAST.put("smallint", "32767");
        LAST.put("smallint unsigned", "65535");
        LAST.put("mediumint", "8388607");
        LAST.put("mediumint unsigned", "16777215");
        LAST.put("int", "2147483647");
        LAST.put("int unsigned", "4294967295");
        LAST.put("bigint", "9223372036854775807");
        LAST.put("bigint unsigned", "18446744073709551614");
        LATE.put("tinyint", "110");
        LATE.put("tinyint unsigned", "210");
        LATE.put("smallint", "27000");
        LATE.put("smallint unsigned", "60000");
        LATE.put("mediumint", "7000000");
        LATE.put("mediumint unsigned", "14000000");
        LATE.put("int", "1900000000");
        LATE.put("int unsigned", "4000000000");
        LATE.put("bigint", "8000000000000000000");
        LATE.put("bigint unsigned", "16000000000000000000");
    }

    private PlantedMariaDb() {}

    /** Returns the schema for a database of MariaDB's; it creates another database beside it. */
    public static PlantedSchema mariaDb(String database) {
        List<PlantedFault> faults = new ArrayList<>(numbered(database));
        faults.addAll(behind(database));
        faults.addAll(sequences(database));
        List<String> clean = new ArrayList<>(numberedClean());
        clean.addAll(sequencesClean(database));
        return new PlantedSchema(List.of("CREATE DATABASE " + other(database)), faults, clean);
    }

    /** Returns the schema for a database of MySQL's. */
    public static PlantedSchema mySql(String database) {
        List<PlantedFault> faults = new ArrayList<>(numbered(database));
        faults.add(PlantedFault.of(
                "loses-commits",
                database + ".archived",
                "CREATE TABLE archived (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = ARCHIVE"));
        List<String> clean = new ArrayList<>(numberedClean());
        clean.addAll(List.of(
                "CREATE TABLE clean_hidden (id int INVISIBLE AUTO_INCREMENT PRIMARY KEY, v int)",
                "INSERT INTO clean_hidden (v) VALUES (1), (2)",
                "CREATE TABLE clean_computed (id int AUTO_INCREMENT PRIMARY KEY, v int DEFAULT (1 + 1), twice int AS (v * 2))",
                "CREATE TABLE hibernate_sequences (sequence_name varchar(255) PRIMARY KEY, next_val bigint)",
                "INSERT INTO hibernate_sequences VALUES ('customer', 500)",
                "CREATE TABLE clean_uuid (id varchar(36) PRIMARY KEY DEFAULT (uuid()))"));
        return new PlantedSchema(List.of(), faults, clean);
    }

    private static String other(String database) {
        return database + "_other";
    }

    /** What can be wrong with AUTO_INCREMENT, on either product. */
    private static List<PlantedFault> numbered(String database) {
        List<PlantedFault> faults = new ArrayList<>();
        LAST.forEach((type, last) -> faults.add(inserted("exhausted", database, "full", type, last)));
        LATE.forEach((type, late) -> faults.add(inserted("type-running-out", database, "late", type, late)));
        faults.addAll(
                List.of(
                        PlantedFault.of(
                                "exhausted",
                                database + ".Be`hind \"it's\".I'd ?",
                                "CREATE TABLE `Be``hind \"it's\"` (`I'd ?` tinyint AUTO_INCREMENT PRIMARY KEY)",
                                "INSERT INTO `Be``hind \"it's\"` VALUES (127)"),
                        PlantedFault.of(
                                "exhausted",
                                database + ".select.order",
                                "CREATE TABLE `select` (`order` smallint AUTO_INCREMENT, `from` int, KEY (`order`))",
                                "INSERT INTO `select` VALUES (32767, 1)"),
                        PlantedFault.of(
                                "exhausted",
                                database + ".parts_full.id",
                                "CREATE TABLE parts_full (id tinyint AUTO_INCREMENT, day int, PRIMARY KEY (id, day))"
                                        + " PARTITION BY RANGE (day)"
                                        + " (PARTITION early VALUES LESS THAN (10), PARTITION late VALUES LESS THAN (20))",
                                "INSERT INTO parts_full VALUES (3, 1), (127, 15)"),
                        PlantedFault.of(
                                "type-running-out",
                                database + ".gr\u00f6\u00dfe.Numm\u00e9ro",
                                "CREATE TABLE gr\u00f6\u00dfe (Numm\u00e9ro tinyint AUTO_INCREMENT PRIMARY KEY)",
                                "INSERT INTO gr\u00f6\u00dfe VALUES (120)"),
                        PlantedFault.of(
                                "type-running-out",
                                database + ".late_empty.id",
                                "CREATE TABLE late_empty (id tinyint AUTO_INCREMENT PRIMARY KEY)",
                                "INSERT INTO late_empty VALUES (120)",
                                "DELETE FROM late_empty"),
                        PlantedFault.of(
                                "type-running-out",
                                database + ".late_ahead.id",
                                "CREATE TABLE late_ahead (id int AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT = 2000000000",
                                "INSERT INTO late_ahead VALUES (5), (DEFAULT)"),
                        PlantedFault.of(
                                "beyond-exact-doubles",
                                database + ".near_doubles.id",
                                "CREATE TABLE near_doubles (id bigint AUTO_INCREMENT PRIMARY KEY)",
                                "INSERT INTO near_doubles VALUES (9007199254740000)"),
                        PlantedFault.of(
                                "beyond-exact-doubles",
                                database + ".past_doubles.id",
                                "CREATE TABLE past_doubles (id bigint unsigned AUTO_INCREMENT PRIMARY KEY)",
                                "INSERT INTO past_doubles VALUES (9007199254741999)"),
                        PlantedFault.of(
                                "loses-commits",
                                database + ".old_engine",
                                "CREATE TABLE old_engine (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MyISAM",
                                "INSERT INTO old_engine VALUES (), ()"),
                        PlantedFault.of(
                                "loses-commits",
                                database + ".old_empty",
                                "CREATE TABLE old_empty (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MyISAM"),
                        PlantedFault.of(
                                "loses-commits",
                                database + ".in_groups",
                                "CREATE TABLE in_groups (kind int, id int AUTO_INCREMENT, PRIMARY KEY (kind, id)) ENGINE = MyISAM",
                                "INSERT INTO in_groups (kind) VALUES (1), (1), (2)"),
                        // Nothing is wrong with the table that only shows its rows.
                        PlantedFault.of(
                                "loses-commits",
                                database + ".merged_part",
                                "CREATE TABLE merged_part (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MyISAM",
                                "CREATE TABLE merged (id int AUTO_INCREMENT PRIMARY KEY)"
                                        + " ENGINE = MERGE UNION = (merged_part) INSERT_METHOD = LAST",
                                "INSERT INTO merged VALUES (), ()"),
                        PlantedFault.of(
                                "repeats",
                                database + ".in_memory",
                                "CREATE TABLE in_memory (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MEMORY",
                                "INSERT INTO in_memory VALUES (), ()"),
                        PlantedFault.of(
                                "repeats",
                                database + ".in_memory_tree",
                                "CREATE TABLE in_memory_tree (id bigint AUTO_INCREMENT, PRIMARY KEY USING BTREE (id)) ENGINE = MEMORY")));
        return faults;
    }

    private static PlantedFault inserted(String fault, String database, String prefix, String type, String number) {
        String table = prefix + "_" + type.replace(' ', '_');
        return PlantedFault.of(
                fault,
                database + "." + table + ".id",
                "CREATE TABLE " + table + " (id " + type + " AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO " + table + " VALUES (" + number + ")");
    }

    /** Counters and sequences behind their columns, on MariaDB. */
    private static List<PlantedFault> behind(String database) {
        String other = other(database);
        return List.of(
                PlantedFault.of(
                        "behind",
                        database + ".cascaded.id",
                        // A cascade changes the column, and not its counter.
                        "CREATE TABLE parent_of (id int PRIMARY KEY)",
                        "INSERT INTO parent_of VALUES (1), (2)",
                        "CREATE TABLE cascaded (id int AUTO_INCREMENT PRIMARY KEY,"
                                + " FOREIGN KEY (id) REFERENCES parent_of (id) ON UPDATE CASCADE)",
                        "INSERT INTO cascaded VALUES (1), (2)",
                        "UPDATE parent_of SET id = 100 WHERE id = 1"),
                drawn(database, "behind_undrawn", "", "bigint", "INSERT INTO behind_undrawn VALUES (5)"),
                drawn(
                        database,
                        "behind_drawn",
                        "",
                        "bigint",
                        "INSERT INTO behind_drawn VALUES (), ()",
                        "INSERT INTO behind_drawn VALUES (5000000000)"),
                drawn(
                        database,
                        "behind_uncached",
                        "NOCACHE",
                        "int",
                        "INSERT INTO behind_uncached VALUES (), ()",
                        "INSERT INTO behind_uncached VALUES (3)"),
                drawn(
                        database,
                        "behind_down",
                        "INCREMENT BY -1",
                        "bigint",
                        "INSERT INTO behind_down VALUES (DEFAULT), (-5000)"),
                drawn(database, "behind_steps", "INCREMENT BY 10", "bigint", "INSERT INTO behind_steps VALUES (25)"),
                drawn(
                        database,
                        "behind_restarted",
                        "NOCACHE",
                        "bigint",
                        "INSERT INTO behind_restarted VALUES (), (), ()",
                        "ALTER SEQUENCE behind_restarted_numbers RESTART 2"),
                drawn(database, "behind_decimal", "", "decimal(12,0)", "INSERT INTO behind_decimal VALUES (99)"),
                drawn(database, "behind_double", "", "double", "INSERT INTO behind_double VALUES (2.5)"),
                drawn(database, "behind_small", "", "smallint unsigned", "INSERT INTO behind_small VALUES (9)"),
                // Beyond what a sequence deals: no statement mends it.
                drawn(
                        database,
                        "behind_far",
                        "",
                        "bigint unsigned",
                        "INSERT INTO behind_far VALUES (9223372036854775813)"),
                drawn(
                        database,
                        "behind_parts",
                        "",
                        "bigint",
                        "ALTER TABLE behind_parts PARTITION BY HASH (id) PARTITIONS 3",
                        "INSERT INTO behind_parts VALUES (7), (8)"),
                PlantedFault.of(
                        "behind",
                        database + ".Late` {fn x}.num'ber",
                        "CREATE SEQUENCE `Late``s {fn x}`",
                        "CREATE TABLE `Late`` {fn x}` (`num'ber` bigint PRIMARY KEY DEFAULT nextval(`Late``s {fn x}`))",
                        "INSERT INTO `Late`` {fn x}` VALUES (2)"),
                PlantedFault.of(
                        "behind",
                        database + ".MixedCase.Id",
                        "CREATE SEQUENCE MixedNumbers",
                        "CREATE TABLE MixedCase (Id bigint PRIMARY KEY DEFAULT (NEXT VALUE FOR MixedNumbers))",
                        "INSERT INTO MixedCase VALUES (2)"),
                PlantedFault.of(
                        "behind",
                        database + ".draws_elsewhere.id",
                        "CREATE SEQUENCE " + other + ".elsewhere",
                        "CREATE TABLE draws_elsewhere (id bigint PRIMARY KEY DEFAULT nextval(" + other + ".elsewhere))",
                        "INSERT INTO draws_elsewhere VALUES (3)"),
                PlantedFault.of(
                        "behind",
                        database + ".shares_late.id",
                        "CREATE SEQUENCE shared_numbers",
                        "CREATE TABLE shares_early (id bigint PRIMARY KEY DEFAULT nextval(shared_numbers))",
                        "CREATE TABLE shares_late (id bigint PRIMARY KEY DEFAULT nextval(shared_numbers))",
                        "INSERT INTO shares_late VALUES (1)"));
    }

    /** A table that draws from a sequence of its own, and is behind it after some more statements. */
    private static PlantedFault drawn(String database, String table, String options, String type, String... more) {
        List<String> statements = new ArrayList<>(List.of(
                "CREATE SEQUENCE " + table + "_numbers " + options,
                "CREATE TABLE " + table + " (id " + type + " PRIMARY KEY DEFAULT nextval(" + table + "_numbers))"));
        statements.addAll(List.of(more));
        return new PlantedFault("behind", database + "." + table + ".id", statements);
    }

    /** What else can be wrong with MariaDB's sequences, types and engines. */
    private static List<PlantedFault> sequences(String database) {
        return List.of(
                PlantedFault.of(
                        "exhausted",
                        database + ".short_one",
                        "CREATE SEQUENCE short_one MAXVALUE 10 NOCACHE",
                        "SELECT SETVAL(short_one, 10)"),
                PlantedFault.of(
                        "exhausted",
                        database + ".down_one",
                        "CREATE SEQUENCE down_one INCREMENT BY -2 MINVALUE -10 NOCACHE",
                        "SELECT SETVAL(down_one, -9)"),
                PlantedFault.of(
                        "exhausted",
                        database + ".full_float.id",
                        "CREATE TABLE full_float (id float AUTO_INCREMENT PRIMARY KEY)",
                        "INSERT INTO full_float VALUES (16777216)"),
                PlantedFault.of(
                        "exhausted",
                        database + ".narrow.id",
                        "CREATE SEQUENCE narrow_numbers START WITH 40000",
                        "CREATE TABLE narrow (id smallint PRIMARY KEY DEFAULT nextval(narrow_numbers))"),
                PlantedFault.of(
                        "running-out",
                        database + ".most_alone",
                        "CREATE SEQUENCE most_alone MAXVALUE 1000 NOCACHE",
                        "SELECT SETVAL(most_alone, 950)"),
                PlantedFault.of(
                        "type-running-out",
                        database + ".tight.id",
                        "CREATE SEQUENCE tight_numbers START WITH 2000000000",
                        "CREATE TABLE tight (id int PRIMARY KEY DEFAULT nextval(tight_numbers))"),
                PlantedFault.of(
                        "beyond-exact-doubles",
                        database + ".near_doubles_numbers",
                        "CREATE SEQUENCE near_doubles_numbers START WITH 9007199254740000"),
                PlantedFault.of(
                        "cycles",
                        database + ".cycling_numbers",
                        "CREATE SEQUENCE cycling_numbers MAXVALUE 1000 CYCLE",
                        "CREATE TABLE cycling (id bigint PRIMARY KEY DEFAULT nextval(cycling_numbers))"),
                PlantedFault.of("cache-loses", database + ".large_cache", "CREATE SEQUENCE large_cache CACHE 5000"),
                PlantedFault.of(
                        "increment-beside-hibernate",
                        database + ".customer_seq",
                        "CREATE TABLE customer (id bigint PRIMARY KEY)",
                        "CREATE SEQUENCE customer_seq INCREMENT BY 50 NOCACHE"),
                PlantedFault.of(
                        "increment-beside-hibernate",
                        database + ".hibernate_sequence",
                        "CREATE SEQUENCE hibernate_sequence INCREMENT BY 10"),
                PlantedFault.of(
                        "not-generated",
                        database + ".orphaned.id",
                        "CREATE SEQUENCE dropped_numbers",
                        "CREATE TABLE orphaned (id bigint PRIMARY KEY DEFAULT nextval(dropped_numbers))",
                        "INSERT INTO orphaned VALUES (7)",
                        "DROP SEQUENCE dropped_numbers"),
                PlantedFault.of(
                        "loses-commits",
                        database + ".aria_table",
                        "CREATE TABLE aria_table (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = Aria"),
                PlantedFault.of(
                        "loses-commits", database + ".aria_numbers", "CREATE SEQUENCE aria_numbers ENGINE = Aria"),
                PlantedFault.of(
                        "loses-commits",
                        database + ".My`Isam numbers",
                        "CREATE SEQUENCE `My``Isam numbers` ENGINE = MyISAM"));
    }

    /** Nothing is wrong with these, on either product. */
    private static List<String> numberedClean() {
        List<String> clean = new ArrayList<>();
        for (String type : LAST.keySet()) {
            String table = "clean_" + type.replace(' ', '_');
            clean.add("CREATE TABLE " + table + " (id " + type + " AUTO_INCREMENT PRIMARY KEY)");
            clean.add("INSERT INTO " + table + " VALUES (), (), ()");
        }
        clean.addAll(List.of(
                "CREATE TABLE clean_empty (id int AUTO_INCREMENT PRIMARY KEY)",
                "CREATE TABLE clean_below_zero (id int AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_below_zero VALUES (-7)",
                "CREATE TABLE clean_ahead (id int AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT = 1000",
                "CREATE TABLE clean_emptied (id int AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_emptied VALUES (), ()",
                "TRUNCATE TABLE clean_emptied",
                "CREATE TABLE clean_updated (id int AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_updated VALUES (), ()",
                "UPDATE clean_updated SET id = 50 WHERE id = 1",
                "CREATE TABLE clean_zerofill (id int(8) unsigned zerofill AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_zerofill VALUES (DEFAULT), (7)",
                "CREATE TABLE `Cl``ean \"it's\"` (`I'd ?` int AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO `Cl``ean \"it's\"` VALUES (), ()",
                "CREATE TABLE clean_parts (id int AUTO_INCREMENT, day int, PRIMARY KEY (id, day))"
                        + " PARTITION BY RANGE (day)"
                        + " (PARTITION early VALUES LESS THAN (10), PARTITION late VALUES LESS THAN (20))",
                "INSERT INTO clean_parts (day) VALUES (1), (15)",
                "CREATE TABLE clean_swapped (id int AUTO_INCREMENT, day int NOT NULL, PRIMARY KEY (id, day))",
                "INSERT INTO clean_swapped VALUES (500, 5)",
                "ALTER TABLE clean_parts EXCHANGE PARTITION early WITH TABLE clean_swapped",
                "CREATE TABLE clean_second (kind int, id int AUTO_INCREMENT, PRIMARY KEY (kind, id), KEY (id))",
                "INSERT INTO clean_second (kind) VALUES (1), (1), (2)",
                "CREATE TABLE clean_unique (code char(3) PRIMARY KEY, id int AUTO_INCREMENT UNIQUE)",
                "INSERT INTO clean_unique (code) VALUES ('a'), ('b')",
                "CREATE TABLE clean_half (id smallint AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_half VALUES (16000)",
                "CREATE TABLE clean_far (id bigint unsigned AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_far VALUES (9223372036854775810)",
                "CREATE TABLE clean_time (id bigint AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_time VALUES (6000000000000000000)",
                "CREATE VIEW clean_view AS SELECT * FROM clean_int",
                "CREATE TABLE clean_plain (id bigint PRIMARY KEY)",
                "INSERT INTO clean_plain VALUES (9223372036854775807)",
                "CREATE TABLE clean_text (id varchar(40) PRIMARY KEY DEFAULT 'nextval(`x`.`y`)')",
                "CREATE TABLE clean_old (id int PRIMARY KEY) ENGINE = MyISAM",
                "CREATE TABLE clean_child (id int AUTO_INCREMENT PRIMARY KEY, FOREIGN KEY (id) REFERENCES clean_int (id))",
                "INSERT INTO clean_child VALUES (), ()"));
        return clean;
    }

    private static List<String> sequencesClean(String database) {
        return List.of(
                "CREATE SEQUENCE clean_alone",
                "CREATE SEQUENCE clean_uncached NOCACHE",
                "CREATE SEQUENCE clean_cycle MAXVALUE 5 CYCLE",
                "SELECT NEXTVAL(clean_cycle)",
                "CREATE SEQUENCE clean_cached CACHE 1000",
                "CREATE SEQUENCE clean_server_steps INCREMENT BY 0",
                "CREATE SEQUENCE clean_half_used MAXVALUE 1000 NOCACHE",
                "SELECT SETVAL(clean_half_used, 500)",
                "CREATE SEQUENCE clean_down INCREMENT BY -1",
                "CREATE SEQUENCE clean_lowest MINVALUE -9223372036854775807 START WITH -9223372036854775807",
                "CREATE SEQUENCE clean_word_seq",
                "CREATE TABLE clean_word (id bigint PRIMARY KEY)",
                "CREATE SEQUENCE " + other(database) + ".clean_elsewhere",
                "CREATE TABLE clean_drawn (id bigint PRIMARY KEY DEFAULT nextval(" + other(database)
                        + ".clean_elsewhere))",
                "INSERT INTO clean_drawn VALUES (), ()",
                "CREATE TABLE clean_drawn_too (id bigint PRIMARY KEY DEFAULT nextval(" + other(database)
                        + ".clean_elsewhere))",
                "CREATE SEQUENCE clean_codes",
                "CREATE TABLE clean_code (code varchar(40) PRIMARY KEY DEFAULT concat('A', nextval(clean_codes)))",
                "INSERT INTO clean_code VALUES (), ()",
                "CREATE SEQUENCE clean_hundreds",
                "CREATE TABLE clean_hundred (id bigint PRIMARY KEY DEFAULT (nextval(clean_hundreds) * 100))",
                "INSERT INTO clean_hundred VALUES (), ()",
                "CREATE TABLE clean_unindexed (id bigint DEFAULT nextval(clean_alone))",
                "INSERT INTO clean_unindexed VALUES (), ()",
                "CREATE SEQUENCE clean_dates",
                "CREATE TABLE clean_versioned (id bigint PRIMARY KEY DEFAULT nextval(clean_dates), v int)"
                        + " WITH SYSTEM VERSIONING",
                "INSERT INTO clean_versioned (v) VALUES (1), (2)",
                "CREATE TABLE clean_versioned_too (id int AUTO_INCREMENT PRIMARY KEY, v int) WITH SYSTEM VERSIONING",
                "INSERT INTO clean_versioned_too (v) VALUES (1), (2)",
                "CREATE TABLE clean_hidden (id int INVISIBLE AUTO_INCREMENT PRIMARY KEY, v int)",
                "INSERT INTO clean_hidden (v) VALUES (1), (2)",
                "CREATE SEQUENCE clean_fractions NOCACHE",
                "CREATE TABLE clean_fraction (id double PRIMARY KEY DEFAULT nextval(clean_fractions))",
                "INSERT INTO clean_fraction VALUES (DEFAULT), (DEFAULT), (2.75)",
                "CREATE TABLE clean_float (id float AUTO_INCREMENT PRIMARY KEY)",
                "INSERT INTO clean_float VALUES (), ()");
    }
}
