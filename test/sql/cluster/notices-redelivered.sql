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
  `at.floor` Nullable(Int64),
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(sipHash64(_lane, 0), _position)))
) ENGINE = ReplicatedMergeTree
ORDER BY (_pk, _seq)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS `alarms`.`gauge` ON CLUSTER `events` AS `alarms`.`gauge___local`
ENGINE = Distributed('events', 'alarms', 'gauge___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `alarms`.`upper___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `place` Nullable(String),
  `value` Nullable(Float64),
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(sipHash64(_lane, 0), _position)))
) ENGINE = ReplicatedMergeTree
ORDER BY (_pk, _seq)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS `alarms`.`upper` ON CLUSTER `events` AS `alarms`.`upper___local`
ENGINE = Distributed('events', 'alarms', 'upper___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `alarms`.`gauge__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `place` Nullable(String),
  `value` Nullable(Float64),
  `event` Nullable(Bool),
  `at.floor` Nullable(Int64),
  _lane UInt64,
  _position Int64
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `alarms`.`upper__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `place` Nullable(String),
  `value` Nullable(Float64),
  _lane UInt64,
  _position Int64
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`gauge__from__gauge` ON CLUSTER `events`
TO `alarms`.`gauge___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `place`,
  `value`,
  `event`,
  `at.floor`,
  _lane,
  _position
FROM (SELECT * FROM `alarms`.`gauge__in` WHERE _position > (SELECT maxMap(map(sipHash64(_lane, 0), _position)) FROM `alarms`.`gauge`)[sipHash64(_lane, 0)]);

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`upper__from__upper` ON CLUSTER `events`
TO `alarms`.`upper___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `place`,
  `value`,
  _lane,
  _position
FROM (SELECT * FROM `alarms`.`upper__in` WHERE _position > (SELECT maxMap(map(sipHash64(_lane, 0), _position)) FROM `alarms`.`upper`)[sipHash64(_lane, 0)]);

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_usage__from__gauge` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events,
  maxMap(map(sipHash64('alarms.weir_usage__from__gauge', _lane), _position)) AS _applied
FROM (SELECT * FROM `alarms`.`gauge__in` WHERE _position > (SELECT maxMap(_applied) FROM weir.usage)[sipHash64('alarms.weir_usage__from__gauge', _lane)])
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`upper__in__from__gauge` ON CLUSTER `events`
TO `alarms`.`upper__in` AS
SELECT
  _pk,
  _seq,
  '' AS _rest,
  `place`,
  `value`,
  sipHash64('upper__in__from__gauge', _row._lane) AS _lane,
  _position
FROM `alarms`.`gauge__in` AS _row
WHERE `at.floor` >= 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_notices__from__gauge` ON CLUSTER `events`
TO weir.notification_matches___local AS SELECT
  sipHash64('alarms.weir_notices__from__gauge') AS _source,
  _seq,
  7 AS _notifid,
  'alarms' AS _schema,
  concat('{"_pk":', toString(_row._pk), ',"_v":1', if(isNull(_row.`place`), '', concat(',"place":', assumeNotNull(toJSONString(_row.`place`)))), if(isNull(_row.`value`), '', concat(',"value":', assumeNotNull(toString(_row.`value`)))), if(isNull(_row.`event`), '', concat(',"event":', assumeNotNull(toString(_row.`event`)))), if(_row._rest IN ('', '{}'), '}', concat(',', substring(_row._rest, 2)))) AS _event,
  sipHash64('alarms.weir_notices__from__gauge', _row._lane) AS _lane,
  _position
FROM (SELECT * FROM `alarms`.`gauge__in` WHERE _position > (SELECT maxMap(map(_lane, _position)) FROM `weir`.`notification_matches`)[sipHash64('alarms.weir_notices__from__gauge', _lane)]) AS _row
WHERE (`value` > toFloat64('10') AND `event` = true) AND getSetting('log_comment') != 'weir past';

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_notices__from__gauge__1` ON CLUSTER `events`
TO weir.notification_matches___local AS SELECT
  sipHash64('alarms.weir_notices__from__gauge__1') AS _source,
  _seq,
  8 AS _notifid,
  'alarms' AS _schema,
  concat('{"_pk":', toString(_row._pk), ',"_v":1', if(isNull(_row.`place`), '', concat(',"place":', assumeNotNull(toJSONString(_row.`place`)))), if(isNull(_row.`value`), '', concat(',"value":', assumeNotNull(toString(_row.`value`)))), if(isNull(_row.`event`), '', concat(',"event":', assumeNotNull(toString(_row.`event`)))), if(_row._rest IN ('', '{}'), '}', concat(',', substring(_row._rest, 2)))) AS _event,
  sipHash64('alarms.weir_notices__from__gauge__1', _row._lane) AS _lane,
  _position
FROM (SELECT * FROM `alarms`.`gauge__in` WHERE _position > (SELECT maxMap(map(_lane, _position)) FROM `weir`.`notification_matches`)[sipHash64('alarms.weir_notices__from__gauge__1', _lane)]) AS _row
WHERE `at.floor` >= 1 AND getSetting('log_comment') != 'weir past';

CREATE TABLE IF NOT EXISTS `alarms`.`gauge__delivered` ON CLUSTER `events` (
  `_pk` Int64,
  `_seq` Int64,
  `_rest` String,
  `place` Nullable(String),
  `value` Nullable(Float64),
  `event` Nullable(Bool),
  `at.floor` Nullable(Int64),
  _lane UInt64,
  _position Int64,
  _line String,
  _reason String
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `alarms`.`gauge__rejected___local` ON CLUSTER `events` (
  at DateTime64(6) DEFAULT now64(6),
  line String,
  reason String,
  _lane UInt64,
  _position Int64,
  PROJECTION _watermark (SELECT maxMap(map(_lane, _position)))
) ENGINE = ReplicatedMergeTree
ORDER BY at
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, deduplicate_merge_projection_mode = 'rebuild';

CREATE TABLE IF NOT EXISTS `alarms`.`gauge__rejected` ON CLUSTER `events` AS `alarms`.`gauge__rejected___local`
ENGINE = Distributed('events', 'alarms', 'gauge__rejected___local', cityHash64(at));

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`gauge__rejected__from__gauge` ON CLUSTER `events`
TO `alarms`.`gauge__rejected___local` AS
SELECT _line AS line, _reason AS reason, _lane, _position
FROM (SELECT * FROM (SELECT * FROM `alarms`.`gauge__delivered` WHERE _reason != '') WHERE _position > (SELECT maxMap(map(_lane, _position)) FROM `alarms`.`gauge__rejected`)[_lane]);

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`gauge__in__from__gauge` ON CLUSTER `events`
TO `alarms`.`gauge__in` AS SELECT
  `_pk`,
  `_seq`,
  `_rest`,
  `place`,
  `value`,
  `event`,
  `at.floor`,
  _lane,
  _position
FROM `alarms`.`gauge__delivered`
WHERE _reason = '';
