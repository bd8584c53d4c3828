CREATE OR REPLACE FUNCTION `next_val`(p_name {name_type}) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: draws the next value, inside the transaction of the caller'
BEGIN
  DECLARE v_next, v_increment, v_min, v_max, v_cycle, v_used_up, v_epoch BIGINT;
  DECLARE v_after DECIMAL(20);
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  -- One statement, while a value is left behind the one that is drawn. In decimals, which do not overflow.
  {newest}UPDATE `{table}`{key}
  SET `next_value` = CAST(LAST_INSERT_ID(`next_value`) AS SIGNED) + `increment_by`
  WHERE `name` = p_name AND `used_up` = 0 AND `increment_by` <> 0
    AND `next_value` BETWEEN `min_value` AND `max_value`
    AND CAST(`next_value` AS DECIMAL(20)) + `increment_by` BETWEEN `min_value` AND `max_value`;
  IF ROW_COUNT() = 1 THEN
    RETURN CAST(LAST_INSERT_ID() AS SIGNED);
  END IF;

  {newest}SELECT `next_value`, `increment_by`, `min_value`, `max_value`, `cycle`, `used_up`, `epoch`
  INTO v_next, v_increment, v_min, v_max, v_cycle, v_used_up, v_epoch
  FROM `{table}`{key} WHERE `name` = p_name FOR UPDATE;
  IF p_name IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'next_val: the name of a sequence must not be NULL';
  ELSEIF v_next IS NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}; create it with create_sequence'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  ELSEIF v_increment = 0 OR v_next NOT BETWEEN v_min AND v_max THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''': its row in table {table} contradicts itself; correct it'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = v_problem;
  ELSEIF v_used_up <> 0 AND v_cycle = 0 THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' is used up at ', v_next, '; widen its bounds, let it cycle or restart it'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31002, MESSAGE_TEXT = v_problem;
  END IF;

  IF v_used_up <> 0 THEN
    SET v_next = IF(v_increment > 0, v_min, v_max), v_epoch = v_epoch + 1;
  END IF;
  SET v_after = CAST(v_next AS DECIMAL(20)) + v_increment;
  SET v_used_up = v_after NOT BETWEEN v_min AND v_max;
  {newest}UPDATE `{table}`{key}
  SET `next_value` = IF(v_used_up, v_next, v_after), `used_up` = v_used_up, `epoch` = v_epoch
  WHERE `name` = p_name;
  RETURN v_next;
END
//
CREATE OR REPLACE FUNCTION `last_val`(p_name {name_type}) RETURNS BIGINT
NOT DETERMINISTIC READS SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: the value one step before the next one, whoever drew it; NULL when none was drawn'
BEGIN
  DECLARE v_next, v_start, v_increment, v_min, v_max, v_used_up BIGINT;
  DECLARE v_last DECIMAL(20);
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  SELECT `next_value`, `start_with`, `increment_by`, `min_value`, `max_value`, `used_up`
  INTO v_next, v_start, v_increment, v_min, v_max, v_used_up
  FROM `{table}`{key} WHERE `name` = p_name;
  IF p_name IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'last_val: the name of a sequence must not be NULL';
  ELSEIF v_next IS NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}; create it with create_sequence'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  END IF;

  SET v_last = IF(v_used_up <> 0, v_next, CAST(v_next AS DECIMAL(20)) - v_increment);
  IF v_used_up = 0 AND v_next = v_start OR v_last NOT BETWEEN v_min AND v_max THEN
    RETURN NULL;
  END IF;
  RETURN v_last;
END
//
CREATE OR REPLACE FUNCTION `set_val`(p_name {name_type}, p_value BIGINT) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: makes a value the one drawn last, so that the next one is a step behind it'
BEGIN
  DECLARE v_increment, v_min, v_max BIGINT;
  DECLARE v_next DECIMAL(20);
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  {newest}SELECT `increment_by`, `min_value`, `max_value` INTO v_increment, v_min, v_max
  FROM `{table}`{key} WHERE `name` = p_name FOR UPDATE;
  SET v_next = CAST(p_value AS DECIMAL(20)) + v_increment;
  IF p_name IS NULL OR p_value IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'set_val: the name and the value must not be NULL';
  ELSEIF v_next IS NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}; create it with create_sequence'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  ELSEIF v_next BETWEEN v_min AND v_max THEN
    {newest}UPDATE `{table}`{key} SET `next_value` = v_next, `used_up` = 0, `epoch` = `epoch` + 1 WHERE `name` = p_name;
  ELSEIF p_value BETWEEN v_min AND v_max THEN
    {newest}UPDATE `{table}`{key} SET `next_value` = p_value, `used_up` = 1, `epoch` = `epoch` + 1 WHERE `name` = p_name;
  ELSE
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''': ', p_value, ' is outside its bounds ', v_min, ' to ', v_max), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = v_problem;
  END IF;
  RETURN p_value;
END
//
CREATE OR REPLACE FUNCTION `create_sequence_full`(
  p_name {name_type},
  p_start BIGINT, p_increment BIGINT, p_min BIGINT, p_max BIGINT, p_cycle BIGINT, p_cache BIGINT) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: creates a sequence (name, start, increment, min, max, cycle, cache; NULL is the default); returns its first value'
BEGIN
{create_body}
END
//
CREATE OR REPLACE FUNCTION `create_sequence`(p_name {name_type}, p_start BIGINT, p_increment BIGINT) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: creates a sequence (name, start, increment; NULL is the default); returns its first value'
BEGIN
  -- The same once more, and no call: another user may be able to put a function of their own in the place of ours.
  DECLARE p_min, p_max, p_cycle, p_cache BIGINT;
{create_body}
END
//
CREATE OR REPLACE FUNCTION `drop_sequence`(p_name {name_type}) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: drops a sequence; returns 1'
BEGIN
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  DELETE s FROM `{table}` AS s{key} WHERE s.`name` = p_name;
  IF p_name IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'drop_sequence: the name of a sequence must not be NULL';
  ELSEIF ROW_COUNT() = 0 THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  END IF;
  RETURN 1;
END
