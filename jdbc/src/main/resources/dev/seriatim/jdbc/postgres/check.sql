-- The first reason why other users' code could run with the rights of the user who installs; no row if there is none.
WITH installer AS (
  SELECT r.oid AS id, r.rolname AS name FROM pg_roles AS r WHERE r.rolname = current_user
), trusted AS (
  SELECT r.oid AS id FROM pg_roles AS r WHERE r.rolsuper OR r.rolname = current_user
), place AS (
  SELECT n.oid AS id, n.nspname AS name,
    CASE WHEN o.rolname = 'pg_database_owner' THEN d.datdba ELSE n.nspowner END AS owner
  FROM pg_namespace AS n
  JOIN pg_roles AS o ON o.oid = n.nspowner
  JOIN pg_database AS d ON d.datname = current_database()
  WHERE n.nspname = {schema_text}
), tables AS (
  SELECT c.oid AS id, c.relkind AS kind, c.relowner AS owner, c.relname = '{table}' AS counters,
    format('%I.%I', p.name, c.relname) AS name
  FROM pg_class AS c
  JOIN place AS p ON p.id = c.relnamespace
  WHERE c.relname IN ('{table}', '{table}_pool')
), parts AS (
  SELECT t.id AS table_id, t.counters, d.classid AS class, d.objid AS id
  FROM tables AS t
  JOIN pg_depend AS d ON d.refclassid = 'pg_class'::regclass AND d.refobjid = t.id AND d.deptype IN ('a', 'i')
  UNION
  SELECT t.id, t.counters, 'pg_class'::regclass, t.id FROM tables AS t
), owned AS (
  SELECT 'pg_proc'::regclass AS class, p.oid AS id, p.proowner AS owner FROM pg_proc AS p
  UNION ALL SELECT 'pg_type'::regclass, t.oid, t.typowner FROM pg_type AS t
  UNION ALL SELECT 'pg_operator'::regclass, o.oid, o.oprowner FROM pg_operator AS o
), problems AS (
  SELECT 1 AS rank, format('schema %I belongs to %s, who could replace table {table} and have the triggers of the'
    ' replacement run with the rights of %s; install as %s', p.name, o.rolname, i.name, o.rolname) AS problem
  FROM place AS p JOIN pg_roles AS o ON o.oid = p.owner CROSS JOIN installer AS i
  WHERE p.owner NOT IN (SELECT id FROM trusted)
  UNION ALL
  SELECT 2, format('%s is not an ordinary table; drop or rename it, or name another one', t.name)
  FROM tables AS t WHERE t.kind <> 'r'
  UNION ALL
  SELECT 3, format(CASE WHEN t.counters
    THEN 'table %1$s belongs to %2$s, who could have triggers run with the rights of %3$s; '
      || CASE WHEN s.rolsuper OR s.oid = t.owner THEN 'install as %2$s' ELSE 'make it your own: ALTER TABLE %1$s OWNER TO %3$I' END
    ELSE 'table %1$s belongs to %2$s, who could have triggers run with the rights of whoever draws; drop it if no number lies'
      ' in it, or make it your own: ALTER TABLE %1$s OWNER TO %3$I' END, t.name, o.rolname, i.name)
  FROM tables AS t JOIN pg_roles AS o ON o.oid = t.owner CROSS JOIN installer AS i
  CROSS JOIN place AS p JOIN pg_roles AS s ON s.oid = p.owner
  WHERE t.owner <> i.id
  UNION ALL
  SELECT 4, format('table %s inherits from table %s, so triggers and rules of one run for the other with the rights of %s;'
    ' drop it, or remove the inheritance: ALTER TABLE %1$s NO INHERIT %2$s', h.inhrelid::regclass, h.inhparent::regclass, i.name)
  FROM pg_inherits AS h JOIN tables AS t ON t.id IN (h.inhrelid, h.inhparent) CROSS JOIN installer AS i
  UNION ALL
  SELECT 5, format('%s would run with the rights of %s; drop it', pg_describe_object(d.class, d.id, 0), i.name)
  FROM parts AS d CROSS JOIN installer AS i
  WHERE d.class IN ('pg_rewrite'::regclass, 'pg_policy'::regclass)
    OR {own} AND d.class = 'pg_attrdef'::regclass
    OR {own} AND d.class = 'pg_constraint'::regclass
      AND EXISTS (SELECT FROM pg_constraint AS c WHERE c.oid = d.id AND c.contype = 'c')
    OR d.class = 'pg_trigger'::regclass
      AND EXISTS (SELECT FROM pg_trigger AS t WHERE t.oid = d.id AND NOT t.tgisinternal AND t.tgqual IS NOT NULL)
  UNION ALL
  SELECT 6, format('%s uses %s of %s, which table %s would run with the rights of %s; drop it',
    pg_describe_object(d.class, d.id, u.objsubid), pg_describe_object(u.refclassid, u.refobjid, 0), o.rolname, t.name, i.name)
  FROM parts AS d
  JOIN tables AS t ON t.id = d.table_id
  JOIN pg_depend AS u ON u.classid = d.class AND u.objid = d.id
  JOIN owned AS f ON f.class = u.refclassid AND f.id = u.refobjid
  JOIN pg_roles AS o ON o.oid = f.owner
  CROSS JOIN installer AS i
  WHERE f.owner NOT IN (SELECT id FROM trusted)
  UNION ALL
  SELECT 7, format('function %s belongs to %s, not to %s, so it could be called instead of Seriatim''s or changed later; drop it first:'
    ' DROP ROUTINE %1$s', f.oid::regprocedure, o.rolname, i.name)
  FROM pg_proc AS f JOIN place AS p ON p.id = f.pronamespace JOIN pg_roles AS o ON o.oid = f.proowner CROSS JOIN installer AS i
  WHERE f.proname IN ('next_val', 'last_val', 'set_val', 'create_sequence', 'drop_sequence') AND f.proowner <> i.id
  UNION ALL
  SELECT 8, format('function %s(%s) exists, but is not Seriatim''s function on table {table}; drop it first, or install in another'
    ' schema', f.proname, oidvectortypes(f.proargtypes))
  FROM pg_proc AS f JOIN place AS p ON p.id = f.pronamespace
  WHERE f.proname || '(' || oidvectortypes(f.proargtypes) || ')' IN ({signatures})
    AND NOT starts_with(coalesce(obj_description(f.oid, 'pg_proc'), ''), 'Seriatim, table {table}:')
)
SELECT problem FROM problems ORDER BY rank, problem LIMIT 1
