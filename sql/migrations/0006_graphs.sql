CREATE TABLE IF NOT EXISTS weir.geo_indexes (
  graph String,
  label String,
  name String,
  latitude String,
  longitude String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (graph, label)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.graph_merges (
  graph String,
  primary_label String,
  primary_name String,
  secondary_label String,
  secondary_name String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (graph, primary_label, primary_name, secondary_label, secondary_name)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.graph_gone (
  graph String,
  label String,
  name String,
  until Int64
) ENGINE = ReplacingMergeTree(until)
ORDER BY (graph, label, name)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
