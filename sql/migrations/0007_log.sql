CREATE TABLE IF NOT EXISTS weir.log (
  kind LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY tuple();
