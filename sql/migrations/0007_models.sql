CREATE TABLE IF NOT EXISTS weir.training_requests (
  schema String,
  model String,
  training UInt64,
  state Int16,
  record String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, model, training)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.models (
  schema String,
  model String,
  number UInt32,
  state LowCardinality(String),
  record String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, model, number)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.file_predictions (
  schema String,
  model String,
  file String,
  state Int16,
  record String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, model, file)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
