CREATE TABLE IF NOT EXISTS weir.file_predictions (
  schema String,
  model String,
  file String,
  state Int16,
  record String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, model, file);
