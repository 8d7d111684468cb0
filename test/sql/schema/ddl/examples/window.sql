CREATE DATABASE IF NOT EXISTS `short`;

CREATE TABLE IF NOT EXISTS `short`.`day` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String)
) ENGINE = MergeTree
PARTITION BY intDiv(_pk, 10800000000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 86400, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 3600;

CREATE TABLE IF NOT EXISTS `short`.`minute` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String)
) ENGINE = MergeTree
PARTITION BY intDiv(_pk, 7500000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 60, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 8;

CREATE TABLE IF NOT EXISTS `short`.`minute__60` (
  `_interval` Int64,
  `_cnt_a` SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `short`.`day__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `short`.`minute__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`day__from__day`
TO `short`.`day` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`
FROM `short`.`day__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__from__minute`
TO `short`.`minute` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`
FROM `short`.`minute__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`minute__60__from__minute`
TO `short`.`minute__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`a`) AS `_cnt_a`
FROM `short`.`minute__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`weir_usage__from__day`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `short`.`day__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `short`.`weir_usage__from__minute`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `short`.`minute__in`
GROUP BY minute;

CREATE VIEW IF NOT EXISTS `short`.`minute_by_60s` AS SELECT
  `interval_start`,
  `_n_a` AS `a_cnt`
FROM (SELECT
  fromUnixTimestamp64Micro(_interval) AS `interval_start`,
  sum(`_cnt_a`) AS `_n_a`
FROM `short`.`minute__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_a`) > 0);
