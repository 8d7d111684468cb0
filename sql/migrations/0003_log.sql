CREATE TABLE IF NOT EXISTS weir.consumers (
  queue String,
  consumer_group String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY queue
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.topic_positions (
  queue String,
  base Int64,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY queue
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
