CREATE OR REPLACE FUNCTION {schema}.next_val(name text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
DECLARE
  drawn bigint;
  state record;
  after numeric;
BEGIN
  -- One statement, while a value is left behind the one that is drawn. In numeric, which does not overflow.
  UPDATE {schema}."{table}" AS s SET "next_value" = s."next_value" + s."increment_by"
  WHERE s."name"::text = next_val.name AND s."used_up" = 0 AND s."increment_by" <> 0
    AND s."next_value" BETWEEN s."min_value" AND s."max_value"
    AND s."next_value"::numeric + s."increment_by"::numeric BETWEEN s."min_value"::numeric AND s."max_value"::numeric
  RETURNING s."next_value" - s."increment_by" INTO drawn;
  IF FOUND THEN
    RETURN drawn;
  END IF;

  SELECT * INTO state FROM {schema}."{table}" AS s WHERE s."name"::text = next_val.name FOR UPDATE;
  IF next_val.name IS NULL THEN
    RAISE EXCEPTION 'next_val: the name of a sequence must not be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT FOUND THEN
    RAISE EXCEPTION 'sequence ''%'' not found in table {table}; create it with create_sequence', next_val.name
      USING ERRCODE = 'undefined_object';
  ELSIF state.increment_by = 0 OR state.next_value NOT BETWEEN state.min_value AND state.max_value THEN
    RAISE EXCEPTION 'sequence ''%'': its row in table {table} contradicts itself; correct it', next_val.name
      USING ERRCODE = 'data_exception';
  ELSIF state.used_up <> 0 AND state.cycle = 0 THEN
    RAISE EXCEPTION 'sequence ''%'' is used up at %; widen its bounds, let it cycle or restart it', next_val.name, state.next_value
      USING ERRCODE = 'sequence_generator_limit_exceeded';
  END IF;

  drawn := state.next_value;
  IF state.used_up <> 0 THEN
    drawn := CASE WHEN state.increment_by > 0 THEN state.min_value ELSE state.max_value END;
    state.epoch := state.epoch + 1;
  END IF;
  after := drawn::numeric + state.increment_by::numeric;
  state.used_up := CASE WHEN after BETWEEN state.min_value::numeric AND state.max_value::numeric THEN 0 ELSE 1 END;
  UPDATE {schema}."{table}" AS s
  SET "next_value" = CASE WHEN state.used_up = 0 THEN after::bigint ELSE drawn END, "used_up" = state.used_up, "epoch" = state.epoch
  WHERE s."name"::text = next_val.name;
  RETURN drawn;
END $seriatim$
//
COMMENT ON FUNCTION {schema}.next_val(text) IS 'Seriatim, table {table}: draws the next value, inside the transaction of the caller'
//
CREATE OR REPLACE FUNCTION {schema}.last_val(name text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
DECLARE
  state record;
  last numeric;
BEGIN
  SELECT * INTO state FROM {schema}."{table}" AS s WHERE s."name"::text = last_val.name;
  IF last_val.name IS NULL THEN
    RAISE EXCEPTION 'last_val: the name of a sequence must not be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT FOUND THEN
    RAISE EXCEPTION 'sequence ''%'' not found in table {table}; create it with create_sequence', last_val.name
      USING ERRCODE = 'undefined_object';
  END IF;

  last := CASE WHEN state.used_up <> 0 THEN state.next_value::numeric
    ELSE state.next_value::numeric - state.increment_by::numeric END;
  IF state.used_up = 0 AND state.next_value = state.start_with
      OR last NOT BETWEEN state.min_value::numeric AND state.max_value::numeric THEN
    RETURN NULL;
  END IF;
  RETURN last::bigint;
END $seriatim$
//
COMMENT ON FUNCTION {schema}.last_val(text) IS
  'Seriatim, table {table}: the value one step before the next one, whoever drew it; NULL when none was drawn'
//
CREATE OR REPLACE FUNCTION {schema}.set_val(name text, value bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
DECLARE
  state record;
  next numeric;
BEGIN
  SELECT * INTO state FROM {schema}."{table}" AS s WHERE s."name"::text = set_val.name FOR UPDATE;
  IF set_val.name IS NULL OR set_val.value IS NULL THEN
    RAISE EXCEPTION 'set_val: the name and the value must not be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT FOUND THEN
    RAISE EXCEPTION 'sequence ''%'' not found in table {table}; create it with create_sequence', set_val.name
      USING ERRCODE = 'undefined_object';
  END IF;

  next := set_val.value::numeric + state.increment_by::numeric;
  IF next BETWEEN state.min_value::numeric AND state.max_value::numeric THEN
    UPDATE {schema}."{table}" AS s SET "next_value" = next::bigint, "used_up" = 0, "epoch" = s."epoch" + 1 WHERE s."name"::text = set_val.name;
  ELSIF set_val.value BETWEEN state.min_value AND state.max_value THEN
    UPDATE {schema}."{table}" AS s SET "next_value" = set_val.value, "used_up" = 1, "epoch" = s."epoch" + 1 WHERE s."name"::text = set_val.name;
  ELSE
    RAISE EXCEPTION 'sequence ''%'': % is outside its bounds % to %', set_val.name, set_val.value, state.min_value, state.max_value
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  RETURN set_val.value;
END $seriatim$
//
COMMENT ON FUNCTION {schema}.set_val(text, bigint) IS
  'Seriatim, table {table}: makes a value the one drawn last, so that the next one is a step behind it'
//
CREATE OR REPLACE FUNCTION {schema}.create_sequence(
  name text, start_with bigint DEFAULT NULL, increment_by bigint DEFAULT NULL,
  min_value bigint DEFAULT NULL, max_value bigint DEFAULT NULL,
  cycle boolean DEFAULT NULL, cache bigint DEFAULT NULL) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_variable
DECLARE
  problem text;
BEGIN
  increment_by := coalesce(increment_by, 1::bigint);
  min_value := coalesce(min_value, CASE WHEN increment_by > 0 THEN 1::bigint ELSE (-9223372036854775808)::bigint END);
  max_value := coalesce(max_value, CASE WHEN increment_by > 0 THEN 9223372036854775807::bigint ELSE (-1)::bigint END);
  start_with := coalesce(start_with, CASE WHEN increment_by > 0 THEN min_value ELSE max_value END);
  cache := coalesce(cache, 100::bigint);
  problem := CASE
    WHEN name IS NULL OR pg_catalog.char_length(name) NOT BETWEEN 1 AND 64 THEN 'its name must have 1 to 64 characters'
    WHEN increment_by = 0 THEN 'the increment must not be 0'
    WHEN min_value > max_value THEN pg_catalog.format('min value %s is above max value %s', min_value, max_value)
    WHEN start_with NOT BETWEEN min_value AND max_value THEN
      pg_catalog.format('start %s is outside its bounds %s to %s', start_with, min_value, max_value)
    WHEN cache < 1 THEN pg_catalog.format('cache must be at least 1, not %s', cache)
  END;
  IF problem IS NOT NULL THEN
    RAISE EXCEPTION 'sequence ''%'': %', pg_catalog.left(name, 64), problem USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- The clock makes the epoch, so that it is above that of a dropped sequence of this name.
  INSERT INTO {schema}."{table}"
    ("name", "next_value", "start_with", "increment_by", "min_value", "max_value", "cycle", "cache", "used_up", "epoch")
  VALUES (name, start_with, start_with, increment_by, min_value, max_value, coalesce(cycle, false)::integer::bigint, cache,
    0::bigint, pg_catalog.floor(extract(epoch FROM pg_catalog.clock_timestamp())::numeric * 1000::numeric)::bigint);
  RETURN start_with;
EXCEPTION WHEN unique_violation THEN
  RAISE EXCEPTION 'sequence ''%'' already exists in table {table}; choose another name', name USING ERRCODE = 'duplicate_object';
END $seriatim$
//
COMMENT ON FUNCTION {schema}.create_sequence(text, bigint, bigint, bigint, bigint, boolean, bigint) IS
  'Seriatim, table {table}: creates a sequence; what is left out or NULL takes its default; returns its first value'
//
CREATE OR REPLACE FUNCTION {schema}.drop_sequence(name text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
BEGIN
  DELETE FROM {schema}."{table}" AS s WHERE s."name"::text = drop_sequence.name;
  IF drop_sequence.name IS NULL THEN
    RAISE EXCEPTION 'drop_sequence: the name of a sequence must not be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT FOUND THEN
    RAISE EXCEPTION 'sequence ''%'' not found in table {table}', drop_sequence.name USING ERRCODE = 'undefined_object';
  END IF;
  RETURN 1;
END $seriatim$
//
COMMENT ON FUNCTION {schema}.drop_sequence(text) IS 'Seriatim, table {table}: drops a sequence; returns 1'
//
REVOKE ALL ON FUNCTION
  {schema}.next_val(text), {schema}.last_val(text), {schema}.set_val(text, bigint),
  {schema}.create_sequence(text, bigint, bigint, bigint, bigint, boolean, bigint), {schema}.drop_sequence(text)
FROM PUBLIC
