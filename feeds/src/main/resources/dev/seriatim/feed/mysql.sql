-- find: the table's schema, whether it is an ordinary table, and what is wrong with it
SELECT TABLE_SCHEMA, TABLE_TYPE = 'BASE TABLE', CASE WHEN ENGINE <> 'InnoDB'
  THEN CONCAT('is ', ENGINE, ', which has no transactions; ALTER TABLE ... ENGINE = InnoDB') END
FROM information_schema.TABLES WHERE TABLE_SCHEMA = COALESCE(NULLIF({schema_text}, ''), DATABASE()) AND TABLE_NAME = {table_text}
//
-- columns: name, type, whether it cannot be null, place in the primary key, name to compare
SELECT c.COLUMN_NAME, CONCAT(c.COLUMN_TYPE, COALESCE(CONCAT(' CHARACTER SET ', c.CHARACTER_SET_NAME, ' COLLATE ', c.COLLATION_NAME), '')),
  c.IS_NULLABLE = 'NO', COALESCE(k.ORDINAL_POSITION, 0), LOWER(c.COLUMN_NAME)
FROM information_schema.COLUMNS c LEFT JOIN information_schema.KEY_COLUMN_USAGE k
ON k.TABLE_SCHEMA = c.TABLE_SCHEMA AND k.TABLE_NAME = c.TABLE_NAME AND k.COLUMN_NAME = c.COLUMN_NAME AND k.CONSTRAINT_NAME = 'PRIMARY'
WHERE c.TABLE_SCHEMA = {schema_text} AND c.TABLE_NAME = {table_text}
//
-- unique_key: an index that makes the key unique
SELECT 1 FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = {schema_text} AND TABLE_NAME = {table_text} AND NON_UNIQUE = 0
GROUP BY INDEX_NAME HAVING SUM(COALESCE(SUB_PART IS NOT NULL OR INSTR(CONCAT(CHAR(10), {key_text}, CHAR(10)), CONCAT(CHAR(10), COLUMN_NAME, CHAR(10))) = 0, 1)) = 0
//
-- taken: a table or trigger with the name of one of the feed's
SELECT TABLE_NAME FROM information_schema.TABLES
WHERE TABLE_SCHEMA = {schema_text} AND TABLE_NAME IN ({inbox_text}, {positions_text}, {view_text})
UNION ALL SELECT TRIGGER_NAME FROM information_schema.TRIGGERS WHERE TRIGGER_SCHEMA = {schema_text} AND TRIGGER_NAME = {arrives_text}
//
-- server: two rows if the binary log records statements
SHOW VARIABLES WHERE (Variable_name = 'log_bin' AND Value = 'ON') OR (Variable_name = 'binlog_format' AND Value = 'STATEMENT')
//
-- begin: queries of an INSERT ... SELECT then see committed rows alone, and wait for no writer
SET TRANSACTION ISOLATION LEVEL READ COMMITTED
//
-- unarmed: the trigger, if it is missing
SELECT CONCAT({arrives_text}, ' is missing') FROM DUAL WHERE NOT EXISTS (SELECT 1 FROM information_schema.TRIGGERS
  WHERE TRIGGER_SCHEMA = {schema_text} AND TRIGGER_NAME = {arrives_text} AND EVENT_OBJECT_TABLE = {table_text})
