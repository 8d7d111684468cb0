CREATE TABLE IF NOT EXISTS weir.api_keys (
  id String,
  name String,
  hash String,
  scopes Array(String),
  places Array(String),
  created UInt64,
  expires UInt64,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.api_key_uses (
  id String,
  used SimpleAggregateFunction(max, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY id;

CREATE TABLE IF NOT EXISTS weir.changes (
  ts UInt64,
  author String,
  what LowCardinality(String),
  name String,
  detail String
) ENGINE = MergeTree
ORDER BY ts
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
