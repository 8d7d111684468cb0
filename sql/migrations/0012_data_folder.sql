CREATE TABLE IF NOT EXISTS weir.data_id (
  id String,
  at DateTime64(3) DEFAULT now64(3)
) ENGINE = MergeTree
ORDER BY id
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
