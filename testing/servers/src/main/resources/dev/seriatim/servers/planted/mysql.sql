-- SPDX-License-Identifier: Apache-2.0
-- Faults on MySQL only. $db is the database.

--- loses-commits $db.archived
CREATE TABLE archived (id int AUTO_INCREMENT PRIMARY KEY) ENGINE = ARCHIVE;

--- clean
CREATE TABLE clean_computed (id int AUTO_INCREMENT PRIMARY KEY, v int DEFAULT (1 + 1), twice int AS (v * 2));
CREATE TABLE hibernate_sequences (sequence_name varchar(255) PRIMARY KEY, next_val bigint);
INSERT INTO hibernate_sequences VALUES ('customer', 500);
CREATE TABLE clean_uuid (id varchar(36) PRIMARY KEY DEFAULT (uuid()));
