CREATE OR REPLACE FUNCTION {schema}.next_val(name text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
<<own>>
DECLARE
  counter numeric;
BEGIN
  UPDATE {schema}."{table}" AS s SET "{counter}" = s."{counter}"::numeric + ({increment})::numeric
  WHERE s."{name}"::text = next_val.name
    AND s."{name}"::text = next_val.name COLLATE "C" AND s."{counter}"::numeric BETWEEN ({low})::numeric AND ({high})::numeric
  RETURNING s."{counter}"::numeric INTO own.counter;
  IF FOUND THEN
    RETURN (own.counter - ({ahead})::numeric)::bigint;
  END IF;

  SELECT s."{counter}"::numeric INTO own.counter FROM {schema}."{table}" AS s WHERE s."{name}"::text = next_val.name
    AND s."{name}"::text = next_val.name COLLATE "C" FOR UPDATE;
  IF next_val.name IS NULL THEN
    RAISE EXCEPTION 'next_val: the name of a sequence must not be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT FOUND THEN
    RAISE EXCEPTION 'sequence ''%'' not found in table {table}; create it with create_sequence', next_val.name
      USING ERRCODE = 'undefined_object';
  ELSIF own.counter {beyond}::numeric THEN
    RAISE EXCEPTION 'sequence ''%'' is used up: {counter} is %, the bounds are {min} to {max}', next_val.name, own.counter
      USING ERRCODE = 'sequence_generator_limit_exceeded';
  ELSIF own.counter IS NULL OR own.counter NOT BETWEEN ({low})::numeric AND ({high})::numeric THEN
    RAISE EXCEPTION 'sequence ''%'': {counter} is %, outside the bounds {min} to {max}; correct the row', next_val.name, own.counter
      USING ERRCODE = 'data_exception';
  END IF;
  UPDATE {schema}."{table}" AS s SET "{counter}" = own.counter + ({increment})::numeric WHERE s."{name}"::text = next_val.name
    AND s."{name}"::text = next_val.name COLLATE "C";
  RETURN (own.counter + ({increment})::numeric - ({ahead})::numeric)::bigint;
END $seriatim$
//
COMMENT ON FUNCTION {schema}.next_val(text) IS 'Seriatim, table {table}: draws the next value, inside the transaction of the caller'
//
CREATE OR REPLACE FUNCTION {schema}.last_val(name text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
<<own>>
DECLARE
  last numeric;
BEGIN
  SELECT s."{counter}"::numeric - ({ahead})::numeric INTO own.last FROM {schema}."{table}" AS s WHERE s."{name}"::text = last_val.name
    AND s."{name}"::text = last_val.name COLLATE "C";
  IF last_val.name IS NULL THEN
    RAISE EXCEPTION 'last_val: the name of a sequence must not be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT FOUND THEN
    RAISE EXCEPTION 'sequence ''%'' not found in table {table}; create it with create_sequence', last_val.name
      USING ERRCODE = 'undefined_object';
  END IF;
  RETURN CASE WHEN own.last BETWEEN ({min})::numeric AND ({max})::numeric THEN own.last::bigint END;
END $seriatim$
//
COMMENT ON FUNCTION {schema}.last_val(text) IS
  'Seriatim, table {table}: the value one step before the next one, whoever drew it; NULL when none was drawn'
//
CREATE OR REPLACE FUNCTION {schema}.set_val(name text, value bigint) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
BEGIN
  PERFORM FROM {schema}."{table}" AS s WHERE s."{name}"::text = set_val.name
    AND s."{name}"::text = set_val.name COLLATE "C" FOR UPDATE;
  IF set_val.name IS NULL OR set_val.value IS NULL THEN
    RAISE EXCEPTION 'set_val: the name and the value must not be NULL' USING ERRCODE = 'null_value_not_allowed';
  ELSIF NOT FOUND THEN
    RAISE EXCEPTION 'sequence ''%'' not found in table {table}; create it with create_sequence', set_val.name
      USING ERRCODE = 'undefined_object';
  ELSIF set_val.value NOT BETWEEN ({min})::bigint AND ({max})::bigint
      AND set_val.value::numeric + ({increment})::numeric NOT BETWEEN ({min})::numeric AND ({max})::numeric THEN
    RAISE EXCEPTION 'sequence ''%'': % is outside its bounds {min} to {max}', set_val.name, set_val.value
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  UPDATE {schema}."{table}" AS s SET "{counter}" = set_val.value::numeric + ({ahead})::numeric WHERE s."{name}"::text = set_val.name
    AND s."{name}"::text = set_val.name COLLATE "C";
  RETURN set_val.value;
END $seriatim$
//
COMMENT ON FUNCTION {schema}.set_val(text, bigint) IS
  'Seriatim, table {table}: makes a value the one drawn last, so that the next one is a step behind it'
//
CREATE OR REPLACE FUNCTION {schema}.create_sequence(name text, start_with bigint DEFAULT NULL, increment_by bigint DEFAULT NULL)
RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
<<own>>
DECLARE
  problem text;
BEGIN
  start_with := coalesce(start_with, ({start})::bigint);
  problem := CASE
    WHEN name IS NULL OR pg_catalog.char_length(name) NOT BETWEEN 1 AND 64 THEN 'its name must have 1 to 64 characters'
    WHEN increment_by <> ({increment})::bigint THEN 'a row of table {table} holds no increment; ask for {increment}, or NULL'
    WHEN start_with NOT BETWEEN ({min})::bigint AND ({max})::bigint THEN
      pg_catalog.format('start %s is outside its bounds {min} to {max}', start_with)
  END;
  IF problem IS NOT NULL THEN
    RAISE EXCEPTION 'sequence ''%'': %', pg_catalog.left(name, 64), problem USING ERRCODE = 'invalid_parameter_value';
  END IF;
  -- The table may have no key that would refuse a second row.
  IF EXISTS (SELECT FROM {schema}."{table}" AS s WHERE s."{name}"::text = create_sequence.name) THEN
    RAISE unique_violation;
  END IF;
  INSERT INTO {schema}."{table}" ("{name}", "{counter}")
  VALUES (create_sequence.name, create_sequence.start_with::numeric - ({increment})::numeric + ({ahead})::numeric);
  RETURN start_with;
EXCEPTION WHEN unique_violation THEN
  RAISE EXCEPTION 'sequence ''%'' already exists in table {table}; choose another name', name USING ERRCODE = 'duplicate_object';
END $seriatim$
//
COMMENT ON FUNCTION {schema}.create_sequence(text, bigint, bigint) IS
  'Seriatim, table {table}: creates a sequence; what is left out or NULL takes its default; returns its first value'
//
CREATE OR REPLACE FUNCTION {schema}.drop_sequence(name text) RETURNS bigint
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $seriatim$
#variable_conflict use_column
BEGIN
  DELETE FROM {schema}."{table}" AS s WHERE s."{name}"::text = drop_sequence.name
    AND s."{name}"::text = drop_sequence.name COLLATE "C";
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
  {schema}.create_sequence(text, bigint, bigint), {schema}.drop_sequence(text)
FROM PUBLIC
