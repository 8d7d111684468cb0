CREATE DATABASE IF NOT EXISTS weir_records;

CREATE TABLE IF NOT EXISTS weir.tables (
  storage String,
  body String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY storage
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
