CREATE TABLE IF NOT EXISTS weir.training_requests (
  schema String,
  model String,
  training UInt64,
  state Int16,
  record String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, model, training);

CREATE TABLE IF NOT EXISTS weir.models (
  schema String,
  model String,
  number UInt32,
  state LowCardinality(String),
  record String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, model, number);