//
-- enter_reader
INSERT IGNORE INTO {readers} VALUES ({name_text}, ?, 0)
//
-- sessions
SELECT CONCAT('session ', trx_mysql_thread_id, ' (in a transaction for ', TIMESTAMPDIFF(SECOND, trx_started, NOW()), ' s)')
FROM information_schema.INNODB_TRX JOIN information_schema.PROCESSLIST p ON p.ID = trx_mysql_thread_id
WHERE p.DB = DATABASE() AND p.ID <> CONNECTION_ID() ORDER BY trx_started LIMIT 3
//
-- unready
SELECT 1 FROM {feeds} WHERE name = {name_text} AND ready = 0
//
-- insert
INSERT INTO {positions} (position, arrival, {key}) SELECT {last} + ROW_NUMBER() OVER (ORDER BY arrival), arrival, {key}
FROM (SELECT arrival, {key} FROM {inbox} ORDER BY arrival LIMIT {limit}) x
//
-- delete: the rows are looked up by their arrival, so that the statement meets no uncommitted one
DELETE i FROM {positions} p STRAIGHT_JOIN {inbox} i ON i.arrival = p.arrival WHERE p.position > {last}
//
-- shared
CREATE TABLE IF NOT EXISTS {feeds} (name {name_type} NOT NULL PRIMARY KEY, source_schema VARCHAR(64) NOT NULL,
  source_table VARCHAR(64) NOT NULL, inbox VARCHAR(64) NOT NULL, positions VARCHAR(64) NOT NULL, view_name VARCHAR(64) NOT NULL,
  key_columns VARCHAR(1000) NOT NULL, from_now INT NOT NULL, ready INT NOT NULL) ENGINE = InnoDB
//
-- shared
CREATE TABLE IF NOT EXISTS {readers} (feed {name_type} NOT NULL, reader {name_type} NOT NULL, position BIGINT NOT NULL DEFAULT 0,
  PRIMARY KEY (feed, reader)) ENGINE = InnoDB
//
-- creation
CREATE TABLE {inbox} (arrival BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, {columns}) ENGINE = InnoDB
//
-- creation
CREATE TABLE {positions} (position BIGINT NOT NULL PRIMARY KEY, arrival BIGINT NOT NULL, {columns}) ENGINE = InnoDB
//
-- lock_table
SET SESSION lock_wait_timeout = 2
//
-- lock_table
LOCK TABLES {table} WRITE, {inbox} WRITE
//
-- arm
CREATE TRIGGER {arrives_function} AFTER INSERT ON {table} FOR EACH ROW INSERT INTO {inbox} ({key}) VALUES ({new_key})
//
-- unlock
UNLOCK TABLES
//
-- unlock
SET SESSION lock_wait_timeout = DEFAULT
//
-- is_ready: not before all steps are done, since each commits
0
//
-- ready
UPDATE {feeds} SET ready = 1 WHERE name = {name_text}
//
-- trim_messages: a subquery would run for each message
DELETE t FROM {positions} p STRAIGHT_JOIN {table} t ON t.id = p.id WHERE p.position <= {through}
//
-- outbox
CREATE TABLE IF NOT EXISTS {outbox} (id BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY, `key` VARCHAR(255), type VARCHAR(255) NOT NULL,
  payload LONGTEXT NOT NULL, at TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6)) CHARACTER SET utf8mb4 ENGINE = InnoDB
