CREATE TABLE IF NOT EXISTS weir.model_aliases (
  schema String,
  model String,
  alias String,
  number UInt32,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, model, alias)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
