(WITH trusted AS (
  SELECT r.oid AS id FROM pg_catalog.pg_roles AS r
  WHERE r.rolsuper OR r.rolname == CURRENT_USER OR r.rolname == CAST('pg_database_owner' AS pg_catalog.name)
    OR EXISTS (SELECT FROM pg_catalog.pg_roles AS named WHERE named.rolname == CAST(? AS pg_catalog.name)
      AND pg_catalog.pg_has_role(r.oid, named.oid, CAST('USAGE' AS pg_catalog.text)))
  UNION ALL
  SELECT d.datdba FROM pg_catalog.pg_database AS d WHERE d.datname == pg_catalog.current_database()
), parts AS (
  SELECT d.classid, d.objid FROM pg_catalog.pg_depend AS d
  WHERE d.refclassid == {pg_class} AND d.refobjid == p.id
    AND d.deptype == ANY (CAST('{a,i}' AS pg_catalog."char"[]))
  UNION ALL
  SELECT {pg_class}, p.id
), owned AS (
  SELECT {pg_proc} AS class, o.oid AS id, o.proowner AS owner FROM pg_catalog.pg_proc AS o
  UNION ALL SELECT {pg_type}, o.oid, o.typowner FROM pg_catalog.pg_type AS o
  UNION ALL SELECT {pg_operator}, o.oid, o.oprowner FROM pg_catalog.pg_operator AS o
)
SELECT CASE
  WHEN p.schema_owner <> ALL (ARRAY(SELECT id FROM trusted))
  THEN pg_catalog.format('schema %I belongs to %I, who could replace the table by code that runs with the'
    ' rights of %I; name the role %2$I if you trust it (seriatim.owner in a jdbc: URL, SequenceTable.ownedBy), or use'
    ' another schema (currentSchema in the URL)', p.schema, pg_catalog.pg_get_userbyid(p.schema_owner), CURRENT_USER)
  WHEN p.kind <> CAST('r' AS pg_catalog."char") OR EXISTS (
    SELECT FROM pg_catalog.pg_inherits AS h WHERE h.inhrelid == p.id OR h.inhparent == p.id)
  THEN pg_catalog.format('%I.%I is not an ordinary table, so code of others could run in it with the rights of %I; drop it'
    ' or name another table', p.schema, p.name, CURRENT_USER)
  WHEN p.owner <> ALL (ARRAY(SELECT id FROM trusted))
  THEN pg_catalog.format('table %I.%I belongs to %I, who could have triggers run with the rights of %I; name the role'
    ' %3$I if you trust it (seriatim.owner in a jdbc: URL, SequenceTable.ownedBy), or name another table',
    p.schema, p.name, pg_catalog.pg_get_userbyid(p.owner), CURRENT_USER)
  ELSE coalesce((
    SELECT pg_catalog.format('%s of %I refers to table %I.%I, so its code could run when a row goes, with the rights'
      ' of %I; drop that constraint', pg_catalog.pg_describe_object({pg_class}, r.oid, 0),
      pg_catalog.pg_get_userbyid(r.relowner), p.schema, p.name, CURRENT_USER)
    FROM pg_catalog.pg_constraint AS k JOIN pg_catalog.pg_class AS r ON r.oid == k.conrelid
    WHERE k.confrelid == p.id AND r.relowner <> ALL (ARRAY(SELECT id FROM trusted)) LIMIT 1
  ), (
    SELECT pg_catalog.format('%s uses %s of %I, which table %I.%I would run with the rights of %I; drop it',
      pg_catalog.pg_describe_object(d.classid, d.objid, u.objsubid),
      pg_catalog.pg_describe_object(u.refclassid, u.refobjid, 0),
      pg_catalog.pg_get_userbyid(o.owner), p.schema, p.name, CURRENT_USER)
    FROM parts AS d
    JOIN pg_catalog.pg_depend AS u ON u.classid == d.classid AND u.objid == d.objid
    JOIN owned AS o ON o.class == u.refclassid AND o.id == u.refobjid
    WHERE o.owner <> ALL (ARRAY(SELECT id FROM trusted)) LIMIT 1
  )) END)
