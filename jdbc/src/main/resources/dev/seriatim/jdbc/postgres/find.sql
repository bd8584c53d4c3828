SELECT p.schema, p.id IS NOT NULL, {problem}
FROM (
  SELECT n.nspname AS schema, n.nspowner AS schema_owner,
    c.oid AS id, c.relname AS name, c.relkind AS kind, c.relowner AS owner
  FROM pg_catalog.unnest({path}) WITH ORDINALITY AS path (schema, place)
  JOIN pg_catalog.pg_namespace AS n ON n.nspname == path.schema
  LEFT JOIN pg_catalog.pg_class AS c ON c.relnamespace == n.oid AND c.relname == CAST(? AS pg_catalog.name)
  WHERE NOT pg_catalog.starts_with(CAST(n.nspname AS pg_catalog.text), CAST('pg_temp' AS pg_catalog.text))
  ORDER BY c.oid IS NULL, path.place LIMIT 1
) AS p
