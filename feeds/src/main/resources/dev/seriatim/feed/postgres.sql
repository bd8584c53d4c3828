-- find: the table's schema, kind, persistence and identifier, and whether it has a column position
SELECT n.nspname, c.relkind, c.relpersistence, c.oid,
  EXISTS (SELECT 1 FROM pg_catalog.pg_attribute a WHERE a.attrelid {=} c.oid AND a.attname {=} 'position' AND NOT a.attisdropped)
FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid {=} c.relnamespace
WHERE c.oid {=} {to_regclass}(?)
//
-- key: the columns that are named, or else those of the primary key
SELECT a.attname, {format_type}(a.atttypid, a.atttypmod), a.attnotnull
FROM pg_catalog.pg_attribute a LEFT JOIN pg_catalog.pg_index i ON i.indrelid {=} a.attrelid AND i.indisprimary
WHERE a.attrelid {=} CAST(? AS pg_catalog.oid) AND NOT a.attisdropped AND a.attnum {>} 0
  AND CASE WHEN {cardinality}(CAST(? AS pg_catalog.text[])) {=} 0 THEN a.attnum {=} ANY (CAST(i.indkey AS pg_catalog.int2[]))
    ELSE CAST(a.attname AS pg_catalog.text) {=} ANY (CAST(? AS pg_catalog.text[])) END
ORDER BY {array_position}(CAST(? AS pg_catalog.text[]), CAST(a.attname AS pg_catalog.text)),
  {array_position}(CAST(i.indkey AS pg_catalog.int2[]), a.attnum)
//
-- arrival: no row if sessions keep values back, so that one who holds no lock may insert one
SELECT CASE WHEN s.is_called THEN s.last_value ELSE 0 END, {concat}(s.tableoid, ' ', {date_part}('epoch', {pg_postmaster_start_time}()))
FROM {sequence} s JOIN pg_catalog.pg_sequence c ON c.seqrelid {=} s.tableoid WHERE c.seqcache {=} 1
//
-- holders: who holds a write lock on a table
SELECT l.virtualtransaction FROM pg_catalog.pg_locks l
WHERE l.locktype {=} 'relation' AND l.granted AND l.relation {=} CAST({to_regclass}(?) AS pg_catalog.oid)
  AND l.database {=} (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname {=} {current_database}())
  AND l.mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
//
-- sessions: what those do who hold such a lock, or the row of a feed; users see only what their own sessions do
SELECT DISTINCT a.pid, coalesce(a.state, 'not visible'),
  CAST({date_part}('epoch', {clock_timestamp}() {-} a.xact_start) AS pg_catalog.int8)
FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a ON a.pid {=} l.pid
WHERE l.locktype {=} 'relation' AND l.granted AND l.pid {<>} {pg_backend_pid}()
  AND l.database {=} (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname {=} {current_database}())
  AND ((l.relation {=} CAST({to_regclass}(?) AS pg_catalog.oid)
      AND l.mode IN ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))
    OR (l.relation {=} CAST({to_regclass}(?) AS pg_catalog.oid) AND l.mode {=} 'RowShareLock'))
//
-- trigger
SELECT tgenabled FROM pg_catalog.pg_trigger
WHERE tgrelid {=} CAST({to_regclass}(?) AS pg_catalog.oid) AND CAST(tgname AS pg_catalog.text) {=} ?
//
-- cache
SELECT seqcache FROM pg_catalog.pg_sequence WHERE seqrelid {=} CAST({to_regclass}(?) AS pg_catalog.oid)
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
-- creation
SET LOCAL lock_timeout = '2s'
//
-- creation
LOCK TABLE {table} IN SHARE ROW EXCLUSIVE MODE
//
-- creation
{insert_feed}
//
-- creation
CREATE TABLE {inbox} (arrival bigint GENERATED ALWAYS AS IDENTITY (CACHE 1) PRIMARY KEY, {columns})
//
-- creation
CREATE TABLE {positions} (position bigint PRIMARY KEY, {columns})
//
-- creation: writers need no rights on the inbox, since the function has its owner's
CREATE FUNCTION {arrives_function}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS
$seriatim$ BEGIN INSERT INTO {inbox} ({key}) VALUES ({new_key}); RETURN NULL; END $seriatim$
//
-- creation
REVOKE ALL ON FUNCTION {arrives_function}() FROM PUBLIC
//
-- creation
CREATE CONSTRAINT TRIGGER {arrives} AFTER INSERT ON {table} DEFERRABLE INITIALLY DEFERRED
FOR EACH ROW EXECUTE FUNCTION {arrives_function}()
//
-- creation
CREATE FUNCTION {keeps_function}() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS
$seriatim$ BEGIN RAISE EXCEPTION 'table % has a feed, whose positions would name rows that are gone; drop the feed first, or delete the rows',
  TG_TABLE_NAME USING ERRCODE = 'object_not_in_prerequisite_state'; END $seriatim$
//
-- creation
CREATE TRIGGER {keeps} BEFORE TRUNCATE ON {table} FOR EACH STATEMENT EXECUTE FUNCTION {keeps_function}()
//
-- existing
INSERT INTO {inbox} ({key}) SELECT {key} FROM {table} ORDER BY {key}
//
-- outbox
CREATE TABLE IF NOT EXISTS {outbox} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, "key" text, type text NOT NULL,
  payload text NOT NULL, at timestamptz NOT NULL DEFAULT {now}())
//
-- removal: the functions take their triggers with them, also if the table has another name now
DROP FUNCTION IF EXISTS {arrives_function}() CASCADE
//
-- removal
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
