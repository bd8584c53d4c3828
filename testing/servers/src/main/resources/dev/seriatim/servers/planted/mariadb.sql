-- SPDX-License-Identifier: Apache-2.0
-- Faults of MariaDB's sequences, types and engines. $db is the database.

--- before
CREATE DATABASE $db_other;

--- behind $db.cascaded.id
-- A cascade changes the column, but not its counter.
CREATE TABLE parent_of (id int PRIMARY KEY);
INSERT INTO parent_of VALUES (1), (2);
CREATE TABLE cascaded (id int AUTO_INCREMENT PRIMARY KEY, FOREIGN KEY (id) REFERENCES parent_of (id) ON UPDATE CASCADE);
INSERT INTO cascaded VALUES (1), (2);
UPDATE parent_of SET id = 100 WHERE id = 1;

--- behind $db.behind_undrawn.id
CREATE SEQUENCE behind_undrawn_numbers;
CREATE TABLE behind_undrawn (id bigint PRIMARY KEY DEFAULT nextval(behind_undrawn_numbers));
INSERT INTO behind_undrawn VALUES (5);

--- behind $db.behind_drawn.id
CREATE SEQUENCE behind_drawn_numbers;
CREATE TABLE behind_drawn (id bigint PRIMARY KEY DEFAULT nextval(behind_drawn_numbers));
INSERT INTO behind_drawn VALUES (), ();
INSERT INTO behind_drawn VALUES (1500), (500000);

--- behind $db.behind_uncached.id
CREATE SEQUENCE behind_uncached_numbers NOCACHE;
CREATE TABLE behind_uncached (id int PRIMARY KEY DEFAULT nextval(behind_uncached_numbers));
INSERT INTO behind_uncached VALUES (), ();
INSERT INTO behind_uncached VALUES (3);

--- behind $db.behind_down.id
CREATE SEQUENCE behind_down_numbers INCREMENT BY -1;
CREATE TABLE behind_down (id bigint PRIMARY KEY DEFAULT nextval(behind_down_numbers));
INSERT INTO behind_down VALUES (DEFAULT), (-1500);

--- behind $db.behind_steps.id
CREATE SEQUENCE behind_steps_numbers INCREMENT BY 10;
CREATE TABLE behind_steps (id bigint PRIMARY KEY DEFAULT nextval(behind_steps_numbers));
INSERT INTO behind_steps VALUES (21), (25);

--- behind $db.behind_restarted.id
CREATE SEQUENCE behind_restarted_numbers NOCACHE;
CREATE TABLE behind_restarted (id bigint PRIMARY KEY DEFAULT nextval(behind_restarted_numbers));
INSERT INTO behind_restarted VALUES (), (), ();
ALTER SEQUENCE behind_restarted_numbers RESTART 2;

--- behind $db.behind_decimal.id
CREATE SEQUENCE behind_decimal_numbers;
CREATE TABLE behind_decimal (id decimal(12,0) PRIMARY KEY DEFAULT nextval(behind_decimal_numbers));
INSERT INTO behind_decimal VALUES (99);

--- behind $db.behind_double.id
CREATE SEQUENCE behind_double_numbers;
CREATE TABLE behind_double (id double PRIMARY KEY DEFAULT nextval(behind_double_numbers));
INSERT INTO behind_double VALUES (2), (2.5);

--- behind $db.behind_small.id
CREATE SEQUENCE behind_small_numbers;
CREATE TABLE behind_small (id smallint unsigned PRIMARY KEY DEFAULT nextval(behind_small_numbers));
INSERT INTO behind_small VALUES (9);

--- behind $db.behind_far.id
-- Beyond the last value of a sequence: no statement mends it.
CREATE SEQUENCE behind_far_numbers;
CREATE TABLE behind_far (id bigint unsigned PRIMARY KEY DEFAULT nextval(behind_far_numbers));
INSERT INTO behind_far VALUES (3), (9223372036854775813);

--- behind $db.behind_parts.id
CREATE SEQUENCE behind_parts_numbers;
CREATE TABLE behind_parts (id bigint PRIMARY KEY DEFAULT nextval(behind_parts_numbers));
ALTER TABLE behind_parts PARTITION BY HASH (id) PARTITIONS 3;
INSERT INTO behind_parts VALUES (7), (8);

--- behind $db.Late` {fn x}.num'ber
CREATE SEQUENCE `Late``s {fn x}`;
CREATE TABLE `Late`` {fn x}` (`num'ber` bigint PRIMARY KEY DEFAULT nextval(`Late``s {fn x}`));
INSERT INTO `Late`` {fn x}` VALUES (2);

--- behind $db.MixedCase.Id
CREATE SEQUENCE MixedNumbers;
CREATE TABLE MixedCase (Id bigint PRIMARY KEY DEFAULT (NEXT VALUE FOR MixedNumbers));
INSERT INTO MixedCase VALUES (2);

--- behind $db.draws_elsewhere.id
CREATE SEQUENCE $db_other.elsewhere;
CREATE TABLE draws_elsewhere (id bigint PRIMARY KEY DEFAULT nextval($db_other.elsewhere));
INSERT INTO draws_elsewhere VALUES (3);

--- behind $db.shares_late.id
CREATE SEQUENCE shared_numbers;
CREATE TABLE shares_early (id bigint PRIMARY KEY DEFAULT nextval(shared_numbers));
CREATE TABLE shares_late (id bigint PRIMARY KEY DEFAULT nextval(shared_numbers));
INSERT INTO shares_late VALUES (1);

