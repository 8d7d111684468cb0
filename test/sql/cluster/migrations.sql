CREATE TABLE IF NOT EXISTS weir.schemas___local ON CLUSTER `events` (
  name String,
  body String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.schemas ON CLUSTER `events` AS weir.schemas___local
ENGINE = Distributed('events', 'weir', 'schemas___local', cityHash64(name));

CREATE TABLE IF NOT EXISTS weir.stream_states___local ON CLUSTER `events` (
  schema String,
  stream String,
  state UInt8,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (schema, stream)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.stream_states ON CLUSTER `events` AS weir.stream_states___local
ENGINE = Distributed('events', 'weir', 'stream_states___local', cityHash64(schema, stream));

CREATE TABLE IF NOT EXISTS weir.pivots___local ON CLUSTER `events` (
  stream String,
  attribute String,
  value Float64,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (stream, attribute)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.pivots ON CLUSTER `events` AS weir.pivots___local
ENGINE = Distributed('events', 'weir', 'pivots___local', cityHash64(stream, attribute));

CREATE TABLE IF NOT EXISTS weir.secrets___local ON CLUSTER `events` (
  name String,
  value String,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.secrets ON CLUSTER `events` AS weir.secrets___local
ENGINE = Distributed('events', 'weir', 'secrets___local', cityHash64(name));

CREATE TABLE IF NOT EXISTS weir.settings___local ON CLUSTER `events` (
  name String,
  value String,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY name
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.settings ON CLUSTER `events` AS weir.settings___local
ENGINE = Distributed('events', 'weir', 'settings___local', cityHash64(name));

CREATE TABLE IF NOT EXISTS weir.usage___local ON CLUSTER `events` (
  minute Int64,
  events SimpleAggregateFunction(sum, UInt64),
  _applied SimpleAggregateFunction(maxMap, Map(UInt64, Int64)),
  PROJECTION _watermark (SELECT maxMap(_applied))
) ENGINE = ReplicatedAggregatingMergeTree
ORDER BY minute
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, deduplicate_merge_projection_mode = 'rebuild', fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.usage ON CLUSTER `events` AS weir.usage___local
ENGINE = Distributed('events', 'weir', 'usage___local', cityHash64(minute));

CREATE DATABASE IF NOT EXISTS weir_records ON CLUSTER `events`;

CREATE TABLE IF NOT EXISTS weir.tables___local ON CLUSTER `events` (
  storage String,
  body String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY storage
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.tables ON CLUSTER `events` AS weir.tables___local
ENGINE = Distributed('events', 'weir', 'tables___local', cityHash64(storage));

CREATE TABLE IF NOT EXISTS weir.consumers___local ON CLUSTER `events` (
  queue String,
  consumer_group String,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY queue
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.consumers ON CLUSTER `events` AS weir.consumers___local
ENGINE = Distributed('events', 'weir', 'consumers___local', cityHash64(queue));

CREATE TABLE IF NOT EXISTS weir.topic_positions___local ON CLUSTER `events` (
  queue String,
  base Int64,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY queue
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.topic_positions ON CLUSTER `events` AS weir.topic_positions___local
ENGINE = Distributed('events', 'weir', 'topic_positions___local', cityHash64(queue));

CREATE TABLE IF NOT EXISTS weir.processes___local ON CLUSTER `events` (
  id String,
  slot UInt16,
  slots UInt16,
  seen UInt64,
  is_gone UInt8,
  at DateTime64(3) DEFAULT now64(3),
  reach UInt64
) ENGINE = ReplicatedReplacingMergeTree(at)
ORDER BY id
TTL toDateTime(at) + INTERVAL 1 DAY;

CREATE TABLE IF NOT EXISTS weir.processes ON CLUSTER `events` AS weir.processes___local
ENGINE = Distributed('events', 'weir', 'processes___local', cityHash64(id));

CREATE TABLE IF NOT EXISTS weir.leases___local ON CLUSTER `events` (
  subject String,
  number UInt64,
  holder String,
  step LowCardinality(String),
  at DateTime64(3) DEFAULT now64(3)
) ENGINE = ReplicatedMergeTree
ORDER BY (subject, number)
TTL toDateTime(at) + INTERVAL 1 DAY DELETE WHERE step = 'alive'
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS weir.leases ON CLUSTER `events` AS weir.leases___local
ENGINE = Distributed('events', 'weir', 'leases___local', cityHash64(subject, number));

CREATE TABLE IF NOT EXISTS weir.runs___local ON CLUSTER `events` (
  id String,
  workflow LowCardinality(String),
  state LowCardinality(String),
  request String,
  outcome String,
  at DateTime DEFAULT now(),
  version UInt64,
  process String,
  deaths UInt32
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY id
TTL at + INTERVAL 30 DAY
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.runs ON CLUSTER `events` AS weir.runs___local
ENGINE = Distributed('events', 'weir', 'runs___local', cityHash64(id));

CREATE TABLE IF NOT EXISTS weir.geo_indexes___local ON CLUSTER `events` (
  graph String,
  label String,
  name String,
  latitude String,
  longitude String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (graph, label)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.geo_indexes ON CLUSTER `events` AS weir.geo_indexes___local
ENGINE = Distributed('events', 'weir', 'geo_indexes___local', cityHash64(graph, label));

CREATE TABLE IF NOT EXISTS weir.graph_merges___local ON CLUSTER `events` (
  graph String,
  primary_label String,
  primary_name String,
  secondary_label String,
  secondary_name String,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (graph, primary_label, primary_name, secondary_label, secondary_name)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.graph_merges ON CLUSTER `events` AS weir.graph_merges___local
ENGINE = Distributed('events', 'weir', 'graph_merges___local', cityHash64(graph, primary_label, primary_name, secondary_label, secondary_name));

CREATE TABLE IF NOT EXISTS weir.graph_gone___local ON CLUSTER `events` (
  graph String,
  label String,
  name String,
  until Int64
) ENGINE = ReplicatedReplacingMergeTree(until)
ORDER BY (graph, label, name)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.graph_gone ON CLUSTER `events` AS weir.graph_gone___local
ENGINE = Distributed('events', 'weir', 'graph_gone___local', cityHash64(graph, label, name));

CREATE TABLE IF NOT EXISTS weir.training_requests___local ON CLUSTER `events` (
  schema String,
  model String,
  training UInt64,
  state Int16,
  record String,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (schema, model, training)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.training_requests ON CLUSTER `events` AS weir.training_requests___local
ENGINE = Distributed('events', 'weir', 'training_requests___local', cityHash64(schema, model, training));

CREATE TABLE IF NOT EXISTS weir.models___local ON CLUSTER `events` (
  schema String,
  model String,
  number UInt32,
  state LowCardinality(String),
  record String,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (schema, model, number)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.models ON CLUSTER `events` AS weir.models___local
ENGINE = Distributed('events', 'weir', 'models___local', cityHash64(schema, model, number));

CREATE TABLE IF NOT EXISTS weir.file_predictions___local ON CLUSTER `events` (
  schema String,
  model String,
  file String,
  state Int16,
  record String,
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (schema, model, file)
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.file_predictions ON CLUSTER `events` AS weir.file_predictions___local
ENGINE = Distributed('events', 'weir', 'file_predictions___local', cityHash64(schema, model, file));

CREATE TABLE IF NOT EXISTS weir.api_keys___local ON CLUSTER `events` (
  id String,
  name String,
  hash String,
  scopes Array(String),
  places Array(String),
  created UInt64,
  expires UInt64,
  state LowCardinality(String),
  version UInt64
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY id
SETTINGS fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.api_keys ON CLUSTER `events` AS weir.api_keys___local
ENGINE = Distributed('events', 'weir', 'api_keys___local', cityHash64(id));

CREATE TABLE IF NOT EXISTS weir.api_key_uses___local ON CLUSTER `events` (
  id String,
  used SimpleAggregateFunction(max, UInt64)
) ENGINE = ReplicatedAggregatingMergeTree
ORDER BY id;

CREATE TABLE IF NOT EXISTS weir.api_key_uses ON CLUSTER `events` AS weir.api_key_uses___local
ENGINE = Distributed('events', 'weir', 'api_key_uses___local', cityHash64(id));

CREATE TABLE IF NOT EXISTS weir.changes___local ON CLUSTER `events` (
  ts UInt64,
  author String,
  what LowCardinality(String),
  name String,
  detail String
) ENGINE = ReplicatedMergeTree
ORDER BY ts
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.changes ON CLUSTER `events` AS weir.changes___local
ENGINE = Distributed('events', 'weir', 'changes___local', cityHash64(ts));

CREATE TABLE IF NOT EXISTS weir.notification_templates___local ON CLUSTER `events` (
  notifid Int64,
  at Int64,
  registered Int64,
  state Int8,
  secret String,
  body String
) ENGINE = ReplicatedMergeTree
ORDER BY (notifid, at)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.notification_templates ON CLUSTER `events` AS weir.notification_templates___local
ENGINE = Distributed('events', 'weir', 'notification_templates___local', cityHash64(notifid, at));

CREATE TABLE IF NOT EXISTS weir.notification_matches___local ON CLUSTER `events` (
  _source UInt64,
  _seq Int64,
  _notifid Int64,
  _schema LowCardinality(String),
  _event String CODEC(ZSTD),
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(_lane, _position)))
) ENGINE = ReplicatedMergeTree
ORDER BY (_seq, _source)
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, remove_empty_parts = 0, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.notification_matches ON CLUSTER `events` AS weir.notification_matches___local
ENGINE = Distributed('events', 'weir', 'notification_matches___local', cityHash64(_seq, _source));

CREATE TABLE IF NOT EXISTS weir.notification_log___local ON CLUSTER `events` (
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
) ENGINE = ReplicatedReplacingMergeTree(version)
ORDER BY (kind, notifid, ts, place)
SETTINGS replicated_deduplication_window = 10000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS weir.notification_log ON CLUSTER `events` AS weir.notification_log___local
ENGINE = Distributed('events', 'weir', 'notification_log___local', cityHash64(kind, notifid, ts, place));
