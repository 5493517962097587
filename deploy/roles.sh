#!/bin/sh
# Gives the nodes a role that owns their database and has no other rights. Runs when the database is made. For a database from before
# this role, or to change the password, run it once: docker compose exec postgres sh /docker-entrypoint-initdb.d/roles.sh
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --no-psqlrc --quiet --set=ON_ERROR_STOP=1 <<'SQL'
\i /roles.sql
\getenv password DATABASE_PASSWORD
ALTER ROLE callboard_app PASSWORD :'password';
SQL
