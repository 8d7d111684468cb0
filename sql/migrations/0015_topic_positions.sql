CREATE TABLE IF NOT EXISTS weir.topic_positions (
  queue String,
  base Int64,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY queue;
