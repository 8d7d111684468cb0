CREATE TABLE IF NOT EXISTS weir.kept (
  id String,
  kind LowCardinality(String),
  name String,
  body String,
  state LowCardinality(String),
  deleted Int64,
  until Int64,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
