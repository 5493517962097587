-- Makes callboard_app the owner of this database and of everything in it. The server connects under this role, which has no other
-- rights. Run by a superuser in the database. It may run again at any time, and it is one transaction: an interrupted run changes nothing.
DO $$
DECLARE
  app oid;
  statement text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'callboard_app') THEN
    CREATE ROLE callboard_app LOGIN;
  END IF;
  SELECT oid INTO app FROM pg_roles WHERE rolname = 'callboard_app';
  IF EXISTS (
    SELECT FROM pg_roles
    WHERE oid = app AND (rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls OR NOT rolcanlogin)
  ) THEN
    ALTER ROLE callboard_app LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS;
  END IF;
  IF EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND datdba <> app) THEN
    EXECUTE format('ALTER DATABASE %I OWNER TO callboard_app', current_database());
  END IF;
  FOR statement IN
    -- REASSIGN OWNED does the same, but PostgreSQL refuses it for the objects of its first superuser.
    WITH ours AS (
      -- The schema public belongs to whoever owns the database.
      SELECT oid, nspname, nspowner FROM pg_namespace
      WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
      UNION ALL SELECT oid, nspname, app FROM pg_namespace WHERE nspname = 'public'
    ), of_extension AS (
      SELECT classid, objid FROM pg_depend WHERE deptype = 'e'
    )
    SELECT format('ALTER SCHEMA %I OWNER TO callboard_app', nspname) FROM ours
    WHERE nspowner <> app AND ('pg_namespace'::regclass, oid) NOT IN (SELECT * FROM of_extension)
    UNION ALL
    SELECT format('ALTER TABLE %I.%I OWNER TO callboard_app', nspname, relname)
    FROM pg_class AS c JOIN ours ON ours.oid = c.relnamespace
    WHERE relowner <> app AND relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
      AND ('pg_class'::regclass, c.oid) NOT IN (SELECT * FROM of_extension)
      -- The sequence of a column moves with its table.
      AND NOT EXISTS (
        SELECT FROM pg_depend
        WHERE relkind = 'S' AND classid = 'pg_class'::regclass AND objid = c.oid AND deptype IN ('a', 'i')
          AND refclassid = 'pg_class'::regclass
      )
    UNION ALL
    SELECT format('ALTER ROUTINE %s OWNER TO callboard_app', p.oid::regprocedure)
    FROM pg_proc AS p JOIN ours ON ours.oid = p.pronamespace
    WHERE proowner <> app AND ('pg_proc'::regclass, p.oid) NOT IN (SELECT * FROM of_extension)
    UNION ALL
    -- Arrays, and the types of tables, move with what they are made of.
    SELECT format('ALTER TYPE %I.%I OWNER TO callboard_app', nspname, typname)
    FROM pg_type AS t JOIN ours ON ours.oid = t.typnamespace LEFT JOIN pg_class AS c ON c.oid = t.typrelid
    WHERE typowner <> app AND typcategory <> 'A' AND typtype <> 'm' AND (c.oid IS NULL OR c.relkind = 'c')
      AND ('pg_type'::regclass, t.oid) NOT IN (SELECT * FROM of_extension)
  LOOP
    EXECUTE statement;
  END LOOP;
END $$;
