CREATE TABLE IF NOT EXISTS weir.runs (
  id String,
  workflow LowCardinality(String),
  state LowCardinality(String),
  request String,
  outcome String,
  at DateTime DEFAULT now(),
  version UInt64,
  process String,
  deaths UInt32
) ENGINE = ReplacingMergeTree(version)
ORDER BY id
TTL at + INTERVAL 30 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
