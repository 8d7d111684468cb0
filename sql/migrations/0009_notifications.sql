CREATE TABLE IF NOT EXISTS weir.notification_templates (
  notifid Int64,
  at Int64,
  registered Int64,
  state Int8,
  secret String,
  body String
) ENGINE = MergeTree
ORDER BY (notifid, at)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.notification_matches (
  _source UInt64,
  _seq Int64,
  _notifid Int64,
  _schema LowCardinality(String),
  _event String CODEC(ZSTD),
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(_lane, _position)))
) ENGINE = MergeTree
ORDER BY (_seq, _source)
SETTINGS non_replicated_deduplication_window = 10000, remove_empty_parts = 0, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.notification_log (
  kind LowCardinality(String),
  notifid Int64,
  ts Int64,
  place Int64,
  version UInt64,
  endpoint String,
  priority UInt8,
  next_try Int64,
  body String CODEC(ZSTD),
  handled Array(Tuple(UInt64, Int64)) CODEC(ZSTD)
) ENGINE = ReplacingMergeTree(version)
ORDER BY (kind, notifid, ts, place)
SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;
