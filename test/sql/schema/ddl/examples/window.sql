CREATE DATABASE IF NOT EXISTS `short`;

CREATE TABLE IF NOT EXISTS `short`.`day` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `a` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
PARTITION BY intDiv(_pk, 10800000000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 86400, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 3600
COMMENT 'Events of the stream short.day';

CREATE TABLE IF NOT EXISTS `short`.`minute` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `a` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
PARTITION BY intDiv(_pk, 7500000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 60, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 8
COMMENT 'Events of the stream short.minute';

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

CREATE OR REPLACE VIEW `short`.`minute_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `a_cnt` UInt64 COMMENT 'Number of values of a'
) AS SELECT
  `interval_start`,
  `_n_a` AS `a_cnt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_a`) AS `_n_a`
FROM `short`.`minute__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_a`) > 0)
COMMENT 'Running statistics of short.minute: a row an interval of 60 s';