//
-- disarm
DROP TRIGGER IF EXISTS {arrives_function}
//
-- grant
GRANT SELECT, UPDATE ON {feeds} TO {user}
//
-- grant
GRANT SELECT, INSERT, UPDATE, DELETE ON {readers} TO {user}
//
-- grant
GRANT SELECT, DELETE ON {inbox} TO {user}
//
-- grant
GRANT SELECT, INSERT, DELETE ON {positions} TO {user}
//
-- grant
GRANT SELECT ON {view} TO {user}
//
-- grant
GRANT SELECT ON {table} TO {user}
//
-- function
DROP PROCEDURE IF EXISTS {prefix}feed_stamp
//
-- function: a procedure, since no function may run a statement that it composes. Error 1568: a transaction is open
CREATE PROCEDURE {prefix}feed_stamp(IN feed_name VARCHAR(64)) SQL SECURITY INVOKER
BEGIN
  DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN ROLLBACK; RESIGNAL; END;
  DECLARE EXIT HANDLER FOR 1568
    SIGNAL SQLSTATE '25001' SET MESSAGE_TEXT = 'feed_stamp commits; end the open transaction first';
  SET TRANSACTION ISOLATION LEVEL READ COMMITTED;
  START TRANSACTION;
  {feed_row} FOR UPDATE SKIP LOCKED;
  IF @seriatim_i IS NULL THEN
    {feed_row};
    SET @seriatim_n = IF(@seriatim_i IS NULL, -1, 0);
  ELSE
    SET @seriatim_s = CONCAT('SELECT COALESCE(MAX(position), 0) INTO @seriatim_l FROM ', @seriatim_p);
    PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x;
    SET @seriatim_s = CONCAT('INSERT INTO ', @seriatim_p, ' (position, arrival, ', @seriatim_k,
      ') SELECT @seriatim_l + ROW_NUMBER() OVER (ORDER BY arrival), arrival, ', @seriatim_k, ' FROM (SELECT arrival, ',
      @seriatim_k, ' FROM ', @seriatim_i, ' ORDER BY arrival LIMIT 5000) x');
    PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x; SET @seriatim_n = ROW_COUNT();
    SET @seriatim_s = CONCAT('DELETE i FROM ', @seriatim_p, ' p STRAIGHT_JOIN ', @seriatim_i,
      ' i ON i.arrival = p.arrival WHERE p.position > @seriatim_l');
    PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x;
    IF ROW_COUNT() <> @seriatim_n THEN
      SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the inbox was changed by others; run seriatim feed check';
    END IF;
    DEALLOCATE PREPARE seriatim_x;
  END IF;
  COMMIT;
  IF @seriatim_n < 0 THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'feed not found; create it with: seriatim feed create';
  END IF;
  SELECT @seriatim_n AS stamped;
END
//
-- function
DROP PROCEDURE IF EXISTS {prefix}feed_last
//
-- function
CREATE PROCEDURE {prefix}feed_last(IN feed_name VARCHAR(64)) SQL SECURITY INVOKER
BEGIN
  {feed_row};
  IF @seriatim_p IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'feed not found; create it with: seriatim feed create';
  END IF;
  SET @seriatim_s = CONCAT('SELECT COALESCE(MAX(position), 0) AS last FROM ', @seriatim_p);
  PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x; DEALLOCATE PREPARE seriatim_x;
END
//
-- function
DROP PROCEDURE IF EXISTS {prefix}feed_advance
//
-- function
CREATE PROCEDURE {prefix}feed_advance(IN feed_name VARCHAR(64), IN reader_name VARCHAR(64), IN new_position BIGINT) SQL SECURITY INVOKER
BEGIN
  {feed_row};
  IF @seriatim_p IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'feed not found; create it with: seriatim feed create';
  END IF;
  SET @seriatim_s = CONCAT('SELECT COALESCE(MAX(position), 0) INTO @seriatim_l FROM ', @seriatim_p);
  PREPARE seriatim_x FROM @seriatim_s; EXECUTE seriatim_x; DEALLOCATE PREPARE seriatim_x;
  IF new_position > @seriatim_l THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the feed ends before that position; advance no further than feed_last';
  END IF;
  INSERT IGNORE INTO {readers} VALUES (feed_name, reader_name, 0);
  SELECT position INTO @seriatim_l FROM {readers} WHERE feed = feed_name AND reader = reader_name FOR UPDATE;
  IF @seriatim_l > new_position THEN
    SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'the reader stands beyond; rewind it with: seriatim feed reader';
  END IF;
  UPDATE {readers} SET position = new_position WHERE feed = feed_name AND reader = reader_name;
END
//
-- feed_row: the tables of a feed, quoted, in variables; null if it is missing
SET @seriatim_i = NULL, @seriatim_p = NULL;
  SELECT CONCAT('`', REPLACE(source_schema, '`', '``'), '`.`', REPLACE(inbox, '`', '``'), '`'),
    CONCAT('`', REPLACE(source_schema, '`', '``'), '`.`', REPLACE(positions, '`', '``'), '`'),
    CONCAT('`', REPLACE(REPLACE(key_columns, '`', '``'), CHAR(10 USING utf8mb4), '`, `'), '`')
    INTO @seriatim_i, @seriatim_p, @seriatim_k FROM {feeds} WHERE name = feed_name AND ready = 1
