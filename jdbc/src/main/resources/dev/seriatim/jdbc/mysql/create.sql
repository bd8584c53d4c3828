  DECLARE v_increment BIGINT DEFAULT IFNULL(p_increment, 1);
  DECLARE v_min BIGINT DEFAULT IFNULL(p_min, IF(v_increment > 0, 1, -9223372036854775808));
  DECLARE v_max BIGINT DEFAULT IFNULL(p_max, IF(v_increment > 0, 9223372036854775807, -1));
  DECLARE v_start BIGINT DEFAULT IFNULL(p_start, IF(v_increment > 0, v_min, v_max));
  DECLARE v_cache BIGINT DEFAULT IFNULL(p_cache, 100);
  DECLARE v_exists VARCHAR(512) CHARACTER SET utf8mb4 DEFAULT
    LEFT(CONCAT('sequence ''', p_name, ''' already exists in table {table}; choose another name'), 128);
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4 DEFAULT CASE
    WHEN p_name IS NULL OR CHAR_LENGTH(p_name) NOT BETWEEN 1 AND 64 THEN 'its name must have 1 to 64 characters'
    WHEN v_increment = 0 THEN 'the increment must not be 0'
    WHEN v_min > v_max THEN CONCAT('min value ', v_min, ' is above max value ', v_max)
    WHEN v_start NOT BETWEEN v_min AND v_max THEN CONCAT('start ', v_start, ' is outside its bounds ', v_min, ' to ', v_max)
    WHEN v_cache < 1 THEN CONCAT('cache must be at least 1, not ', v_cache)
  END;
  DECLARE EXIT HANDLER FOR 1062 SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31003, MESSAGE_TEXT = v_exists;

  IF v_problem IS NOT NULL THEN
    SET v_problem = LEFT(CONCAT('sequence ''', LEFT(IFNULL(p_name, 'NULL'), 64), ''': ', v_problem), 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = v_problem;
  END IF;
  -- Before the row goes in, so that it never goes into a view.
  IF EXISTS (SELECT 1 FROM `{table}`{key} WHERE `name` = p_name) THEN
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31003, MESSAGE_TEXT = v_exists;
  END IF;
  -- The clock makes the epoch, so that it is above that of a dropped sequence of this name.
  INSERT INTO `{table}`
    (`name`, `next_value`, `start_with`, `increment_by`, `min_value`, `max_value`, `cycle`, `cache`, `used_up`, `epoch`)
  VALUES (p_name, v_start, v_start, v_increment, v_min, v_max, IFNULL(p_cycle, 0) <> 0, v_cache, 0,
    TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000);
  RETURN v_start;
