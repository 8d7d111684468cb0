CREATE TABLE IF NOT EXISTS weir.source_progress (
  name String,
  record String CODEC(ZSTD),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
