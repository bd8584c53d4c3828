-- find: no schema, whether it is an ordinary table, and nothing wrong with it
SELECT '', type = 'table', NULL FROM main.sqlite_master
WHERE {schema_text} IN ('', 'main') AND name = {table_text} AND type IN ('table', 'view')
//
-- columns: name, type, whether it cannot be null, place in the primary key, name to compare. A primary key may hold
-- null unless it is the rowid
SELECT name, type, "notnull" OR (pk > 0 AND upper(type) = 'INTEGER'), pk, lower(name) FROM pragma_table_info({table_text})
//
-- unique_key: an index that makes the key unique, or the rowid
SELECT 1 FROM pragma_index_list({table_text}) i WHERE i."unique" AND NOT i.partial AND NOT EXISTS (
  SELECT 1 FROM pragma_index_info(i.name) c
  WHERE c.name IS NULL OR instr(char(10) || {key_text} || char(10), char(10) || c.name || char(10)) = 0)
UNION ALL SELECT 1 FROM pragma_table_info({table_text}) c WHERE pk = 1 AND upper(type) = 'INTEGER'
  AND instr(char(10) || {key_text} || char(10), char(10) || c.name || char(10)) > 0
  AND NOT EXISTS (SELECT 1 FROM pragma_table_info({table_text}) WHERE pk = 2)
//
-- taken: something with the name of one of the feed's
SELECT name FROM main.sqlite_master WHERE name COLLATE NOCASE IN ({positions_text}, {view_text}, {arrives_text})
//
-- unarmed: the trigger, if it is missing
SELECT {arrives_text} || ' is missing' WHERE NOT EXISTS (
  SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND name = {arrives_text} AND tbl_name = {table_text} COLLATE NOCASE)
//
-- waits: a row has its position at once
SELECT 1 WHERE 0
//
-- waiting
SELECT 0
//
-- lock: the transaction is the only one that writes
SELECT 1
//
-- await_lock
SELECT 1
//
-- locked_place: entering the reader has locked the database
{place}
//
-- enter_reader
INSERT OR IGNORE INTO {readers} VALUES ({name_text}, ?, 0)
//
-- unentered
FROM {table} t WHERE ({t_key}) NOT IN (SELECT {key} FROM {positions})
//
-- mend
INSERT INTO {positions} (position, {key})
SELECT (SELECT coalesce(max(position), 0) FROM {positions}) + row_number() OVER (ORDER BY {key}), {key} {unentered}
//
-- renewed_view
DROP VIEW IF EXISTS {view}
//
-- renewed_view
{new_view}
//
-- shared
CREATE TABLE IF NOT EXISTS {feeds} (name TEXT PRIMARY KEY NOT NULL, source_schema TEXT NOT NULL, source_table TEXT NOT NULL,
  inbox TEXT NOT NULL, positions TEXT NOT NULL, view_name TEXT NOT NULL, key_columns TEXT NOT NULL, from_now INTEGER NOT NULL,
  ready INTEGER NOT NULL)
//
-- shared
CREATE TABLE IF NOT EXISTS {readers} (feed TEXT NOT NULL, reader TEXT NOT NULL, position INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (feed, reader))
//
-- creation
CREATE TABLE {positions} (position INTEGER PRIMARY KEY, {columns})
//
-- arm
CREATE TRIGGER {arrives} AFTER INSERT ON {table} BEGIN INSERT INTO {positions} (position, {key})
  SELECT coalesce(max(position), 0) + 1, {new_key} FROM {positions}; END
//
-- existing
INSERT INTO {positions} (position, {key}) SELECT row_number() OVER (ORDER BY {key}), {key} FROM {table}
//
-- outbox
CREATE TABLE IF NOT EXISTS {outbox} (id INTEGER PRIMARY KEY AUTOINCREMENT, "key" TEXT, type TEXT NOT NULL, payload TEXT NOT NULL,
  at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)
//
-- disarm
DROP TRIGGER IF EXISTS {arrives}
