CREATE DATABASE IF NOT EXISTS `alarms` ON CLUSTER `events`;

CREATE TABLE IF NOT EXISTS `alarms`.`gauge___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `place` Nullable(String),
  `value` Nullable(Float64),
  `event` Nullable(Bool),
  `at.floor` Nullable(Int64)
) ENGINE = ReplicatedMergeTree
ORDER BY (_pk, _seq)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `alarms`.`gauge` ON CLUSTER `events` AS `alarms`.`gauge___local`
ENGINE = Distributed('events', 'alarms', 'gauge___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `alarms`.`upper___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `place` Nullable(String),
  `value` Nullable(Float64)
) ENGINE = ReplicatedMergeTree
ORDER BY (_pk, _seq)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `alarms`.`upper` ON CLUSTER `events` AS `alarms`.`upper___local`
ENGINE = Distributed('events', 'alarms', 'upper___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `alarms`.`gauge__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `place` Nullable(String),
  `value` Nullable(Float64),
  `event` Nullable(Bool),
  `at.floor` Nullable(Int64)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `alarms`.`upper__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `place` Nullable(String),
  `value` Nullable(Float64)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`gauge__from__gauge` ON CLUSTER `events`
TO `alarms`.`gauge___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `place`,
  `value`,
  `event`,
  `at.floor`
FROM `alarms`.`gauge__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`upper__from__upper` ON CLUSTER `events`
TO `alarms`.`upper___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `place`,
  `value`
FROM `alarms`.`upper__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_usage__from__gauge` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `alarms`.`gauge__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`upper__in__from__gauge` ON CLUSTER `events`
TO `alarms`.`upper__in` AS
SELECT
  _pk,
  _seq,
  '' AS _rest,
  `place`,
  `value`
FROM `alarms`.`gauge__in` AS _row
WHERE `at.floor` >= 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_notices__from__gauge` ON CLUSTER `events`
TO weir.notification_matches___local AS SELECT
  sipHash64('alarms.weir_notices__from__gauge') AS _source,
  _seq,
  7 AS _notifid,
  'alarms' AS _schema,
  concat('{"_pk":', toString(_row._pk), ',"_v":1', if(isNull(_row.`place`), '', concat(',"place":', assumeNotNull(toJSONString(_row.`place`)))), if(isNull(_row.`value`), '', concat(',"value":', assumeNotNull(toString(_row.`value`)))), if(isNull(_row.`event`), '', concat(',"event":', assumeNotNull(toString(_row.`event`)))), if(_row._rest IN ('', '{}'), '}', concat(',', substring(_row._rest, 2)))) AS _event
FROM `alarms`.`gauge__in` AS _row
WHERE (`value` > toFloat64('10') AND `event` = true) AND getSetting('log_comment') != 'weir past';

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_notices__from__gauge__1` ON CLUSTER `events`
TO weir.notification_matches___local AS SELECT
  sipHash64('alarms.weir_notices__from__gauge__1') AS _source,
  _seq,
  8 AS _notifid,
  'alarms' AS _schema,
  concat('{"_pk":', toString(_row._pk), ',"_v":1', if(isNull(_row.`place`), '', concat(',"place":', assumeNotNull(toJSONString(_row.`place`)))), if(isNull(_row.`value`), '', concat(',"value":', assumeNotNull(toString(_row.`value`)))), if(isNull(_row.`event`), '', concat(',"event":', assumeNotNull(toString(_row.`event`)))), if(_row._rest IN ('', '{}'), '}', concat(',', substring(_row._rest, 2)))) AS _event
FROM `alarms`.`gauge__in` AS _row
WHERE `at.floor` >= 1 AND getSetting('log_comment') != 'weir past';
