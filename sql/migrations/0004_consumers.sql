CREATE TABLE IF NOT EXISTS weir.consumers (
  queue String,
  consumer_group String,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY queue;
