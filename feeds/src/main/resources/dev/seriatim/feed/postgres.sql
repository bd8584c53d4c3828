-- find: the table's schema, whether it is an ordinary table, and what is wrong with it
SELECT n.nspname, c.relkind {=} 'r' OR c.relkind {=} 'p', CASE WHEN c.relpersistence {<>} 'p'
  THEN 'is temporary or unlogged and loses rows in a crash; ALTER TABLE ... SET LOGGED, or name another one'
  WHEN c.relkind {=} 'r' AND EXISTS (SELECT 1 FROM pg_catalog.pg_inherits i WHERE i.inhparent {=} c.oid)
  THEN 'has child tables whose rows would get no position; name the child, or use partitions' END
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid {=} c.relnamespace
WHERE c.oid {=} {to_regclass}({table_reference})
//
-- columns: name, type, whether it cannot be null, place in the primary key, name to compare
SELECT a.attname, {format_type}(a.atttypid, a.atttypmod), a.attnotnull,
  coalesce({array_position}(CAST(i.indkey AS pg_catalog.int2[]), a.attnum) {+} 1, 0), a.attname
FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_index i ON i.indrelid {=} a.attrelid AND i.indisprimary
WHERE a.attrelid {=} CAST({to_regclass}({table_reference}) AS pg_catalog.oid) AND NOT a.attisdropped AND a.attnum {>} 0
//
-- unique_key: an index that makes the key unique
SELECT 1 FROM pg_catalog.pg_index i WHERE i.indrelid {=} CAST({to_regclass}({table_reference}) AS pg_catalog.oid)
  AND i.indisunique AND i.indisvalid AND i.indpred IS NULL AND NOT EXISTS (
    SELECT 1 FROM {unnest}(CAST(i.indkey AS pg_catalog.int2[])) WITH ORDINALITY k (n, place)
    LEFT JOIN pg_catalog.pg_attribute a ON a.attrelid {=} i.indrelid AND a.attnum {=} k.n
      AND CAST(a.attname AS pg_catalog.text) {=} ANY ({string_to_array}({key_text}, CAST(E'\n' AS pg_catalog.text)))
    WHERE k.place {<=} i.indnkeyatts AND a.attnum IS NULL)
//
-- taken: a relation, function or trigger with the name of one of the feed's. For a sequence, PostgreSQL would choose another name
SELECT c.relname FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid {=} c.relnamespace
WHERE n.nspname {=} {schema_text} AND CAST(c.relname AS pg_catalog.text)
  {=} ANY (ARRAY[{inbox_text}, {sequence_text}, {positions_text}, {view_text}])
UNION ALL SELECT p.proname FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid {=} p.pronamespace
WHERE n.nspname {=} {schema_text} AND CAST(p.proname AS pg_catalog.text) {=} ANY (ARRAY[{arrives_text}, {keeps_text}]) AND p.pronargs {=} 0
UNION ALL SELECT t.tgname FROM pg_catalog.pg_trigger t WHERE t.tgrelid {=} CAST({to_regclass}({table_reference}) AS pg_catalog.oid)
  AND CAST(t.tgname AS pg_catalog.text) {=} ANY (ARRAY[{arrives_text}, {keeps_text}])
//
-- replaced_view
DROP VIEW {view}
//
-- replaced_view
{new_view}
//
-- begin
SET TRANSACTION ISOLATION LEVEL READ COMMITTED
//
-- arrival: no row if sessions keep values back, so that one who holds no lock may insert one
SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END, {concat}(s.tableoid, ' ', {date_part}('epoch', {pg_postmaster_start_time}()))
FROM {sequence} s JOIN pg_catalog.pg_sequence c ON c.seqrelid {=} s.tableoid WHERE c.seqcache {=} 1
//
-- write_locks: who holds a write lock on the inbox
SELECT l.virtualtransaction FROM pg_catalog.pg_locks l WHERE {on_relation} AND {on_inbox}
//
-- on_relation
l.locktype {=} 'relation' AND l.granted
  AND l.database {=} (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname {=} {current_database}())
//
-- writes
l.mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
//
-- on_inbox
l.relation {=} CAST({to_regclass}({inbox_reference}) AS pg_catalog.oid) AND {writes}
//
-- sessions: users see only what their own sessions do
SELECT DISTINCT {concat}('session ', a.pid, ' (', coalesce(a.state, 'not visible'),
  CASE WHEN {seconds} {>} 0 THEN {concat}(', in a transaction for ', {seconds}, ' s') END, ')')
FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a ON a.pid {=} l.pid WHERE {on_relation} AND l.pid {<>} {pg_backend_pid}()
//
-- seconds
CAST({date_part}('epoch', {clock_timestamp}() {-} a.xact_start) AS pg_catalog.int8)
//
-- holders: sessions that write to the inbox, or have locked the row of a feed
{sessions} AND (({on_inbox}) OR (l.relation {=} CAST({to_regclass}({feeds_reference}) AS pg_catalog.oid) AND l.mode {=} 'RowShareLock'))
//
-- writers: sessions that write to the table
{sessions} AND l.relation {=} CAST({to_regclass}({table_reference}) AS pg_catalog.oid) AND {writes}
//
-- unarmed: a trigger that is missing or disabled, also on a partition
SELECT {concat}(n.name, CASE WHEN t.tgenabled IS NULL THEN ' is missing' ELSE ' is disabled' END)
FROM {unnest}(ARRAY[{arrives_text}, {keeps_text}]) n (name) LEFT JOIN pg_catalog.pg_trigger t
  ON t.tgrelid {=} CAST({to_regclass}({table_reference}) AS pg_catalog.oid) AND CAST(t.tgname AS pg_catalog.text) {=} n.name
WHERE t.tgenabled IS NULL OR t.tgenabled {=} 'D' OR t.tgenabled {=} 'R'
UNION ALL SELECT {concat}(t.tgname, ' is disabled on ', c.relname)
FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid {=} t.tgrelid
WHERE t.tgfoid {=} CAST({to_regprocedure}({concat}({arrives_function_reference}, '()')) AS pg_catalog.oid)
  AND t.tgrelid {<>} CAST({to_regclass}({table_reference}) AS pg_catalog.oid) AND (t.tgenabled {=} 'D' OR t.tgenabled {=} 'R')
//
-- cache: of a sequence that keeps values back
SELECT seqcache FROM pg_catalog.pg_sequence WHERE seqrelid {=} CAST({to_regclass}({sequence_reference}) AS pg_catalog.oid) AND seqcache {<>} 1
//
-- unentered
FROM {table} t WHERE NOT EXISTS (SELECT 1 FROM {positions} p WHERE {same_key}) AND NOT EXISTS (SELECT 1 FROM {inbox} p WHERE {same_key})
//
-- gone
FROM {positions} p WHERE NOT EXISTS (SELECT 1 FROM {table} t WHERE {same_key})
//
-- enter_reader
INSERT INTO {readers} VALUES ({name_text}, ?, 0) ON CONFLICT DO NOTHING
//
-- move: rows are found by their place in the table. Found by their arrival, the plan would depend on statistics: if the inbox was
-- last analysed when it was empty, a pass took 25 s
WITH taken AS (
  DELETE FROM {inbox} WHERE ctid {=} ANY (ARRAY(SELECT ctid FROM {inbox} WHERE arrival {>} {floor} ORDER BY arrival LIMIT {limit}))
  RETURNING arrival, {key}
), last AS (SELECT coalesce({max}(position), 0) AS position FROM {positions})
INSERT INTO {positions} (position, {key})
SELECT last.position {+} {row_number}() OVER (ORDER BY taken.arrival), {taken_key} FROM taken, last
//
-- shared
CREATE TABLE IF NOT EXISTS {feeds} (name {name_type} PRIMARY KEY, source_schema text NOT NULL, source_table text NOT NULL,
  inbox text NOT NULL, positions text NOT NULL, view_name text NOT NULL, key_columns text NOT NULL, from_now integer NOT NULL,
  ready integer NOT NULL, created_at timestamptz NOT NULL DEFAULT {now}())
//
-- shared
CREATE TABLE IF NOT EXISTS {readers} (feed {name_type} NOT NULL, reader {name_type} NOT NULL, position bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (feed, reader))
//
-- brief: who waits for a reader of a table or view holds up all others
SET LOCAL lock_timeout = '2s'
//
-- lock_table
{brief}
//
-- lock_table
LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE
//
-- creation
CREATE TABLE {inbox} (arrival bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY, {columns})
//
-- creation
CREATE TABLE {positions} (position bigint PRIMARY KEY, {columns})
//
-- arm: writers need no rights on the inbox, since the function has its owner's. The search path protects code that others attach
-- to the inbox, such as a domain's check
CREATE FUNCTION {arrives_function}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
$seriatim$ BEGIN INSERT INTO {inbox} ({key}) VALUES ({new_key}); RETURN NULL; END $seriatim$
//
-- arm
REVOKE ALL ON FUNCTION {arrives_function}() FROM PUBLIC
//
-- arm
CREATE CONSTRAINT TRIGGER {arrives} AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION {arrives_function}()
//
-- arm
CREATE FUNCTION {keeps_function}() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS
$seriatim$ BEGIN RAISE EXCEPTION 'table % has a feed, whose positions would name rows that are gone; drop the feed first, or delete the rows',
  TG_TABLE_NAME USING ERRCODE = 'object_not_in_prerequisite_state'; END $seriatim$
