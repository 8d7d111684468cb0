CREATE TABLE IF NOT EXISTS weir.schemas (
  name String,
  body String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.stream_states (
  schema String,
  stream String,
  state UInt8,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, stream)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.pivots (
  stream String,
  attribute String,
  value Float64,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (stream, attribute)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.secrets (
  name String,
  value String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.settings (
  name String,
  value String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.usage (
  minute Int64,
  events SimpleAggregateFunction(sum, UInt64),
  _applied SimpleAggregateFunction(maxMap, Map(UInt64, Int64)),
  PROJECTION _watermark (SELECT maxMap(_applied))
) ENGINE = AggregatingMergeTree
ORDER BY minute
SETTINGS non_replicated_deduplication_window = 10000, deduplicate_merge_projection_mode = 'rebuild', fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
