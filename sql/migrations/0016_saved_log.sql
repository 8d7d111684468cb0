CREATE TABLE IF NOT EXISTS weir.saved_log (
  kind LowCardinality(String),
  name String,
  part String,
  number UInt64,
  place UInt64,
  version UInt64,
  at Int64,
  notifid Int64,
  body String CODEC(ZSTD)
) ENGINE = ReplacingMergeTree(version)
ORDER BY (kind, name, part, number, place)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
