CREATE DATABASE IF NOT EXISTS `alarms`;

CREATE TABLE IF NOT EXISTS `alarms`.`gauge` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `place` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `value` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `event` Nullable(Bool) COMMENT 'Attribute of type BOOL; NULL where the event has none',
  `at.floor` Nullable(Int64) COMMENT 'Attribute of type LONG; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events of the stream alarms.gauge';

CREATE TABLE IF NOT EXISTS `alarms`.`upper` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `place` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `value` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events that a filter copied to the stream alarms.upper';

CREATE TABLE IF NOT EXISTS `alarms`.`gauge__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `place` Nullable(String),
  `value` Nullable(Float64),
  `event` Nullable(Bool),
  `at.floor` Nullable(Int64)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `alarms`.`upper__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `place` Nullable(String),
  `value` Nullable(Float64)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`gauge__from__gauge`
TO `alarms`.`gauge` AS SELECT
  _pk,
  _seq,
  _rest,
  `place`,
  `value`,
  `event`,
  `at.floor`
FROM `alarms`.`gauge__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`upper__from__upper`
TO `alarms`.`upper` AS SELECT
  _pk,
  _seq,
  _rest,
  `place`,
  `value`
FROM `alarms`.`upper__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_usage__from__gauge`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `alarms`.`gauge__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`upper__in__from__gauge`
TO `alarms`.`upper__in` AS
SELECT
  _pk,
  _seq,
  '' AS _rest,
  `place`,
  `value`
FROM `alarms`.`gauge__in` AS _row
WHERE `at.floor` >= 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_notices__from__gauge`
TO weir.notification_matches AS SELECT
  sipHash64('alarms.weir_notices__from__gauge') AS _source,
  _seq,
  7 AS _notifid,
  'alarms' AS _schema,
  concat('{"_pk":', toString(_row._pk), ',"_v":1', if(isNull(_row.`place`), '', concat(',"place":', assumeNotNull(toJSONString(_row.`place`)))), if(isNull(_row.`value`), '', concat(',"value":', assumeNotNull(toString(_row.`value`)))), if(isNull(_row.`event`), '', concat(',"event":', assumeNotNull(toString(_row.`event`)))), if(_row._rest IN ('', '{}'), '}', concat(',', substring(_row._rest, 2)))) AS _event
FROM `alarms`.`gauge__in` AS _row
WHERE (`value` > toFloat64('10') AND `event` = true) AND getSetting('log_comment') != 'weir past';

CREATE MATERIALIZED VIEW IF NOT EXISTS `alarms`.`weir_notices__from__gauge__1`
TO weir.notification_matches AS SELECT
  sipHash64('alarms.weir_notices__from__gauge__1') AS _source,
  _seq,
  8 AS _notifid,
  'alarms' AS _schema,
  concat('{"_pk":', toString(_row._pk), ',"_v":1', if(isNull(_row.`place`), '', concat(',"place":', assumeNotNull(toJSONString(_row.`place`)))), if(isNull(_row.`value`), '', concat(',"value":', assumeNotNull(toString(_row.`value`)))), if(isNull(_row.`event`), '', concat(',"event":', assumeNotNull(toString(_row.`event`)))), if(_row._rest IN ('', '{}'), '}', concat(',', substring(_row._rest, 2)))) AS _event
FROM `alarms`.`gauge__in` AS _row
WHERE `at.floor` >= 1 AND getSetting('log_comment') != 'weir past';
