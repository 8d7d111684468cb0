CREATE TABLE IF NOT EXISTS weir.sources (
  name String,
  body String CODEC(ZSTD),
  author String,
  at Int64,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