--- exhausted $db.short_one
CREATE SEQUENCE short_one MAXVALUE 10 NOCACHE;
SELECT SETVAL(short_one, 10);

--- exhausted $db.down_one
CREATE SEQUENCE down_one INCREMENT BY -2 MINVALUE -10 NOCACHE;
SELECT SETVAL(down_one, -9);

--- exhausted $db.full_float.id
CREATE TABLE full_float (id float AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_float VALUES (16777216);

--- exhausted $db.narrow.id
CREATE SEQUENCE narrow_numbers START WITH 40000;
CREATE TABLE narrow (id smallint PRIMARY KEY DEFAULT nextval(narrow_numbers));

--- running-out $db.most_alone
CREATE SEQUENCE most_alone MAXVALUE 1000 NOCACHE;
SELECT SETVAL(most_alone, 950);

--- type-running-out $db.tight.id
CREATE SEQUENCE tight_numbers START WITH 2000000000;
CREATE TABLE tight (id int PRIMARY KEY DEFAULT nextval(tight_numbers));

--- beyond-exact-doubles $db.near_doubles_numbers
CREATE SEQUENCE near_doubles_numbers START WITH 9007199254740000;

--- cycles $db.cycling_numbers
CREATE SEQUENCE cycling_numbers MAXVALUE 1000 CYCLE;
CREATE TABLE cycling (id bigint PRIMARY KEY DEFAULT nextval(cycling_numbers));

--- cache-loses $db.large_cache
CREATE SEQUENCE large_cache CACHE 5000;

--- increment-beside-hibernate $db.customer_seq
CREATE TABLE customer (id bigint PRIMARY KEY);
CREATE SEQUENCE customer_seq INCREMENT BY 50 NOCACHE;

--- increment-beside-hibernate $db.hibernate_sequence
CREATE SEQUENCE hibernate_sequence INCREMENT BY 10;

--- missing-sequence $db.orphaned.id
CREATE SEQUENCE dropped_numbers;
CREATE TABLE orphaned (id bigint PRIMARY KEY DEFAULT nextval(dropped_numbers));
INSERT INTO orphaned VALUES (7);
DROP SEQUENCE dropped_numbers;

--- loses-commits $db.aria_table
CREATE TABLE aria_table (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = Aria;

--- loses-commits $db.aria_numbers
CREATE SEQUENCE aria_numbers ENGINE = Aria;

--- loses-commits $db.My`Isam numbers
CREATE SEQUENCE `My``Isam numbers` ENGINE = MyISAM;

--- clean
CREATE SEQUENCE clean_alone;
CREATE SEQUENCE clean_uncached NOCACHE;
CREATE SEQUENCE clean_cycle MAXVALUE 5 CYCLE;
SELECT NEXTVAL(clean_cycle);
CREATE SEQUENCE clean_cached CACHE 1000;
CREATE SEQUENCE clean_server_steps INCREMENT BY 0;
CREATE SEQUENCE clean_half_used MAXVALUE 1000 NOCACHE;
SELECT SETVAL(clean_half_used, 500);
CREATE SEQUENCE clean_down INCREMENT BY -1;
CREATE SEQUENCE clean_lowest MINVALUE -9223372036854775807 START WITH -9223372036854775807;
CREATE SEQUENCE clean_word_seq;
CREATE TABLE clean_word (id bigint PRIMARY KEY);
CREATE SEQUENCE $db_other.clean_elsewhere;
CREATE TABLE clean_drawn (id bigint PRIMARY KEY DEFAULT nextval($db_other.clean_elsewhere));
INSERT INTO clean_drawn VALUES (), ();
CREATE TABLE clean_drawn_too (id bigint PRIMARY KEY DEFAULT nextval($db_other.clean_elsewhere));
CREATE SEQUENCE clean_codes;
CREATE TABLE clean_code (code varchar(40) PRIMARY KEY DEFAULT concat('A', nextval(clean_codes)));
INSERT INTO clean_code VALUES (), ();
CREATE SEQUENCE clean_hundreds;
CREATE TABLE clean_hundred (id bigint PRIMARY KEY DEFAULT (nextval(clean_hundreds) * 100));
INSERT INTO clean_hundred VALUES (), ();
CREATE TABLE clean_unindexed (id bigint DEFAULT nextval(clean_alone));
INSERT INTO clean_unindexed VALUES (), ();
CREATE SEQUENCE clean_dates;
CREATE TABLE clean_versioned (id bigint PRIMARY KEY DEFAULT nextval(clean_dates), v int) WITH SYSTEM VERSIONING;
INSERT INTO clean_versioned (v) VALUES (1), (2);
CREATE TABLE clean_versioned_too (id int AUTO_INCREMENT PRIMARY KEY, v int) WITH SYSTEM VERSIONING;
INSERT INTO clean_versioned_too (v) VALUES (1), (2);
CREATE SEQUENCE clean_fractions NOCACHE;
CREATE TABLE clean_fraction (id double PRIMARY KEY DEFAULT nextval(clean_fractions));
INSERT INTO clean_fraction VALUES (DEFAULT), (DEFAULT), (2.75);
CREATE TABLE clean_float (id float AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_float VALUES (), ();
