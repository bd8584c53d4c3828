DO $seriatim$
DECLARE
  counters text;
  other text;
BEGIN
  -- A trigger of theirs would run with the rights of the functions, or of who fills the pool.
  FOR counters, other IN
    SELECT c.oid::regclass, CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(r.rolname) END
    FROM pg_class AS c
    JOIN pg_namespace AS n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL aclexplode(c.relacl) AS a
    LEFT JOIN pg_roles AS r ON r.oid = a.grantee
    WHERE n.nspname = {schema_text} AND c.relname IN ('{table}', '{table}_pool') AND a.privilege_type = 'TRIGGER' AND a.grantee <> c.relowner
  LOOP
    -- One that is being added is waited for, so that it is seen.
    PERFORM set_config('lock_timeout', '2s', true);
    EXECUTE format('LOCK TABLE %s IN SHARE ROW EXCLUSIVE MODE', counters);
    EXECUTE format('REVOKE TRIGGER ON TABLE %s FROM %s CASCADE', counters, other);
  END LOOP;
END $seriatim$
