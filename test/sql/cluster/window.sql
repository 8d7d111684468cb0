CREATE DATABASE IF NOT EXISTS `short` ON CLUSTER `events`;

CREATE TABLE IF NOT EXISTS `short`.`day___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String)
) ENGINE = ReplicatedMergeTree
PARTITION BY intDiv(_pk, 10800000000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 86400, 4294967295))
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 3600;

CREATE TABLE IF NOT EXISTS `short`.`day` ON CLUSTER `events` AS `short`.`day___local`
ENGINE = Distributed('events', 'short', 'day___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `short`.`minute___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String)
) ENGINE = ReplicatedMergeTree
PARTITION BY intDiv(_pk, 7500000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 60, 4294967295))
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 8;

CREATE TABLE IF NOT EXISTS `short`.`minute` ON CLUSTER `events` AS `short`.`minute___local`
ENGINE = Distributed('events', 'short', 'minute___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `short`.`minute__60___local` ON CLUSTER `events` (
  `_interval` Int64,
  `_cnt_a` SimpleAggregateFunction(sum, UInt64)
) ENGINE = ReplicatedAggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `short`.`minute__60` ON CLUSTER `events` AS `short`.`minute__60___local`
ENGINE = Distributed('events', 'short', 'minute__60___local', cityHash64(`_interval`));

CREATE TABLE IF NOT EXISTS `short`.`day__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `short`.`minute__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`day__from__day` ON CLUSTER `events`
TO `short`.`day___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`
FROM `short`.`day__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__from__minute` ON CLUSTER `events`
TO `short`.`minute___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`
FROM `short`.`minute__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__60__from__minute` ON CLUSTER `events`
TO `short`.`minute__60___local` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`a`) AS `_cnt_a`
FROM `short`.`minute__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`weir_usage__from__day` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `short`.`day__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`weir_usage__from__minute` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `short`.`minute__in`
GROUP BY minute;

CREATE VIEW IF NOT EXISTS `short`.`minute_by_60s` ON CLUSTER `events` AS SELECT
  `interval_start`,
  `_n_a` AS `a_cnt`
FROM (SELECT
  fromUnixTimestamp64Micro(_interval) AS `interval_start`,
  sum(`_cnt_a`) AS `_n_a`
FROM `short`.`minute__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_a`) > 0);
