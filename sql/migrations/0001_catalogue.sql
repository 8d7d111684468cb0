CREATE TABLE IF NOT EXISTS weir.schemas (
  name String,
  body String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name;

CREATE TABLE IF NOT EXISTS weir.stream_states (
  schema String,
  stream String,
  state UInt8,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (schema, stream);

CREATE TABLE IF NOT EXISTS weir.pivots (
  stream String,
  attribute String,
  value Float64,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY (stream, attribute);

CREATE TABLE IF NOT EXISTS weir.secrets (
  name String,
  value String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY name;

CREATE TABLE IF NOT EXISTS weir.usage (
  minute Int64,
  events SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY minute
SETTINGS non_replicated_deduplication_window = 10000;
