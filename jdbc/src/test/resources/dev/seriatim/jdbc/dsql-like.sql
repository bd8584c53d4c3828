-- Makes a PostgreSQL database act like Aurora DSQL where it matters here: nothing waits for a row, and of transactions that
-- changed the same row, all but the first to commit fail, when they commit. For tests alone.
--
-- A table made in schema public becomes a view. What is written through the view is appended to a log as a new version of
-- the row, which blocks nobody; the view shows each row's last version that the transaction can see, its own included. At
-- commit, each version claims the one that it replaces; a second claim on the same version breaks a unique index, which
-- looks at what others have committed whatever the snapshot, and fails as DSQL does: 40001, OC000. A transaction that wrote
-- before the schema changed fails with OC001. A table with an identity column stays a table, since no view has one.
--
-- The documented limits fail with the documented errors (54000). A test lowers a limit with ALTER DATABASE … SET dsql.most_….

CREATE SCHEMA sys;
-- By this, a client tells DSQL from PostgreSQL.
CREATE TABLE sys.jobs (job_id text PRIMARY KEY);

CREATE SCHEMA dsql;
CREATE SEQUENCE dsql.versions;
CREATE SEQUENCE dsql.schema_changes;
CREATE TABLE dsql.claims (relation text, replaced bigint, row_key text, PRIMARY KEY (relation, replaced, row_key));

