-- The first reason why a column cannot be numbered at the commit; no row if there is none.
WITH RECURSIVE target AS (
  SELECT c.oid AS id, c.relkind AS kind, c.relpersistence AS persistence, n.oid AS place_id, format('%I.%I', n.nspname, c.relname) AS name
  FROM pg_class AS c
  JOIN pg_namespace AS n ON n.oid = c.relnamespace
  WHERE n.nspname = {place_text} AND c.relname = {name_text}
), parts AS (
  SELECT t.id FROM target AS t
  UNION ALL
  SELECT h.inhrelid FROM parts AS p JOIN target AS t ON t.kind = 'p' JOIN pg_inherits AS h ON h.inhparent = p.id
), installer AS (
  SELECT r.oid AS id, r.rolname AS name FROM pg_roles AS r WHERE r.rolname = current_user
), trusted AS (
  SELECT r.oid AS id FROM pg_roles AS r WHERE r.rolsuper OR r.rolname = current_user
), columns AS (
  SELECT a.attrelid AS table_id, a.attname AS name, format_type(a.atttypid, NULL) AS type, a.attnotnull AS filled,
    a.atthasdef OR a.attidentity <> '' AS fills_itself
  FROM pg_attribute AS a JOIN target AS t ON t.id = a.attrelid
  WHERE a.attname = {column_text} AND a.attnum > 0 AND NOT a.attisdropped
), draws AS (
  SELECT f.oid AS id, format('%s', f.oid::regprocedure) AS name
  FROM pg_proc AS f JOIN pg_namespace AS n ON n.oid = f.pronamespace
  WHERE n.nspname = {schema_text} AND f.proname = 'next_val' AND oidvectortypes(f.proargtypes) = 'text'
    AND starts_with(obj_description(f.oid, 'pg_proc'), 'Seriatim, table {table}:')
), problems AS (
  SELECT 1 AS rank, format('there is no table %I.%I; name one that exists', {place_text}::text, {name_text}::text) AS problem
  WHERE NOT EXISTS (SELECT FROM target)
  UNION ALL
  SELECT 2, format('%s is not an ordinary or partitioned table, or is temporary or unlogged; name another one', t.name)
  FROM target AS t WHERE t.kind NOT IN ('r', 'p') OR t.persistence <> 'p'
  UNION ALL
  SELECT 3, format('table %s belongs to %s, with whose rights its rows are numbered; install as %2$s', c.oid::regclass, r.rolname)
  FROM parts AS p JOIN pg_class AS c ON c.oid = p.id JOIN pg_roles AS r ON r.oid = c.relowner CROSS JOIN installer AS i
  WHERE r.oid <> i.id
  UNION ALL
  SELECT 4, format('table %s has no column %I; name one that it has', t.name, {column_text}::text)
  FROM target AS t WHERE NOT EXISTS (SELECT FROM columns)
  UNION ALL
  SELECT 5, format('column %I of table %s is of type %s; make it bigint: ALTER TABLE %2$s ALTER COLUMN %1$I TYPE bigint', c.name, t.name, c.type)
  FROM target AS t JOIN columns AS c ON c.table_id = t.id WHERE c.type NOT IN ('bigint', 'integer', 'smallint', 'numeric')
  UNION ALL
  SELECT 6, format('column %I of table %s is NOT NULL, and a row has no number before its commit; ALTER TABLE %2$s ALTER COLUMN %1$I DROP NOT NULL'
    ' (if it belongs to the primary key, number another column)', c.name, t.name)
  FROM target AS t JOIN columns AS c ON c.table_id = t.id WHERE c.filled
  UNION ALL
  SELECT 7, format('column %I of table %s fills itself before the commit, by a default, an identity or an expression; remove that', c.name, t.name)
  FROM target AS t JOIN columns AS c ON c.table_id = t.id WHERE c.fills_itself
  UNION ALL
  SELECT 8, format('table %s has no primary key, by which a row is found at the commit; ALTER TABLE %1$s ADD PRIMARY KEY (…)', t.name)
  FROM target AS t WHERE NOT EXISTS (SELECT FROM pg_index AS x WHERE x.indrelid = t.id AND x.indisprimary)
  UNION ALL
  SELECT 9, format('schema %I has no functions of Seriatim on table {table}; run seriatim install first', {schema_text}::text)
  WHERE NOT EXISTS (SELECT FROM draws)
  UNION ALL
  SELECT 10, format('%s may not draw; run as an administrator: GRANT EXECUTE ON FUNCTION %s TO %1$I', i.name, d.name)
  FROM installer AS i CROSS JOIN draws AS d WHERE NOT has_function_privilege(d.id, 'EXECUTE')
  UNION ALL
  SELECT 11, format('%s may not create a function beside table %s; run as an administrator: GRANT CREATE ON SCHEMA %I TO %1$I',
    i.name, t.name, {place_text}::text)
  FROM installer AS i CROSS JOIN target AS t WHERE NOT has_schema_privilege(t.place_id, 'CREATE')
  UNION ALL
  -- A trigger of another user would run with the rights of the installer.
  SELECT 12, format('%1$s may add triggers to table %2$s, which would run with the rights of %3$s; REVOKE TRIGGER ON TABLE %2$s FROM %1$s',
    CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END, c.oid::regclass, i.name)
  FROM parts AS p JOIN pg_class AS c ON c.oid = p.id CROSS JOIN LATERAL aclexplode(c.relacl) AS a CROSS JOIN installer AS i
  WHERE a.privilege_type = 'TRIGGER' AND a.grantee <> i.id
  UNION ALL
  SELECT 13, format('trigger %I of table %s runs %s of %s, with the rights of %s; drop it', g.tgname, g.tgrelid::regclass,
    g.tgfoid::regprocedure, pg_get_userbyid(f.proowner), i.name)
  FROM parts AS p JOIN pg_trigger AS g ON g.tgrelid = p.id JOIN pg_proc AS f ON f.oid = g.tgfoid CROSS JOIN installer AS i
  WHERE NOT g.tgisinternal AND f.proowner NOT IN (SELECT id FROM trusted)
  UNION ALL
  SELECT 14, format('function %s exists, but does not number this column; drop it first', f.oid::regprocedure)
  FROM pg_proc AS f JOIN target AS t ON t.place_id = f.pronamespace
  WHERE f.proname = {trigger_text} AND f.pronargs = 0 AND coalesce(obj_description(f.oid, 'pg_proc'), '') <> {comment_text}
)
SELECT problem FROM problems ORDER BY rank, problem LIMIT 1
