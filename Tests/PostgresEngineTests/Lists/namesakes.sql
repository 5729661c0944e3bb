-- Namesakes in `public` of what PostgreSQL has itself, which suit a call as well or better. To use one is
-- an error, or makes a column of a wrong type.

SET search_path = pg_catalog;
SET client_min_messages = error;

CREATE FUNCTION public.namesake(text) RETURNS int LANGUAGE plpgsql SET search_path = pg_catalog
AS $$ BEGIN RAISE EXCEPTION 'the namesake of % was used', $1; END $$;

DO $do$
DECLARE
  one record;
  kinds text;
  body text;
BEGIN
  -- Functions, also for the types of literals: small numbers, and texts of another type.
  FOR one IN
    SELECT proname AS name, oidvectortypes(proargtypes) AS types,
      CASE WHEN proretset THEN 'SETOF ' ELSE '' END || prorettype::regtype AS result
    FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f'
      AND NOT EXISTS (
        SELECT FROM unnest(proargtypes::oid[] || prorettype) AS t JOIN pg_type ON pg_type.oid = t
        WHERE typtype = 'p' AND typname NOT IN ('void', 'anyelement', 'anyarray', 'anynonarray')
      )
  LOOP
    body := format('BEGIN PERFORM public.namesake(%L); END', one.name);
    FOR kinds IN
      SELECT DISTINCT unnest(ARRAY[
        one.types, replace(one.types, 'bigint', 'integer'), replace(one.types, 'text', 'varchar')
      ])
    LOOP
      BEGIN
        EXECUTE format('CREATE FUNCTION public.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L',
          one.name, kinds, one.result, body);
      EXCEPTION WHEN duplicate_function OR invalid_function_definition OR feature_not_supported THEN
      END;
    END LOOP;
  END LOOP;

  -- Operators, also between two types of texts.
  FOR one IN
    SELECT DISTINCT oprname AS name, l::regtype, r::regtype, result::regtype
    FROM (
      SELECT oprname, oprleft AS l, oprright AS r, oprresult AS result
      FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b'
      UNION SELECT oprname, 'varchar'::regtype, oprright, oprresult
      FROM pg_operator WHERE oprleft = 'text'::regtype AND oprright <> 0
      UNION SELECT oprname, oprleft, 'varchar'::regtype, oprresult
      FROM pg_operator WHERE oprright = 'text'::regtype AND oprleft <> 0
    ) AS operator
    WHERE NOT EXISTS (
      SELECT FROM pg_type WHERE pg_type.oid IN (l, r, result) AND typtype = 'p'
        AND typname NOT IN ('anyelement', 'anyarray', 'anynonarray')
    )
  LOOP
    BEGIN
      EXECUTE format(
        'CREATE FUNCTION public.%I(%s, %s) RETURNS %s LANGUAGE plpgsql AS %L',
        'operator' || one.name, one.l, one.r, one.result,
        format('BEGIN PERFORM public.namesake(%L); END', one.name)
      );
      EXECUTE format(
        'CREATE OPERATOR public.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = public.%I)',
        one.name, one.l, one.r, 'operator' || one.name
      );
    EXCEPTION WHEN duplicate_function OR invalid_function_definition OR feature_not_supported THEN
    END;
  END LOOP;

  -- Catalogues.
  FOR one IN
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'pg_catalog'::regnamespace AND relkind IN ('r', 'v')
  LOOP
    BEGIN
      EXECUTE format(
        'CREATE VIEW public.%I AS SELECT * FROM pg_catalog.%I WHERE public.namesake(%L) > 0',
        one.name, one.name, one.name
      );
    EXCEPTION WHEN invalid_table_definition THEN
    END;
  END LOOP;

  -- Types come last: from here on their names mean others.
  FOR one IN
    SELECT typname AS name FROM pg_type
    WHERE typnamespace = 'pg_catalog'::regnamespace AND typtype = 'b' AND typelem = 0
  LOOP
    EXECUTE format('CREATE TYPE public.%I AS ENUM (%L)', one.name, 'namesake');
  END LOOP;
END $do$;

CREATE FUNCTION public.counted(bigint) RETURNS bigint LANGUAGE plpgsql
AS $$ BEGIN PERFORM public.namesake('count'); END $$;
CREATE AGGREGATE public.count(*) (SFUNC = public.counted, STYPE = bigint, INITCOND = 0);
CREATE COLLATION public."C" (LOCALE = 'C.UTF-8');