CREATE FUNCTION dsql.check_limit(what text, used numeric, documented numeric, message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    IF used > coalesce(nullif(current_setting('dsql.most_' || what, true), '')::numeric, documented) THEN
        RAISE EXCEPTION '%', message USING ERRCODE = 'program_limit_exceeded';
    END IF;
END $$;

-- Adds to a sum that ends with the transaction.
CREATE FUNCTION dsql.sum(what text, more numeric) RETURNS numeric LANGUAGE sql AS $$
    SELECT set_config('dsql.sum_' || what,
        (coalesce(nullif(current_setting('dsql.sum_' || what, true), '')::numeric, 0) + more)::text, true)::numeric
$$;

CREATE FUNCTION dsql.check_age() RETURNS void LANGUAGE sql AS $$
    SELECT dsql.check_limit('seconds', extract(epoch FROM clock_timestamp() - transaction_timestamp()), 300,
        'transaction age limit of 300s exceeded')
$$;

CREATE FUNCTION dsql.append() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    key text := TG_ARGV[0];
    before jsonb := to_jsonb(OLD);
    after jsonb := to_jsonb(NEW);
    base bigint;
    gone boolean;
BEGIN
    EXECUTE format('SELECT version, deleted FROM dsql.%I WHERE row_key = $1 ORDER BY version DESC LIMIT 1', TG_TABLE_NAME)
        INTO base, gone USING coalesce(before, after) ->> key;
    IF TG_OP = 'INSERT' AND NOT gone THEN
        RAISE EXCEPTION 'duplicate key value violates unique constraint "%_pkey"', TG_TABLE_NAME
            USING ERRCODE = 'unique_violation';
    END IF;
    EXECUTE format('INSERT INTO dsql.%I VALUES ($1, nextval(''dsql.versions''), $2, $3, $4, $5)', TG_TABLE_NAME)
        USING coalesce(before, after) ->> key, coalesce(base, 0), TG_OP = 'DELETE', coalesce(after, before),
            (SELECT last_value FROM dsql.schema_changes);
    PERFORM dsql.check_limit('rows', dsql.sum('rows', 1), 3000, 'transaction row limit exceeded');
    RETURN coalesce(NEW, OLD);
END $$;

CREATE FUNCTION dsql.claim() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.schema_version <> (SELECT last_value FROM dsql.schema_changes) THEN
        RAISE EXCEPTION 'schema has been updated by another transaction, please retry: (OC001)'
            USING ERRCODE = 'serialization_failure';
    END IF;
    INSERT INTO dsql.claims VALUES (TG_TABLE_NAME, NEW.replaced, NEW.row_key);
    PERFORM dsql.check_limit('bytes', dsql.sum('bytes', pg_column_size(NEW.content)), 10485760,
        'transaction size limit 10mb exceeded');
    PERFORM dsql.check_age();
    RETURN NULL;
EXCEPTION WHEN unique_violation THEN
    RAISE EXCEPTION 'change conflicts with another transaction, please retry: (OC000)'
        USING ERRCODE = 'serialization_failure';
END $$;

CREATE FUNCTION dsql.make_optimistic(name text, key text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    of_column record;
BEGIN
    EXECUTE format('ALTER TABLE public.%1$I SET SCHEMA dsql', name);
    EXECUTE format('ALTER TABLE dsql.%1$I RENAME TO %2$I', name, name || '_shape');
    EXECUTE format('CREATE TABLE dsql.%1$I (row_key text, version bigint, replaced bigint, deleted boolean, content jsonb,'
        || ' schema_version bigint, PRIMARY KEY (row_key, version))', name);
    EXECUTE format('CREATE CONSTRAINT TRIGGER claim AFTER INSERT ON dsql.%1$I DEFERRABLE INITIALLY DEFERRED'
        || ' FOR EACH ROW EXECUTE FUNCTION dsql.claim()', name);
    -- Over a function, so that FOR UPDATE finds no row that it could wait for.
    EXECUTE format('CREATE FUNCTION dsql.%3$I() RETURNS SETOF dsql.%2$I STABLE LANGUAGE sql AS'
        || ' ''SELECT (jsonb_populate_record(NULL::dsql.%2$I, content)).* FROM dsql.%1$I a WHERE NOT deleted AND NOT EXISTS'
        || ' (SELECT FROM dsql.%1$I b WHERE b.row_key = a.row_key AND b.version > a.version)''',
        name, name || '_shape', name || '_rows');
    EXECUTE format('CREATE VIEW public.%1$I AS SELECT * FROM dsql.%2$I()', name, name || '_rows');
    EXECUTE format('CREATE TRIGGER append INSTEAD OF INSERT OR UPDATE OR DELETE ON public.%1$I'
        || ' FOR EACH ROW EXECUTE FUNCTION dsql.append(%2$L)', name, key);
    FOR of_column IN
        SELECT a.attname, pg_get_expr(d.adbin, d.adrelid) AS given
          FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
         WHERE d.adrelid = format('dsql.%I', name || '_shape')::regclass
    LOOP
        EXECUTE format('ALTER VIEW public.%I ALTER COLUMN %I SET DEFAULT %s', name, of_column.attname, of_column.given);
    END LOOP;
END $$;

CREATE FUNCTION dsql.on_ddl() RETURNS event_trigger LANGUAGE plpgsql AS $$
DECLARE
    made record;
BEGIN
    PERFORM nextval('dsql.schema_changes');
    PERFORM dsql.check_limit('sequences', count(*) FILTER (WHERE relkind = 'S'), 5000,
            'creating more than 5000 sequences is not allowed'),
        dsql.check_limit('tables', count(*) FILTER (WHERE relkind IN ('r', 'v')), 1000,
            'creating more than 1000 tables not allowed')
       FROM pg_class WHERE relnamespace = 'public'::regnamespace;
    FOR made IN
        SELECT c.relname, a.attname
          FROM pg_event_trigger_ddl_commands() d
          JOIN pg_class c ON c.oid = d.objid
          JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
          JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = i.indkey[0]
         WHERE d.command_tag = 'CREATE TABLE' AND d.object_type = 'table' AND d.schema_name = 'public'
           AND NOT EXISTS (SELECT FROM pg_attribute i WHERE i.attrelid = c.oid AND i.attidentity <> '')
    LOOP
        PERFORM dsql.make_optimistic(made.relname, made.attname);
    END LOOP;
END $$;

CREATE EVENT TRIGGER dsql_ddl ON ddl_command_end EXECUTE FUNCTION dsql.on_ddl();
