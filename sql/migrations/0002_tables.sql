CREATE DATABASE IF NOT EXISTS weir_records;

CREATE TABLE IF NOT EXISTS weir.tables (
  storage String,
  body String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY storage;

CREATE TABLE IF NOT EXISTS weir.notifications (
  notifid Int64,
  body String,
  state Int8,
  version UInt64
) ENGINE = ReplacingMergeTree(version)
ORDER BY notifid;

CREATE TABLE IF NOT EXISTS weir.sent_notifications (
  notifid Int64,
  _pk Int64,
  body String
) ENGINE = MergeTree
ORDER BY (notifid, _pk);
