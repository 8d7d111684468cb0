#!/bin/sh
# Makes Temporal's two databases in PostgreSQL, or brings them up to date. Where one is there already the first two
# steps fail, and that is no fault; whatever else is wrong lets the third one fail.
set -u
for pair in temporal:temporal temporal_visibility:visibility; do
  database=${pair%%:*}
  temporal-sql-tool --db "$database" create || true
  temporal-sql-tool --db "$database" setup-schema -v 0.0 || true
  temporal-sql-tool --db "$database" update-schema -d "/etc/temporal/schema/postgresql/v12/${pair##*:}/versioned" || exit 1
done