//
-- arm
CREATE TRIGGER {keeps} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {keeps_function}()
//
-- outbox
CREATE TABLE IF NOT EXISTS {outbox} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "key" text, type text NOT NULL,
  payload text NOT NULL, at timestamptz NOT NULL DEFAULT {now}())
//
-- disarm
{brief}
//
-- disarm: the functions take their triggers with them, also if the table has another name now
DROP FUNCTION IF EXISTS {arrives_function}() CASCADE
//
-- disarm
DROP FUNCTION IF EXISTS {keeps_function}() CASCADE
//
-- grant
GRANT SELECT, UPDATE (created_at) ON {feeds} TO {user}
//
-- grant
GRANT SELECT, INSERT, UPDATE, DELETE ON {readers} TO {user}
//
-- grant
GRANT SELECT, DELETE ON {inbox} TO {user}
//
-- grant
GRANT SELECT ON SEQUENCE {sequence} TO {user}
//
-- grant
GRANT SELECT, INSERT, DELETE ON {positions} TO {user}
//
-- grant
GRANT SELECT ON {table}, {view} TO {user}
//
-- function
CREATE OR REPLACE FUNCTION {prefix}feed_stamp(feed text) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $seriatim$
DECLARE f {feeds}%ROWTYPE; k text; kept text; moved bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'feed_stamp needs READ COMMITTED, not %', current_setting('transaction_isolation')
      USING ERRCODE = 'invalid_transaction_state';
  END IF;
  -- A crash would take back positions that others have seen.
  IF current_setting('synchronous_commit') = 'off' THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
  SELECT * INTO f FROM {feeds} s WHERE s.name = feed FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    PERFORM 1 FROM {feeds} s WHERE s.name = feed;
    IF FOUND THEN RETURN 0; END IF;
    RAISE EXCEPTION 'feed % not found; create it with: seriatim feed create', feed USING ERRCODE = 'no_data_found';
  END IF;
  SELECT string_agg(format('%I', c), ', ' ORDER BY n), string_agg(format('taken.%I', c), ', ' ORDER BY n)
    INTO k, kept FROM unnest(string_to_array(f.key_columns, E'\n')) WITH ORDINALITY AS u(c, n);
  EXECUTE format('WITH taken AS (DELETE FROM %1$I.%2$I WHERE ctid = ANY (ARRAY(SELECT ctid FROM %1$I.%2$I'
    || ' ORDER BY arrival LIMIT 5000)) RETURNING arrival, %4$s), last AS (SELECT coalesce(max(position), 0) AS'
    || ' position FROM %1$I.%3$I) INSERT INTO %1$I.%3$I (position, %4$s) SELECT last.position + row_number()'
    || ' OVER (ORDER BY taken.arrival), %5$s FROM taken, last', f.source_schema, f.inbox, f.positions, k, kept);
  GET DIAGNOSTICS moved = ROW_COUNT;
  RETURN moved;
END $seriatim$
//
-- function
CREATE OR REPLACE FUNCTION {prefix}feed_last(feed text) RETURNS bigint LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $seriatim$
DECLARE f {feeds}%ROWTYPE; last bigint;
BEGIN
  SELECT * INTO f FROM {feeds} s WHERE s.name = feed;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'feed % not found; create it with: seriatim feed create', feed USING ERRCODE = 'no_data_found';
  END IF;
  EXECUTE format('SELECT coalesce(max(position), 0) FROM %I.%I', f.source_schema, f.positions) INTO last;
  RETURN last;
END $seriatim$
//
-- function
CREATE OR REPLACE FUNCTION {prefix}feed_advance(feed text, reader text, "position" bigint) RETURNS bigint LANGUAGE plpgsql
SET search_path = pg_catalog, pg_temp AS $seriatim$
BEGIN
  IF $3 > {prefix}feed_last($1) THEN
    RAISE EXCEPTION 'feed % ends before %; advance reader % no further than feed_last', $1, $3, $2
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  INSERT INTO {readers} VALUES ($1, $2, 0) ON CONFLICT DO NOTHING;
  UPDATE {readers} r SET position = $3 WHERE r.feed = $1 AND r.reader = $2 AND r.position <= $3;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'reader % of feed % stands beyond %; rewind it with: seriatim feed reader', $2, $1, $3
      USING ERRCODE = 'object_not_in_prerequisite_state';
  END IF;
  RETURN $3;
END $seriatim$
