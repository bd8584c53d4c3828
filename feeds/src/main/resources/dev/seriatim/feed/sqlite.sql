-- find
SELECT type FROM main.sqlite_master WHERE name = ? AND type IN ('table', 'view')
//
-- columns
SELECT name, type, "notnull", pk FROM pragma_table_info(?)
//
-- trigger
SELECT 1 FROM main.sqlite_master WHERE type = 'trigger' AND name = ? AND tbl_name = ? COLLATE NOCASE
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
{insert_feed}
//
-- creation
CREATE TABLE {positions} (position INTEGER PRIMARY KEY, {columns})
//
-- creation
CREATE TRIGGER {arrives} AFTER INSERT ON {table} BEGIN INSERT INTO {positions} (position, {key})
  SELECT coalesce(max(position), 0) + 1, {new_key} FROM {positions}; END
//
-- existing
INSERT INTO {positions} (position, {key}) SELECT row_number() OVER (ORDER BY {key}), {key} FROM {table}
//
-- mend
INSERT INTO {positions} (position, {key}) SELECT (SELECT coalesce(max(position), 0) FROM {positions}) + row_number() OVER (ORDER BY {key}), {key}
//
-- outbox
CREATE TABLE IF NOT EXISTS {outbox} (id INTEGER PRIMARY KEY AUTOINCREMENT, "key" TEXT, type TEXT NOT NULL, payload TEXT NOT NULL,
  at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP)
//
-- removal
DROP TRIGGER IF EXISTS {arrives}
