CREATE DATABASE IF NOT EXISTS `short` ON CLUSTER `events`;

CREATE TABLE IF NOT EXISTS `short`.`day___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String),
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(sipHash64(_lane, intDiv(_pk, 10800000000) % 32), _position)))
) ENGINE = ReplicatedMergeTree
PARTITION BY intDiv(_pk, 10800000000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 86400, 4294967295))
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild', ttl_only_drop_parts = 1, merge_with_ttl_timeout = 3600;

CREATE TABLE IF NOT EXISTS `short`.`day` ON CLUSTER `events` AS `short`.`day___local`
ENGINE = Distributed('events', 'short', 'day___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `short`.`minute___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String),
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(sipHash64(_lane, intDiv(_pk, 7500000) % 32), _position)))
) ENGINE = ReplicatedMergeTree
PARTITION BY intDiv(_pk, 7500000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 60, 4294967295))
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild', ttl_only_drop_parts = 1, merge_with_ttl_timeout = 8;

CREATE TABLE IF NOT EXISTS `short`.`minute` ON CLUSTER `events` AS `short`.`minute___local`
ENGINE = Distributed('events', 'short', 'minute___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `short`.`minute__60___local` ON CLUSTER `events` (
  `_interval` Int64,
  `_cnt_a` SimpleAggregateFunction(sum, UInt64),
  _applied SimpleAggregateFunction(maxMap, Map(UInt64, Int64)),
  PROJECTION _watermark (SELECT maxMap(_applied))
) ENGINE = ReplicatedAggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS `short`.`minute__60` ON CLUSTER `events` AS `short`.`minute__60___local`
ENGINE = Distributed('events', 'short', 'minute__60___local', cityHash64(`_interval`));

CREATE TABLE IF NOT EXISTS `short`.`day__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String),
  _lane UInt64,
  _position Int64
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `short`.`minute__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String),
  _lane UInt64,
  _position Int64
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`day__from__day` ON CLUSTER `events`
TO `short`.`day___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`,
  _lane,
  _position
FROM (SELECT * FROM `short`.`day__in` WHERE _position > (SELECT maxMap(map(sipHash64(_lane, intDiv(_pk, 10800000000) % 32), _position)) FROM `short`.`day`)[sipHash64(_lane, intDiv(_pk, 10800000000) % 32)]);

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__from__minute` ON CLUSTER `events`
TO `short`.`minute___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`,
  _lane,
  _position
FROM (SELECT * FROM `short`.`minute__in` WHERE _position > (SELECT maxMap(map(sipHash64(_lane, intDiv(_pk, 7500000) % 32), _position)) FROM `short`.`minute`)[sipHash64(_lane, intDiv(_pk, 7500000) % 32)]);

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__60__from__minute` ON CLUSTER `events`
TO `short`.`minute__60___local` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`a`) AS `_cnt_a`,
  maxMap(map(sipHash64('minute__60__from__minute', _row._lane), _row._position)) AS _applied
FROM (SELECT * FROM `short`.`minute__in` WHERE _position > (SELECT maxMap(_applied) FROM `short`.`minute__60`)[sipHash64('minute__60__from__minute', _lane)]) AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`weir_usage__from__day` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events,
  maxMap(map(sipHash64('short.weir_usage__from__day', _lane), _position)) AS _applied
FROM (SELECT * FROM `short`.`day__in` WHERE _position > (SELECT maxMap(_applied) FROM weir.usage)[sipHash64('short.weir_usage__from__day', _lane)])
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`weir_usage__from__minute` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events,
  maxMap(map(sipHash64('short.weir_usage__from__minute', _lane), _position)) AS _applied
FROM (SELECT * FROM `short`.`minute__in` WHERE _position > (SELECT maxMap(_applied) FROM weir.usage)[sipHash64('short.weir_usage__from__minute', _lane)])
GROUP BY minute;

CREATE TABLE IF NOT EXISTS `short`.`day__delivered` ON CLUSTER `events` (
  `_pk` Int64,
  `_seq` Int64,
  `_rest` String,
  `a` Nullable(String),
  _lane UInt64,
  _position Int64,
  _line String,
  _reason String
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `short`.`day__rejected___local` ON CLUSTER `events` (
  at DateTime64(6) DEFAULT now64(6),
  line String,
  reason String,
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(_lane, _position)))
) ENGINE = ReplicatedMergeTree
ORDER BY at
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS `short`.`day__rejected` ON CLUSTER `events` AS `short`.`day__rejected___local`
ENGINE = Distributed('events', 'short', 'day__rejected___local', cityHash64(at));

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`day__rejected__from__day` ON CLUSTER `events`
TO `short`.`day__rejected___local` AS
SELECT _line AS line, _reason AS reason, _lane, _position
FROM (SELECT * FROM (SELECT * FROM `short`.`day__delivered` WHERE _reason != '') WHERE _position > (SELECT maxMap(map(_lane, _position)) FROM `short`.`day__rejected`)[_lane]);

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`day__in__from__day` ON CLUSTER `events`
TO `short`.`day__in` AS SELECT
  `_pk`,
  `_seq`,
  `_rest`,
  `a`,
  _lane,
  _position
FROM `short`.`day__delivered`
WHERE _reason = '';

CREATE TABLE IF NOT EXISTS `short`.`minute__delivered` ON CLUSTER `events` (
  `_pk` Int64,
  `_seq` Int64,
  `_rest` String,
  `a` Nullable(String),
  _lane UInt64,
  _position Int64,
  _line String,
  _reason String
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `short`.`minute__rejected___local` ON CLUSTER `events` (
  at DateTime64(6) DEFAULT now64(6),
  line String,
  reason String,
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(_lane, _position)))
) ENGINE = ReplicatedMergeTree
ORDER BY at
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS `short`.`minute__rejected` ON CLUSTER `events` AS `short`.`minute__rejected___local`
ENGINE = Distributed('events', 'short', 'minute__rejected___local', cityHash64(at));

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__rejected__from__minute` ON CLUSTER `events`
TO `short`.`minute__rejected___local` AS
SELECT _line AS line, _reason AS reason, _lane, _position
FROM (SELECT * FROM (SELECT * FROM `short`.`minute__delivered` WHERE _reason != '') WHERE _position > (SELECT maxMap(map(_lane, _position)) FROM `short`.`minute__rejected`)[_lane]);

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__in__from__minute` ON CLUSTER `events`
TO `short`.`minute__in` AS SELECT
  `_pk`,
  `_seq`,
  `_rest`,
  `a`,
  _lane,
  _position
FROM `short`.`minute__delivered`
WHERE _reason = '';

CREATE VIEW IF NOT EXISTS `short`.`minute_by_60s` ON CLUSTER `events` AS SELECT
  `interval_start`,
  `_n_a` AS `a_cnt`
FROM (SELECT
  fromUnixTimestamp64Micro(_interval) AS `interval_start`,
  sum(`_cnt_a`) AS `_n_a`
FROM `short`.`minute__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_a`) > 0);
