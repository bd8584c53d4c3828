-- list: the feeds that are ready
SELECT name, source_schema, source_table, inbox, positions, view_name, key_columns, from_now FROM {feeds} WHERE ready {=} 1 ORDER BY name
//
-- namesake: a feed with the same tables
SELECT name FROM {feeds} WHERE source_schema {=} {schema_text} AND positions {=} {positions_text}
//
-- insert_feed
INSERT INTO {feeds} (name, source_schema, source_table, inbox, positions, view_name, key_columns, from_now, ready)
VALUES ({name_text}, {schema_text}, {table_text}, {inbox_text}, {positions_text}, {view_text}, {key_text}, {from_now}, {is_ready})
//
-- is_ready
1
//
-- existing
INSERT INTO {inbox} ({key}) SELECT {key} FROM {table} ORDER BY {key}
//
-- new_view
CREATE VIEW {view} AS {view_query}
//
-- renewed_view
CREATE OR REPLACE VIEW {view} AS {view_query}
//
-- view_query
SELECT p.position AS {view_position}, t.* FROM {positions} p JOIN {table} t ON {same_key}
//
-- removal
DROP VIEW IF EXISTS {view}
//
-- removal
DROP TABLE IF EXISTS {inbox}
//
-- removal
DROP TABLE IF EXISTS {positions}
//
-- removal
DELETE FROM {readers} WHERE feed {=} {name_text}
//
-- removal
DELETE FROM {feeds} WHERE name {=} {name_text}
//
-- waits: whether rows above the floor wait for a position
SELECT 1 FROM {inbox} WHERE arrival {>} {floor} ORDER BY arrival LIMIT 1
//
-- waiting
SELECT {count}(*) FROM {inbox}
//
-- lock: no row if another session has it
SELECT 1 FROM {feeds} WHERE name {=} {name_text} FOR UPDATE SKIP LOCKED
//
-- await_lock
SELECT 1 FROM {feeds} WHERE name {=} {name_text} FOR UPDATE
//
-- last
SELECT position FROM {positions} ORDER BY position DESC LIMIT 1
//
-- first
SELECT {min}(position) FROM {positions}
//
-- entries
SELECT p.position, {p_key} FROM {positions} p WHERE p.position {>} {after} ORDER BY p.position LIMIT {limit}
//
-- rows: the first column of the row's key shows whether the row is there
SELECT p.position, {p_key}, t.{first_key}, {columns} FROM {positions} p LEFT JOIN {table} t ON {same_key}
WHERE p.position {>} {after} ORDER BY p.position LIMIT {limit}
//
-- places
SELECT reader, position FROM {readers} WHERE feed {=} {name_text} ORDER BY reader
//
-- place
SELECT position FROM {readers} WHERE feed {=} {name_text} AND reader {=} ?
//
-- locked_place: no row if another session has it
{place} FOR UPDATE SKIP LOCKED
//
-- move_reader
UPDATE {readers} SET position = {position} WHERE feed {=} {name_text} AND reader {=} ?
//
-- forget_reader
DELETE FROM {readers} WHERE feed {=} {name_text} AND reader {=} ?
//
-- trim_messages
DELETE FROM {table} WHERE id IN (SELECT id FROM {positions} WHERE position {<=} {through})
//
-- trim
DELETE FROM {positions} WHERE position {<=} {through}
//
-- check
SELECT (SELECT {count}(*) {unentered}), (SELECT {count}(*) {gone}),
  (SELECT {count}(*) FROM {positions}) {-} (SELECT {count}(*) FROM (SELECT DISTINCT {key} FROM {positions}) k),
  (SELECT coalesce({max}(position) {-} {min}(position) {+} 1 {-} {count}(*), 0) FROM {positions}),
  (SELECT coalesce({min}(position), 1) {-} 1 FROM {positions})
//
-- unentered: the table's rows without an entry
FROM {table} t WHERE ({t_key}) NOT IN (SELECT {key} FROM {positions}) AND ({t_key}) NOT IN (SELECT {key} FROM {inbox})
//
-- gone: entries without a row
FROM {positions} p WHERE ({p_key}) NOT IN (SELECT {key} FROM {table})
//
-- mend
INSERT INTO {inbox} ({key}) SELECT {key} {unentered} ORDER BY {key}
