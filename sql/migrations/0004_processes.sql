CREATE TABLE IF NOT EXISTS weir.processes (
  id String,
  slot UInt16,
  slots UInt16,
  seen UInt64,
  is_gone UInt8,
  at DateTime64(3) DEFAULT now64(3),
  reach UInt64
) ENGINE = ReplacingMergeTree(at)
ORDER BY id
TTL toDateTime(at) + INTERVAL 1 DAY;

CREATE TABLE IF NOT EXISTS weir.leases (
  subject String,
  number UInt64,
  holder String,
  step LowCardinality(String),
  at DateTime64(3) DEFAULT now64(3)
) ENGINE = MergeTree
ORDER BY (subject, number)
TTL toDateTime(at) + INTERVAL 1 DAY DELETE WHERE step = 'alive'
SETTINGS non_replicated_deduplication_window = 10000;
