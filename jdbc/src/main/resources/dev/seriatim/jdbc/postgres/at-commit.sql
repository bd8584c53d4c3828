DO $seriatim$
DECLARE
  filling text := {function_text};
  target text := {target_text};
  numbered text := {column_text};
  target_rows text := (SELECT CASE WHEN c.relkind = 'r' THEN 'ONLY ' ELSE '' END FROM pg_class AS c WHERE c.oid = target::regclass) || target;
  key text;
  same_key text;
BEGIN
  -- Writers that are open are not made to wait for long.
  PERFORM set_config('lock_timeout', '1s', true);
  -- By the operators of the primary key's index.
  SELECT string_agg(format('t.%1$I OPERATOR(%2$I.%3$s) NEW.%1$I', a.attname, n.nspname, o.oprname), ' AND ' ORDER BY k.place),
    string_agg(format('OLD.%1$I OPERATOR(%2$I.%3$s) NEW.%1$I', a.attname, n.nspname, o.oprname), ' AND ' ORDER BY k.place)
  INTO key, same_key
  FROM pg_index AS x
  CROSS JOIN LATERAL unnest(x.indkey::int2[], x.indclass::oid[]) WITH ORDINALITY AS k (number, class, place)
  JOIN pg_attribute AS a ON a.attrelid = x.indrelid AND a.attnum = k.number
  JOIN pg_opclass AS c ON c.oid = k.class
  JOIN pg_amop AS m ON m.amopfamily = c.opcfamily AND m.amoplefttype = c.opcintype AND m.amoprighttype = c.opcintype AND m.amopstrategy = 3
  JOIN pg_operator AS o ON o.oid = m.amopopr
  JOIN pg_namespace AS n ON n.oid = o.oprnamespace
  WHERE x.indrelid = target::regclass AND x.indisprimary;

  EXECUTE format('DROP FUNCTION IF EXISTS %s() CASCADE', filling);
  EXECUTE format('CREATE FUNCTION %s() RETURNS trigger LANGUAGE plpgsql VOLATILE SECURITY DEFINER'
    ' SET search_path = pg_catalog, pg_temp SET row_security = off AS %L', filling, format($seriatim_body$
#variable_conflict use_column
<<own>>
DECLARE
  drawn bigint;
  stored numeric;
BEGIN
  -- No draw for a row that is gone or has a number.
  IF current_setting('transaction_isolation') = 'read committed' THEN
    SELECT %1$s INTO own.drawn FROM %2$s AS t WHERE %3$s AND t.%4$I IS NULL;
  ELSE
    BEGIN
      SELECT %1$s INTO own.drawn FROM %2$s AS t WHERE %3$s AND t.%4$I IS NULL;
    EXCEPTION WHEN serialization_failure THEN
      RAISE EXCEPTION 'sequence %%: another transaction has drawn since the snapshot of this one; repeat it, or use READ COMMITTED', %5$L
        USING ERRCODE = 'serialization_failure';
    END;
  END IF;
  IF own.drawn IS NOT NULL THEN
    UPDATE %2$s AS t SET %4$I = own.drawn WHERE %3$s RETURNING t.%4$I::numeric INTO own.stored;
    IF own.stored IS DISTINCT FROM own.drawn::numeric THEN
      RAISE EXCEPTION 'sequence %%: a trigger, a rule or the type keeps number %% out of column %%; remove it', %5$L, own.drawn, %6$L
        USING ERRCODE = 'triggered_data_change_violation';
    END IF;
  END IF;
  RETURN NULL;
END $seriatim_body$,
    format('%s(%L)', {next_val_text}, {sequence_text}), target_rows, key, numbered, quote_literal({sequence_text}), target::regclass || '.' || quote_ident(numbered)));
  EXECUTE format('COMMENT ON FUNCTION %s() IS %L', filling, {comment_text});
  EXECUTE format('REVOKE ALL ON FUNCTION %s() FROM PUBLIC', filling);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER INSERT ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION %s()',
    {trigger_text}, target, filling);
  EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER UPDATE ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NOT (%s)) EXECUTE FUNCTION %s()',
    {trigger_text} || '_key', target, same_key, filling);
END $seriatim$
