BEGIN NOT ATOMIC
  DECLARE v_problem VARCHAR(512) CHARACTER SET utf8mb4;
  SELECT CONCAT('{table} is a view, not a table; drop or rename it') INTO v_problem
  FROM information_schema.TABLES
  WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '{table}' AND TABLE_TYPE = 'VIEW';
  SELECT CONCAT('function ', MIN(ROUTINE_NAME), ' belongs to ', MIN(DEFINER), ', not to ', CURRENT_USER(), '; drop it first')
  INTO v_problem
  FROM information_schema.ROUTINES
  WHERE ROUTINE_SCHEMA = DATABASE() AND ROUTINE_TYPE = 'FUNCTION' AND DEFINER <> CURRENT_USER()
    AND ROUTINE_NAME IN ('{names}')
  HAVING COUNT(*) > 0;
  IF v_problem IS NOT NULL THEN
    SET v_problem = LEFT(v_problem, 128);
    SIGNAL SQLSTATE '45000' SET MYSQL_ERRNO = 31004, MESSAGE_TEXT = v_problem;
  END IF;
END
