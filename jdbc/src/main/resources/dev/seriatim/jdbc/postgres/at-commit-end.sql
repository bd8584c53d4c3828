DO $seriatim$
BEGIN
  PERFORM set_config('lock_timeout', '1s', true);
  EXECUTE format('DROP FUNCTION %s() CASCADE', {function_text});
END $seriatim$
