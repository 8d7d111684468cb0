CREATE TABLE IF NOT EXISTS weir.runs (
  id String,
  workflow LowCardinality(String),
  state LowCardinality(String),
  request String,
  outcome String,
  at DateTime DEFAULT now(),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY id
TTL at + INTERVAL 30 DAY;
