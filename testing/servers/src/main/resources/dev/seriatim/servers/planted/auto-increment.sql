-- SPDX-License-Identifier: Apache-2.0
-- Faults of AUTO_INCREMENT on MariaDB and MySQL. $db is the database.

--- exhausted $db.full_tinyint.id
CREATE TABLE full_tinyint (id tinyint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_tinyint VALUES (127);

--- exhausted $db.full_tinyint_unsigned.id
CREATE TABLE full_tinyint_unsigned (id tinyint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_tinyint_unsigned VALUES (255);

--- exhausted $db.full_smallint.id
CREATE TABLE full_smallint (id smallint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_smallint VALUES (32767);

--- exhausted $db.full_smallint_unsigned.id
CREATE TABLE full_smallint_unsigned (id smallint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_smallint_unsigned VALUES (65535);

--- exhausted $db.full_mediumint.id
CREATE TABLE full_mediumint (id mediumint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_mediumint VALUES (8388607);

--- exhausted $db.full_mediumint_unsigned.id
CREATE TABLE full_mediumint_unsigned (id mediumint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_mediumint_unsigned VALUES (16777215);

--- exhausted $db.full_int.id
CREATE TABLE full_int (id int AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_int VALUES (2147483647);

--- exhausted $db.full_int_unsigned.id
CREATE TABLE full_int_unsigned (id int unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_int_unsigned VALUES (4294967295);

--- exhausted $db.full_bigint.id
CREATE TABLE full_bigint (id bigint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_bigint VALUES (9223372036854775807);

--- exhausted $db.full_bigint_unsigned.id
CREATE TABLE full_bigint_unsigned (id bigint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO full_bigint_unsigned VALUES (18446744073709551614);

--- type-running-out $db.late_tinyint.id
CREATE TABLE late_tinyint (id tinyint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_tinyint VALUES (110);

--- type-running-out $db.late_tinyint_unsigned.id
CREATE TABLE late_tinyint_unsigned (id tinyint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_tinyint_unsigned VALUES (210);

--- type-running-out $db.late_smallint.id
CREATE TABLE late_smallint (id smallint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_smallint VALUES (27000);

--- type-running-out $db.late_smallint_unsigned.id
CREATE TABLE late_smallint_unsigned (id smallint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_smallint_unsigned VALUES (60000);

--- type-running-out $db.late_mediumint.id
CREATE TABLE late_mediumint (id mediumint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_mediumint VALUES (7000000);

--- type-running-out $db.late_mediumint_unsigned.id
CREATE TABLE late_mediumint_unsigned (id mediumint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_mediumint_unsigned VALUES (14000000);

--- type-running-out $db.late_int.id
CREATE TABLE late_int (id int AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_int VALUES (1900000000);

--- type-running-out $db.late_int_unsigned.id
CREATE TABLE late_int_unsigned (id int unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_int_unsigned VALUES (4000000000);

--- type-running-out $db.late_bigint.id
CREATE TABLE late_bigint (id bigint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_bigint VALUES (8000000000000000000);

--- type-running-out $db.late_bigint_unsigned.id
CREATE TABLE late_bigint_unsigned (id bigint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_bigint_unsigned VALUES (16000000000000000000);

--- exhausted $db.Be`hind "it's".I'd ?
CREATE TABLE `Be``hind "it's"` (`I'd ?` tinyint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO `Be``hind "it's"` VALUES (127);

--- exhausted $db.select.order
CREATE TABLE `select` (`order` smallint AUTO_INCREMENT, `from` int, KEY (`order`));
INSERT INTO `select` VALUES (32767, 1);

--- exhausted $db.parts_full.id
CREATE TABLE parts_full (id tinyint AUTO_INCREMENT, day int, PRIMARY KEY (id, day)) PARTITION BY RANGE (day) (PARTITION early VALUES LESS THAN (10), PARTITION late VALUES LESS THAN (20));
INSERT INTO parts_full VALUES (3, 1), (127, 15);

--- type-running-out $db.größe.Numméro
CREATE TABLE größe (Numméro tinyint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO größe VALUES (120);

--- type-running-out $db.late_empty.id
CREATE TABLE late_empty (id tinyint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO late_empty VALUES (120);
DELETE FROM late_empty;

--- type-running-out $db.late_ahead.id
CREATE TABLE late_ahead (id int AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT = 2000000000;
INSERT INTO late_ahead VALUES (5), (DEFAULT);

--- beyond-exact-doubles $db.near_doubles.id
CREATE TABLE near_doubles (id bigint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO near_doubles VALUES (9007199254740000);

--- beyond-exact-doubles $db.past_doubles.id
CREATE TABLE past_doubles (id bigint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO past_doubles VALUES (9007199254741999);

--- loses-commits $db.old_engine
CREATE TABLE old_engine (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MyISAM;
INSERT INTO old_engine VALUES (), ();

--- loses-commits $db.old_empty
CREATE TABLE old_empty (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MyISAM;

--- loses-commits $db.in_groups
CREATE TABLE in_groups (kind int, id int AUTO_INCREMENT, PRIMARY KEY (kind, id)) ENGINE = MyISAM;
INSERT INTO in_groups (kind) VALUES (1), (1), (2);

--- loses-commits $db.merged_part
-- The table merged is not at fault: it only shows these rows.
CREATE TABLE merged_part (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MyISAM;
CREATE TABLE merged (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MERGE UNION = (merged_part) INSERT_METHOD = LAST;
INSERT INTO merged VALUES (), ();

--- repeats $db.in_memory
CREATE TABLE in_memory (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = MEMORY;
INSERT INTO in_memory VALUES (), ();

--- repeats $db.in_memory_tree
CREATE TABLE in_memory_tree (id bigint AUTO_INCREMENT, PRIMARY KEY USING BTREE (id)) ENGINE = MEMORY;

--- clean
CREATE TABLE clean_tinyint (id tinyint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_tinyint VALUES (), (), ();
CREATE TABLE clean_tinyint_unsigned (id tinyint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_tinyint_unsigned VALUES (), (), ();
CREATE TABLE clean_smallint (id smallint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_smallint VALUES (), (), ();
CREATE TABLE clean_smallint_unsigned (id smallint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_smallint_unsigned VALUES (), (), ();
CREATE TABLE clean_mediumint (id mediumint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_mediumint VALUES (), (), ();
CREATE TABLE clean_mediumint_unsigned (id mediumint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_mediumint_unsigned VALUES (), (), ();
CREATE TABLE clean_int (id int AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_int VALUES (), (), ();
CREATE TABLE clean_int_unsigned (id int unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_int_unsigned VALUES (), (), ();
CREATE TABLE clean_bigint (id bigint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_bigint VALUES (), (), ();
CREATE TABLE clean_bigint_unsigned (id bigint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_bigint_unsigned VALUES (), (), ();
CREATE TABLE clean_empty (id int AUTO_INCREMENT PRIMARY KEY);
CREATE TABLE clean_below_zero (id int AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_below_zero VALUES (-7);
CREATE TABLE clean_ahead (id int AUTO_INCREMENT PRIMARY KEY) AUTO_INCREMENT = 1000;
CREATE TABLE clean_emptied (id int AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_emptied VALUES (), ();
TRUNCATE TABLE clean_emptied;
CREATE TABLE clean_updated (id int AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_updated VALUES (), ();
UPDATE clean_updated SET id = 50 WHERE id = 1;
CREATE TABLE clean_zerofill (id int(8) unsigned zerofill AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_zerofill VALUES (DEFAULT), (7);
CREATE TABLE `Cl``ean "it's"` (`I'd ?` int AUTO_INCREMENT PRIMARY KEY);
INSERT INTO `Cl``ean "it's"` VALUES (), ();
CREATE TABLE clean_parts (id int AUTO_INCREMENT, day int, PRIMARY KEY (id, day)) PARTITION BY RANGE (day) (PARTITION early VALUES LESS THAN (10), PARTITION late VALUES LESS THAN (20));
INSERT INTO clean_parts (day) VALUES (1), (15);
CREATE TABLE clean_swapped (id int AUTO_INCREMENT, day int NOT NULL, PRIMARY KEY (id, day));
INSERT INTO clean_swapped VALUES (500, 5);
ALTER TABLE clean_parts EXCHANGE PARTITION early WITH TABLE clean_swapped;
CREATE TABLE clean_second (kind int, id int AUTO_INCREMENT, PRIMARY KEY (kind, id), KEY (id));
INSERT INTO clean_second (kind) VALUES (1), (1), (2);
CREATE TABLE clean_unique (code char(3) PRIMARY KEY, id int AUTO_INCREMENT UNIQUE);
INSERT INTO clean_unique (code) VALUES ('a'), ('b');
CREATE TABLE clean_half (id smallint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_half VALUES (16000);
CREATE TABLE clean_far (id bigint unsigned AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_far VALUES (9223372036854775810);
CREATE TABLE clean_time (id bigint AUTO_INCREMENT PRIMARY KEY);
INSERT INTO clean_time VALUES (6000000000000000000);
CREATE VIEW clean_view AS SELECT * FROM clean_int;
CREATE TABLE clean_plain (id bigint PRIMARY KEY);
INSERT INTO clean_plain VALUES (9223372036854775807);
CREATE TABLE clean_text (id varchar(40) PRIMARY KEY DEFAULT 'nextval(`x`.`y`)');
CREATE TABLE clean_old (id int PRIMARY KEY) ENGINE = MyISAM;
CREATE TABLE clean_child (id int AUTO_INCREMENT PRIMARY KEY, FOREIGN KEY (id) REFERENCES clean_int (id));
INSERT INTO clean_child VALUES (), ();
CREATE TABLE clean_hidden (id int INVISIBLE AUTO_INCREMENT PRIMARY KEY, v int);
INSERT INTO clean_hidden (v) VALUES (1), (2);
