CREATE OR REPLACE FUNCTION `next_val`(p_name {name_type}) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: draws the next value, inside the transaction of the caller'
BEGIN
  DECLARE v_found INT;
  DECLARE v_counter DECIMAL(40);
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  {newest}UPDATE `{table}`{key} SET `{counter}` = CAST(LAST_INSERT_ID(`{counter}` + ({increment})) AS SIGNED)
  WHERE `{name}` = p_name
    AND CAST(CONVERT(`{name}` USING utf8mb4) AS BINARY) = CAST(CONVERT(p_name USING utf8mb4) AS BINARY) AND `{counter}` >= {low} AND `{counter}` <= {high};
  -- Without this check, an unknown name would give the value that LAST_INSERT_ID() had before.
  IF ROW_COUNT() = 1 THEN
    RETURN CAST(LAST_INSERT_ID() AS SIGNED) - ({ahead});
  END IF;

  {newest}SELECT 1, `{counter}` INTO v_found, v_counter FROM `{table}`{key} WHERE `{name}` = p_name
    AND CAST(CONVERT(`{name}` USING utf8mb4) AS BINARY) = CAST(CONVERT(p_name USING utf8mb4) AS BINARY) FOR UPDATE;
  IF p_name IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'next_val: the name of a sequence must not be NULL';
  ELSEIF v_found IS NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}; create it with create_sequence'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  ELSEIF v_counter {beyond} THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' is used up: {counter} is ', v_counter, ', the bounds are {min} to {max}'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31002, MESSAGE_TEXT = v_problem;
  ELSEIF v_counter BETWEEN {low} AND {high} THEN
    {newest}UPDATE `{table}`{key} SET `{counter}` = v_counter + ({increment}) WHERE `{name}` = p_name
    AND CAST(CONVERT(`{name}` USING utf8mb4) AS BINARY) = CAST(CONVERT(p_name USING utf8mb4) AS BINARY);
    RETURN v_counter + ({increment}) - ({ahead});
  END IF;
  SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''': {counter} is ', IFNULL(v_counter, 'NULL'), ', outside the bounds {min} to {max}; correct the row'), 128);
  SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = v_problem;
END
//
CREATE OR REPLACE FUNCTION `last_val`(p_name {name_type}) RETURNS BIGINT
NOT DETERMINISTIC READS SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: the value one step before the next one, whoever drew it; NULL when none was drawn'
BEGIN
  DECLARE v_found INT;
  DECLARE v_last DECIMAL(40);
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  SELECT 1, CAST(`{counter}` AS DECIMAL(40)) - ({ahead}) INTO v_found, v_last FROM `{table}`{key} WHERE `{name}` = p_name
    AND CAST(CONVERT(`{name}` USING utf8mb4) AS BINARY) = CAST(CONVERT(p_name USING utf8mb4) AS BINARY);
  IF p_name IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'last_val: the name of a sequence must not be NULL';
  ELSEIF v_found IS NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}; create it with create_sequence'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  END IF;
  RETURN IF(v_last BETWEEN {min} AND {max}, v_last, NULL);
END
//
CREATE OR REPLACE FUNCTION `set_val`(p_name {name_type}, p_value BIGINT) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: makes a value the one drawn last, so that the next one is a step behind it'
BEGIN
  DECLARE v_found INT;
  DECLARE v_value DECIMAL(40) DEFAULT p_value;
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  {newest}SELECT 1 INTO v_found FROM `{table}`{key} WHERE `{name}` = p_name
    AND CAST(CONVERT(`{name}` USING utf8mb4) AS BINARY) = CAST(CONVERT(p_name USING utf8mb4) AS BINARY) FOR UPDATE;
  IF p_name IS NULL OR p_value IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'set_val: the name and the value must not be NULL';
  ELSEIF v_found IS NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}; create it with create_sequence'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  ELSEIF v_value NOT BETWEEN {min} AND {max} AND v_value + ({increment}) NOT BETWEEN {min} AND {max} THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''': ', p_value, ' is outside its bounds {min} to {max}'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = v_problem;
  END IF;
  {newest}UPDATE `{table}`{key} SET `{counter}` = v_value + ({ahead}) WHERE `{name}` = p_name
    AND CAST(CONVERT(`{name}` USING utf8mb4) AS BINARY) = CAST(CONVERT(p_name USING utf8mb4) AS BINARY);
  RETURN p_value;
END
//
CREATE OR REPLACE FUNCTION `create_sequence`(p_name {name_type}, p_start BIGINT, p_increment BIGINT) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: creates a sequence (name, start, increment; NULL is the default); returns its first value'
BEGIN
  DECLARE v_start BIGINT DEFAULT IFNULL(p_start, {start});
  DECLARE v_exists VARCHAR(512) CHARACTER SET utf8mb4 DEFAULT
    LEFT(CONCAT('sequence ''', p_name, ''' already exists in table {table}; choose another name'), 128);
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4 DEFAULT CASE
    WHEN p_name IS NULL OR CHAR_LENGTH(p_name) NOT BETWEEN 1 AND 64 THEN 'its name must have 1 to 64 characters'
    WHEN p_increment <> {increment} THEN 'a row of table {table} holds no increment; ask for {increment}, or NULL'
    WHEN v_start NOT BETWEEN {min} AND {max} THEN CONCAT('start ', v_start, ' is outside its bounds {min} to {max}')
  END;
  DECLARE EXIT HANDLER FOR 1062 SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31003, MESSAGE_TEXT = v_exists;

  IF v_problem IS NOT NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', LEFT(IFNULL(p_name, 'NULL'), 64), ''': ', v_problem), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = v_problem;
  ELSEIF EXISTS (SELECT 1 FROM `{table}`{key} WHERE `{name}` = p_name) THEN
    -- The table may have no key that would refuse a second row.
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31003, MESSAGE_TEXT = v_exists;
  END IF;
  INSERT INTO `{table}` (`{name}`, `{counter}`) VALUES (p_name, CAST(v_start AS DECIMAL(40)) - ({increment}) + ({ahead}));
  RETURN v_start;
END
//
CREATE OR REPLACE FUNCTION `drop_sequence`(p_name {name_type}) RETURNS BIGINT
NOT DETERMINISTIC MODIFIES SQL DATA SQL SECURITY DEFINER
COMMENT 'Seriatim, table {table}: drops a sequence; returns 1'
BEGIN
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;

  DELETE s FROM `{table}` AS s{key} WHERE s.`{name}` = p_name
    AND CAST(CONVERT(s.`{name}` USING utf8mb4) AS BINARY) = CAST(CONVERT(p_name USING utf8mb4) AS BINARY);
  IF p_name IS NULL THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = 'drop_sequence: the name of a sequence must not be NULL';
  ELSEIF ROW_COUNT() = 0 THEN
    SET v_problem = LEFT(CONCAT('sequence ''', p_name, ''' not found in table {table}'), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31001, MESSAGE_TEXT = v_problem;
  END IF;
  RETURN 1;
END
