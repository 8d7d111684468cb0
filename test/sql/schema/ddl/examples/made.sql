CREATE DATABASE IF NOT EXISTS `plant`;

CREATE DATABASE IF NOT EXISTS `graph`;

CREATE TABLE IF NOT EXISTS `graph`.`plant_graph__properties` (
  label String,
  name String,
  property String,
  written SimpleAggregateFunction(max, Tuple(is_update UInt8, at Int64, seq Int64, value String))
) ENGINE = AggregatingMergeTree
ORDER BY (label, name, property)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 8192;

CREATE TABLE IF NOT EXISTS `graph`.`plant_graph_rel` (
  subject_label LowCardinality(String) COMMENT 'Label of the subject',
  subject String COMMENT 'Name of the subject',
  relation LowCardinality(String) COMMENT 'Name of the relation',
  object_label LowCardinality(String) COMMENT 'Label of the object',
  object String COMMENT 'Name of the object',
  properties String COMMENT 'Properties of the relation, as a JSON object',
  _values Map(String, String) DEFAULT CAST(JSONExtractKeysAndValuesRaw(properties), 'Map(String, String)') COMMENT 'Properties of the relation: the JSON text of each by its name',
  _at Int64 COMMENT '_pk of the event that gave the triple, else the time of its addition, in microseconds since 1970',
  _seq Int64 COMMENT 'Number by which the triple came in; tells triples of one _at apart',
  _source LowCardinality(String) COMMENT 'Stream and attributes that gave the triple; empty for an addition by a call',
  PROJECTION _by_object (SELECT * ORDER BY object_label, object, relation, subject_label, subject, _at, _seq)
) ENGINE = MergeTree
ORDER BY (subject_label, subject, relation, object_label, object, _at, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 8192, lightweight_mutation_projection_mode = 'drop'
COMMENT 'Relations of graph plant_graph';

CREATE VIEW IF NOT EXISTS `graph`.`plant_graph` (
  label String COMMENT 'Label of the node',
  name String COMMENT 'Name of the node',
  properties String COMMENT 'Properties of the node, as a JSON object'
) AS SELECT
  label,
  name,
  concat('{', arrayStringConcat(arraySort(groupArrayIf(concat(toJSONString(property), ':', value), property != '')), ','), '}') AS properties
FROM (SELECT label, name, property, max(written).value AS value
  FROM `graph`.`plant_graph__properties`
  GROUP BY label, name, property)
GROUP BY label, name
COMMENT 'Nodes of graph plant_graph';

CREATE TABLE IF NOT EXISTS `plant`.`temps` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `temp` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `point` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events of the stream plant.temps';

CREATE TABLE IF NOT EXISTS `plant`.`presses` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `press` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `point` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events of the stream plant.presses';

CREATE TABLE IF NOT EXISTS `plant`.`readings` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `temp` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `press` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `point` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events that a join or a pattern made for the stream plant.readings';

CREATE TABLE IF NOT EXISTS `plant`.`hot` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `temp` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `point` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `twice` Nullable(Float64) COMMENT 'Computed attribute of type DOUBLE; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events that a filter copied to the stream plant.hot';

CREATE TABLE IF NOT EXISTS `plant`.`rising` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `temp` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events that a filter copied to the stream plant.rising';

CREATE TABLE IF NOT EXISTS `plant`.`warm` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `temp` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events that a filter copied to the stream plant.warm';

CREATE TABLE IF NOT EXISTS `plant`.`high` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `temp` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events that a filter copied to the stream plant.high';

CREATE TABLE IF NOT EXISTS `plant`.`temps__60` (
  `_interval` Int64,
  `_cnt_temp` SimpleAggregateFunction(sum, UInt64),
  `_s1_temp` SimpleAggregateFunction(sum, Float64),
  `_s2_temp` SimpleAggregateFunction(sum, Float64),
  `_s3_temp` SimpleAggregateFunction(sum, Float64),
  `_s4_temp` SimpleAggregateFunction(sum, Float64),
  `_min_temp` SimpleAggregateFunction(min, Nullable(Float64)),
  `_max_temp` SimpleAggregateFunction(max, Nullable(Float64)),
  `_far_temp` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `plant`.`readings__60` (
  `_interval` Int64,
  `_cnt_temp` SimpleAggregateFunction(sum, UInt64),
  `_s1_temp` SimpleAggregateFunction(sum, Float64),
  `_s2_temp` SimpleAggregateFunction(sum, Float64),
  `_s3_temp` SimpleAggregateFunction(sum, Float64),
  `_s4_temp` SimpleAggregateFunction(sum, Float64),
  `_min_temp` SimpleAggregateFunction(min, Nullable(Float64)),
  `_max_temp` SimpleAggregateFunction(max, Nullable(Float64)),
  `_far_temp` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `plant`.`readings__60__point` (
  `point` String,
  `_interval` Int64,
  `_cnt_temp` SimpleAggregateFunction(sum, UInt64),
  INDEX _by_time _interval TYPE minmax
) ENGINE = AggregatingMergeTree
ORDER BY (`point`, `_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `plant`.`hot__60` (
  `_interval` Int64,
  `_cnt_temp` SimpleAggregateFunction(sum, UInt64),
  `_s1_temp` SimpleAggregateFunction(sum, Float64),
  `_s2_temp` SimpleAggregateFunction(sum, Float64),
  `_s3_temp` SimpleAggregateFunction(sum, Float64),
  `_s4_temp` SimpleAggregateFunction(sum, Float64),
  `_min_temp` SimpleAggregateFunction(min, Nullable(Float64)),
  `_max_temp` SimpleAggregateFunction(max, Nullable(Float64)),
  `_far_temp` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `plant`.`points__keys` (
  `point` String,
  `_cnt_seen` SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (`point`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `plant`.`temps__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `temp` Nullable(Float64),
  `point` Nullable(String),
  `_pivot_temp` Float64
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `plant`.`presses__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `press` Nullable(Float64),
  `point` Nullable(String)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `plant`.`readings__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `temp` Nullable(Float64),
  `press` Nullable(Float64),
  `point` Nullable(String),
  `_pivot_temp` Float64
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `plant`.`hot__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `temp` Nullable(Float64),
  `point` Nullable(String),
  `twice` Nullable(Float64),
  `_pivot_temp` Float64
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `plant`.`rising__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `temp` Nullable(Float64)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `plant`.`warm__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `temp` Nullable(Float64)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `plant`.`high__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `temp` Nullable(Float64)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `plant`.`weir__matches__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `_notifid` Nullable(Int64),
  `_event` Nullable(String)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`temps__from__temps`
TO `plant`.`temps` AS SELECT
  _pk,
  _seq,
  _rest,
  `temp`,
  `point`
FROM `plant`.`temps__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`presses__from__presses`
TO `plant`.`presses` AS SELECT
  _pk,
  _seq,
  _rest,
  `press`,
  `point`
FROM `plant`.`presses__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`readings__from__readings`
TO `plant`.`readings` AS SELECT
  _pk,
  _seq,
  _rest,
  `temp`,
  `press`,
  `point`
FROM `plant`.`readings__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`hot__from__hot`
TO `plant`.`hot` AS SELECT
  _pk,
  _seq,
  _rest,
  `temp`,
  `point`,
  `twice`
FROM `plant`.`hot__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`rising__from__rising`
TO `plant`.`rising` AS SELECT
  _pk,
  _seq,
  _rest,
  `temp`
FROM `plant`.`rising__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`warm__from__warm`
TO `plant`.`warm` AS SELECT
  _pk,
  _seq,
  _rest,
  `temp`
FROM `plant`.`warm__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`high__from__high`
TO `plant`.`high` AS SELECT
  _pk,
  _seq,
  _rest,
  `temp`
FROM `plant`.`high__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`temps__60__from__temps`
TO `plant`.`temps__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`temp`) AS `_cnt_temp`,
  sum(if(_row.`_pivot_temp` = 0, toFloat64(ifNull(_row.`temp`, 0)), 0.) AS `_d_temp`) AS `_s1_temp`,
  sum(`_d_temp` * `_d_temp`) AS `_s2_temp`,
  sum(`_d_temp` * `_d_temp` * `_d_temp`) AS `_s3_temp`,
  sum(`_d_temp` * `_d_temp` * `_d_temp` * `_d_temp`) AS `_s4_temp`,
  min(_row.`temp`) AS `_min_temp`,
  max(_row.`temp`) AS `_max_temp`,
  sumMapIf([_row.`_pivot_temp`], [1.], [toFloat64(assumeNotNull(_row.`temp`)) - _row.`_pivot_temp` AS `_e_temp`], [`_e_temp` * `_e_temp` AS `_q_temp`], [`_q_temp` * `_e_temp`], [`_q_temp` * `_q_temp`], _row.`_pivot_temp` != 0 AND isNotNull(_row.`temp`)) AS `_far_temp`
FROM `plant`.`temps__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`readings__60__from__readings`
TO `plant`.`readings__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`temp`) AS `_cnt_temp`,
  sum(if(_row.`_pivot_temp` = 0, toFloat64(ifNull(_row.`temp`, 0)), 0.) AS `_d_temp`) AS `_s1_temp`,
  sum(`_d_temp` * `_d_temp`) AS `_s2_temp`,
  sum(`_d_temp` * `_d_temp` * `_d_temp`) AS `_s3_temp`,
  sum(`_d_temp` * `_d_temp` * `_d_temp` * `_d_temp`) AS `_s4_temp`,
  min(_row.`temp`) AS `_min_temp`,
  max(_row.`temp`) AS `_max_temp`,
  sumMapIf([_row.`_pivot_temp`], [1.], [toFloat64(assumeNotNull(_row.`temp`)) - _row.`_pivot_temp` AS `_e_temp`], [`_e_temp` * `_e_temp` AS `_q_temp`], [`_q_temp` * `_e_temp`], [`_q_temp` * `_q_temp`], _row.`_pivot_temp` != 0 AND isNotNull(_row.`temp`)) AS `_far_temp`
FROM `plant`.`readings__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`readings__60__point__from__readings`
TO `plant`.`readings__60__point` AS
SELECT
  assumeNotNull(_row.`point`) AS `point`,
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`temp`) AS `_cnt_temp`
FROM `plant`.`readings__in` AS _row
WHERE isNotNull(_row.`point`)
GROUP BY `point`, `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`hot__60__from__hot`
TO `plant`.`hot__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`temp`) AS `_cnt_temp`,
  sum(if(_row.`_pivot_temp` = 0, toFloat64(ifNull(_row.`temp`, 0)), 0.) AS `_d_temp`) AS `_s1_temp`,
  sum(`_d_temp` * `_d_temp`) AS `_s2_temp`,
  sum(`_d_temp` * `_d_temp` * `_d_temp`) AS `_s3_temp`,
  sum(`_d_temp` * `_d_temp` * `_d_temp` * `_d_temp`) AS `_s4_temp`,
  min(_row.`temp`) AS `_min_temp`,
  max(_row.`temp`) AS `_max_temp`,
  sumMapIf([_row.`_pivot_temp`], [1.], [toFloat64(assumeNotNull(_row.`temp`)) - _row.`_pivot_temp` AS `_e_temp`], [`_e_temp` * `_e_temp` AS `_q_temp`], [`_q_temp` * `_e_temp`], [`_q_temp` * `_q_temp`], _row.`_pivot_temp` != 0 AND isNotNull(_row.`temp`)) AS `_far_temp`
FROM `plant`.`hot__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`points__keys__from__readings`
TO `plant`.`points__keys` AS
SELECT
  assumeNotNull(_row.`point`) AS `point`,
  count(_row.`temp`) AS `_cnt_seen`
FROM `plant`.`readings__in` AS _row
WHERE isNotNull(_row.`point`)
GROUP BY `point`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`plant_graph__properties__from__plant__temps__node`
TO `graph`.`plant_graph__properties` AS
SELECT 'place' AS label, _name AS name, property,
  CAST((_isUpdate, _at, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _name,
    [0, max(_value_0 != '' AND _is_update)] AS _isUpdates,
    [0, if(max(_value_0 != '' AND _is_update), maxIf((_at, _seq, _value_0), _value_0 != '' AND _is_update).1, 0)] AS _ats,
    [-min(_seq), if(max(_value_0 != '' AND _is_update), maxIf((_at, _seq, _value_0), _value_0 != '' AND _is_update).2, -minIf(_seq, _value_0 != ''))] AS _seqs,
    ['', if(max(_value_0 != '' AND _is_update), maxIf((_at, _seq, _value_0), _value_0 != '' AND _is_update).3, argMinIf(_value_0, _seq, _value_0 != ''))] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _name, _is_update, _value_0
    FROM `plant`.`temps__in` AS _row
    ARRAY JOIN
      [toString(assumeNotNull(_row.`point`))] AS _name,
      [true] AS _is_update,
      [if(isNull(_row.`temp`), '', assumeNotNull(toString(_row.`temp`)))] AS _value_0
    WHERE isNotNull(_row.`point`))
  GROUP BY _name ORDER BY _name)
ARRAY JOIN ['', 'temp'] AS property,
  _isUpdates AS _isUpdate, _ats AS _at, _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`weir_usage__from__temps`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `plant`.`temps__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`warm__in__from__temps__1`
TO `plant`.`warm__in` AS
SELECT
  _pk,
  _seq,
  '' AS _rest,
  `temp`
FROM `plant`.`temps__in` AS _row
WHERE `temp` > toFloat64('50');

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`weir_usage__from__presses`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `plant`.`presses__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`plant_graph_rel__from__plant__readings`
TO `graph`.`plant_graph_rel` AS
SELECT
  'place' AS subject_label,
  toString(assumeNotNull(_row.`point`)) AS subject,
  'READ' AS relation,
  'temp' AS object_label,
  toString(assumeNotNull(_row.`temp`)) AS object,
  concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(isNull(_row.`press`), '', concat('"press":', assumeNotNull(toString(_row.`press`))))]), ','), '}') AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'plant.readings:point:temp' AS _source
FROM `plant`.`readings__in` AS _row
WHERE isNotNull(_row.`point`) AND isNotNull(_row.`temp`);

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`plant_graph__properties__from__plant__readings`
TO `graph`.`plant_graph__properties` AS
SELECT _label AS label, _name AS name, property,
  CAST((0, 0, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _label, _name,
    [-min(_seq)] AS _seqs,
    [''] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _label, _name
    FROM `plant`.`readings__in` AS _row
    ARRAY JOIN
      ['place', 'temp'] AS _label,
      [toString(assumeNotNull(_row.`point`)), toString(assumeNotNull(_row.`temp`))] AS _name
    WHERE isNotNull(_row.`point`) AND isNotNull(_row.`temp`))
  GROUP BY _label, _name ORDER BY _label, _name)
ARRAY JOIN [''] AS property,
  _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`high__in__from__readings`
TO `plant`.`high__in` AS
SELECT
  _pk,
  _seq,
  '' AS _rest,
  `temp`
FROM `plant`.`readings__in` AS _row
WHERE multiIf(JSONType(_row._rest, '_jpk1') = 'Int64', JSONExtractInt(_row._rest, '_jpk1') > 100, JSONType(_row._rest, '_jpk1') = 'UInt64', JSONExtractUInt(_row._rest, '_jpk1') > 100, JSONType(_row._rest, '_jpk1') = 'Double', JSONExtractFloat(_row._rest, '_jpk1') > toFloat64('100'), false);

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`weir_notices__from__readings`
TO weir.notification_matches AS SELECT
  sipHash64('plant.weir_notices__from__readings') AS _source,
  _seq,
  8 AS _notifid,
  'plant' AS _schema,
  concat('{"_pk":', toString(_row._pk), ',"_v":1', if(isNull(_row.`temp`), '', concat(',"temp":', assumeNotNull(toString(_row.`temp`)))), if(isNull(_row.`press`), '', concat(',"press":', assumeNotNull(toString(_row.`press`)))), if(isNull(_row.`point`), '', concat(',"point":', assumeNotNull(toJSONString(_row.`point`)))), if(_row._rest IN ('', '{}'), '}', concat(',', substring(_row._rest, 2)))) AS _event
FROM `plant`.`readings__in` AS _row
WHERE `press` > toFloat64('11') AND getSetting('log_comment') != 'weir past';

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`plant_graph__properties__from__plant__hot__node`
TO `graph`.`plant_graph__properties` AS
SELECT 'place' AS label, _name AS name, property,
  CAST((0, 0, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _name,
    [-min(_seq), -minIf(_seq, _value_0 != '')] AS _seqs,
    ['', argMinIf(_value_0, _seq, _value_0 != '')] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _name, _value_0
    FROM `plant`.`hot__in` AS _row
    ARRAY JOIN
      [toString(assumeNotNull(_row.`point`))] AS _name,
      [if(isNull(_row.`twice`), '', assumeNotNull(toString(_row.`twice`)))] AS _value_0
    WHERE isNotNull(_row.`point`))
  GROUP BY _name ORDER BY _name)
ARRAY JOIN ['', 'twice'] AS property,
  _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS `plant`.`weir_notices__from__weir__matches`
TO weir.notification_matches AS SELECT
  sipHash64('plant.weir__matches') AS _source,
  _seq,
  assumeNotNull(_row._notifid) AS _notifid,
  'plant' AS _schema,
  assumeNotNull(_row._event) AS _event
FROM `plant`.`weir__matches__in` AS _row;

CREATE OR REPLACE VIEW `plant`.`temps_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `temp_cnt` UInt64 COMMENT 'Number of values of temp',
  `temp_sum` Nullable(Float64) COMMENT 'Sum of temp; NULL without a value',
  `temp_min` Nullable(Float64) COMMENT 'Least value of temp; NULL without a value',
  `temp_max` Nullable(Float64) COMMENT 'Greatest value of temp; NULL without a value',
  `temp_avg` Nullable(Float64) COMMENT 'Mean of temp; NULL without a value',
  `temp_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of temp; NULL below 2 values',
  `temp_skew` Nullable(Float64) COMMENT 'Skewness of temp (adjusted Fisher-Pearson G1); NULL below 3 values',
  `temp_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of temp (sample G2); NULL below 4 values'
) AS SELECT
  `interval_start`,
  `_n_temp` AS `temp_cnt`,
  if(`_nf_temp` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_temp` = `_most_temp`, `_nf_temp` * `_least_temp`, `_nf_temp` * `_p0_temp` + `_t_temp`)])[1]) AS `temp_sum`,
  `_least_temp` AS `temp_min`,
  `_most_temp` AS `temp_max`,
  if(`_nf_temp` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_temp` = `_most_temp`, toFloat64(`_least_temp`), `_p0_temp` + `_mu_temp`)])[1]) AS `temp_avg`,
  multiIf(`_nf_temp` < 2, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_temp`[1] / (`_nf_temp` - 1))])[1]) AS `temp_stdd`,
  multiIf(`_nf_temp` < 3, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_temp` * (`_nf_temp` - 1)) / (`_nf_temp` - 2) * (`_c_temp`[2] / `_nf_temp`) / pow(`_c_temp`[1] / `_nf_temp`, 1.5)])[1]) AS `temp_skew`,
  multiIf(`_nf_temp` < 4, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_temp` - 1) / ((`_nf_temp` - 2) * (`_nf_temp` - 3)) * ((`_nf_temp` + 1) * (`_nf_temp` * `_c_temp`[3] / (`_c_temp`[1] * `_c_temp`[1]) - 3) + 6)])[1]) AS `temp_kurt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_temp`) AS `_n_temp`,
  toFloat64(`_n_temp`) AS `_nf_temp`,
  sumMap(`_far_temp`) AS `_m_temp`,
  arrayConcat([0.], `_m_temp`.1) AS `_p_temp`,
  arrayConcat([`_nf_temp` - arraySum(`_m_temp`.2)], `_m_temp`.2) AS `_k_temp`,
  `_p_temp`[if(`_k_temp`[1] > 0 OR length(`_k_temp`) = 1, 1, 2)] AS `_p0_temp`,
  arrayConcat([sum(`_s1_temp`)], `_m_temp`.3) AS `_a_temp`,
  arraySum((p, c, a) -> a + c*(p - `_p0_temp`), `_p_temp`, `_k_temp`, `_a_temp`) AS `_t_temp`,
  `_t_temp` / `_nf_temp` AS `_mu_temp`,
  arrayMap(p -> p - `_p0_temp` - `_mu_temp`, `_p_temp`) AS `_d_temp`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_temp`, `_k_temp`, `_a_temp`, arrayConcat([sum(`_s2_temp`)], `_m_temp`.4), arrayConcat([sum(`_s3_temp`)], `_m_temp`.5), arrayConcat([sum(`_s4_temp`)], `_m_temp`.6))) AS `_c_temp`,
  min(`_min_temp`) AS `_least_temp`,
  max(`_max_temp`) AS `_most_temp`,
  (`_least_temp` = `_most_temp` OR `_c_temp`[1] <= 0) AS `_flat_temp`
FROM `plant`.`temps__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_temp`) > 0)
COMMENT 'Running statistics of plant.temps: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plant`.`temps_by_60s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `temp_cnt` UInt64 COMMENT 'Number of values of temp',
  `temp_min` Nullable(Float64) COMMENT 'Least value of temp',
  `temp_max` Nullable(Float64) COMMENT 'Greatest value of temp',
  `temp_moments` Array(Float64) COMMENT 'Of temp: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_temp`) AS `_n_temp`,
  toFloat64(`_n_temp`) AS `_nf_temp`,
  sumMap(`_far_temp`) AS `_m_temp`,
  arrayConcat([0.], `_m_temp`.1) AS `_p_temp`,
  arrayConcat([`_nf_temp` - arraySum(`_m_temp`.2)], `_m_temp`.2) AS `_k_temp`,
  `_p_temp`[if(`_k_temp`[1] > 0 OR length(`_k_temp`) = 1, 1, 2)] AS `_p0_temp`,
  arrayConcat([sum(`_s1_temp`)], `_m_temp`.3) AS `_a_temp`,
  arraySum((p, c, a) -> a + c*(p - `_p0_temp`), `_p_temp`, `_k_temp`, `_a_temp`) AS `_t_temp`,
  `_t_temp` / `_nf_temp` AS `_mu_temp`,
  arrayMap(p -> p - `_p0_temp` - `_mu_temp`, `_p_temp`) AS `_d_temp`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_temp`, `_k_temp`, `_a_temp`, arrayConcat([sum(`_s2_temp`)], `_m_temp`.4), arrayConcat([sum(`_s3_temp`)], `_m_temp`.5), arrayConcat([sum(`_s4_temp`)], `_m_temp`.6))) AS `_c_temp`,
  min(`_min_temp`) AS `_least_temp`,
  max(`_max_temp`) AS `_most_temp`,
  (`_least_temp` = `_most_temp` OR `_c_temp`[1] <= 0) AS `_flat_temp`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_temp` AS `temp_cnt`,
  `_least_temp` AS `temp_min`,
  `_most_temp` AS `temp_max`,
  if(`_nf_temp` = 0, [0., 0., 0., 0., 0.], [`_nf_temp`, ifNull(if(`_nf_temp` = 0, 0., if(`_least_temp` = `_most_temp`, toFloat64(`_least_temp`), `_p0_temp` + `_mu_temp`)), 0.), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[1]), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[2]), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[3])]) AS `temp_moments`
FROM `plant`.`temps__60`
GROUP BY `interval_start`
COMMENT 'States of plant.temps to be merged: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plant`.`readings_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `temp_cnt` UInt64 COMMENT 'Number of values of temp',
  `temp_sum` Nullable(Float64) COMMENT 'Sum of temp; NULL without a value',
  `temp_min` Nullable(Float64) COMMENT 'Least value of temp; NULL without a value',
  `temp_max` Nullable(Float64) COMMENT 'Greatest value of temp; NULL without a value',
  `temp_avg` Nullable(Float64) COMMENT 'Mean of temp; NULL without a value',
  `temp_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of temp; NULL below 2 values',
  `temp_skew` Nullable(Float64) COMMENT 'Skewness of temp (adjusted Fisher-Pearson G1); NULL below 3 values',
  `temp_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of temp (sample G2); NULL below 4 values'
) AS SELECT
  `interval_start`,
  `_n_temp` AS `temp_cnt`,
  if(`_nf_temp` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_temp` = `_most_temp`, `_nf_temp` * `_least_temp`, `_nf_temp` * `_p0_temp` + `_t_temp`)])[1]) AS `temp_sum`,
  `_least_temp` AS `temp_min`,
  `_most_temp` AS `temp_max`,
  if(`_nf_temp` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_temp` = `_most_temp`, toFloat64(`_least_temp`), `_p0_temp` + `_mu_temp`)])[1]) AS `temp_avg`,
  multiIf(`_nf_temp` < 2, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_temp`[1] / (`_nf_temp` - 1))])[1]) AS `temp_stdd`,
  multiIf(`_nf_temp` < 3, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_temp` * (`_nf_temp` - 1)) / (`_nf_temp` - 2) * (`_c_temp`[2] / `_nf_temp`) / pow(`_c_temp`[1] / `_nf_temp`, 1.5)])[1]) AS `temp_skew`,
  multiIf(`_nf_temp` < 4, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_temp` - 1) / ((`_nf_temp` - 2) * (`_nf_temp` - 3)) * ((`_nf_temp` + 1) * (`_nf_temp` * `_c_temp`[3] / (`_c_temp`[1] * `_c_temp`[1]) - 3) + 6)])[1]) AS `temp_kurt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_temp`) AS `_n_temp`,
  toFloat64(`_n_temp`) AS `_nf_temp`,
  sumMap(`_far_temp`) AS `_m_temp`,
  arrayConcat([0.], `_m_temp`.1) AS `_p_temp`,
  arrayConcat([`_nf_temp` - arraySum(`_m_temp`.2)], `_m_temp`.2) AS `_k_temp`,
  `_p_temp`[if(`_k_temp`[1] > 0 OR length(`_k_temp`) = 1, 1, 2)] AS `_p0_temp`,
  arrayConcat([sum(`_s1_temp`)], `_m_temp`.3) AS `_a_temp`,
  arraySum((p, c, a) -> a + c*(p - `_p0_temp`), `_p_temp`, `_k_temp`, `_a_temp`) AS `_t_temp`,
  `_t_temp` / `_nf_temp` AS `_mu_temp`,
  arrayMap(p -> p - `_p0_temp` - `_mu_temp`, `_p_temp`) AS `_d_temp`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_temp`, `_k_temp`, `_a_temp`, arrayConcat([sum(`_s2_temp`)], `_m_temp`.4), arrayConcat([sum(`_s3_temp`)], `_m_temp`.5), arrayConcat([sum(`_s4_temp`)], `_m_temp`.6))) AS `_c_temp`,
  min(`_min_temp`) AS `_least_temp`,
  max(`_max_temp`) AS `_most_temp`,
  (`_least_temp` = `_most_temp` OR `_c_temp`[1] <= 0) AS `_flat_temp`
FROM `plant`.`readings__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_temp`) > 0)
COMMENT 'Running statistics of plant.readings: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plant`.`readings_by_60s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `temp_cnt` UInt64 COMMENT 'Number of values of temp',
  `temp_min` Nullable(Float64) COMMENT 'Least value of temp',
  `temp_max` Nullable(Float64) COMMENT 'Greatest value of temp',
  `temp_moments` Array(Float64) COMMENT 'Of temp: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_temp`) AS `_n_temp`,
  toFloat64(`_n_temp`) AS `_nf_temp`,
  sumMap(`_far_temp`) AS `_m_temp`,
  arrayConcat([0.], `_m_temp`.1) AS `_p_temp`,
  arrayConcat([`_nf_temp` - arraySum(`_m_temp`.2)], `_m_temp`.2) AS `_k_temp`,
  `_p_temp`[if(`_k_temp`[1] > 0 OR length(`_k_temp`) = 1, 1, 2)] AS `_p0_temp`,
  arrayConcat([sum(`_s1_temp`)], `_m_temp`.3) AS `_a_temp`,
  arraySum((p, c, a) -> a + c*(p - `_p0_temp`), `_p_temp`, `_k_temp`, `_a_temp`) AS `_t_temp`,
  `_t_temp` / `_nf_temp` AS `_mu_temp`,
  arrayMap(p -> p - `_p0_temp` - `_mu_temp`, `_p_temp`) AS `_d_temp`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_temp`, `_k_temp`, `_a_temp`, arrayConcat([sum(`_s2_temp`)], `_m_temp`.4), arrayConcat([sum(`_s3_temp`)], `_m_temp`.5), arrayConcat([sum(`_s4_temp`)], `_m_temp`.6))) AS `_c_temp`,
  min(`_min_temp`) AS `_least_temp`,
  max(`_max_temp`) AS `_most_temp`,
  (`_least_temp` = `_most_temp` OR `_c_temp`[1] <= 0) AS `_flat_temp`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_temp` AS `temp_cnt`,
  `_least_temp` AS `temp_min`,
  `_most_temp` AS `temp_max`,
  if(`_nf_temp` = 0, [0., 0., 0., 0., 0.], [`_nf_temp`, ifNull(if(`_nf_temp` = 0, 0., if(`_least_temp` = `_most_temp`, toFloat64(`_least_temp`), `_p0_temp` + `_mu_temp`)), 0.), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[1]), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[2]), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[3])]) AS `temp_moments`
FROM `plant`.`readings__60`
GROUP BY `interval_start`
COMMENT 'States of plant.readings to be merged: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plant`.`readings_by_60s__point` (
  `point` String COMMENT 'Value of point, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `temp_cnt` UInt64 COMMENT 'Number of values of temp'
) AS SELECT
  `point`,
  `interval_start`,
  `_n_temp` AS `temp_cnt`
FROM (SELECT
  `point` AS `point`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_temp`) AS `_n_temp`
FROM `plant`.`readings__60__point`
GROUP BY `point`, `interval_start`
HAVING sum(`_cnt_temp`) > 0)
COMMENT 'Statistics of plant.readings by point: a row an interval of 60 s and group';

CREATE OR REPLACE VIEW `plant`.`hot_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `temp_cnt` UInt64 COMMENT 'Number of values of temp',
  `temp_sum` Nullable(Float64) COMMENT 'Sum of temp; NULL without a value',
  `temp_min` Nullable(Float64) COMMENT 'Least value of temp; NULL without a value',
  `temp_max` Nullable(Float64) COMMENT 'Greatest value of temp; NULL without a value',
  `temp_avg` Nullable(Float64) COMMENT 'Mean of temp; NULL without a value',
  `temp_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of temp; NULL below 2 values',
  `temp_skew` Nullable(Float64) COMMENT 'Skewness of temp (adjusted Fisher-Pearson G1); NULL below 3 values',
  `temp_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of temp (sample G2); NULL below 4 values'
) AS SELECT
  `interval_start`,
  `_n_temp` AS `temp_cnt`,
  if(`_nf_temp` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_temp` = `_most_temp`, `_nf_temp` * `_least_temp`, `_nf_temp` * `_p0_temp` + `_t_temp`)])[1]) AS `temp_sum`,
  `_least_temp` AS `temp_min`,
  `_most_temp` AS `temp_max`,
  if(`_nf_temp` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_temp` = `_most_temp`, toFloat64(`_least_temp`), `_p0_temp` + `_mu_temp`)])[1]) AS `temp_avg`,
  multiIf(`_nf_temp` < 2, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_temp`[1] / (`_nf_temp` - 1))])[1]) AS `temp_stdd`,
  multiIf(`_nf_temp` < 3, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_temp` * (`_nf_temp` - 1)) / (`_nf_temp` - 2) * (`_c_temp`[2] / `_nf_temp`) / pow(`_c_temp`[1] / `_nf_temp`, 1.5)])[1]) AS `temp_skew`,
  multiIf(`_nf_temp` < 4, NULL, `_flat_temp`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_temp` - 1) / ((`_nf_temp` - 2) * (`_nf_temp` - 3)) * ((`_nf_temp` + 1) * (`_nf_temp` * `_c_temp`[3] / (`_c_temp`[1] * `_c_temp`[1]) - 3) + 6)])[1]) AS `temp_kurt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_temp`) AS `_n_temp`,
  toFloat64(`_n_temp`) AS `_nf_temp`,
  sumMap(`_far_temp`) AS `_m_temp`,
  arrayConcat([0.], `_m_temp`.1) AS `_p_temp`,
  arrayConcat([`_nf_temp` - arraySum(`_m_temp`.2)], `_m_temp`.2) AS `_k_temp`,
  `_p_temp`[if(`_k_temp`[1] > 0 OR length(`_k_temp`) = 1, 1, 2)] AS `_p0_temp`,
  arrayConcat([sum(`_s1_temp`)], `_m_temp`.3) AS `_a_temp`,
  arraySum((p, c, a) -> a + c*(p - `_p0_temp`), `_p_temp`, `_k_temp`, `_a_temp`) AS `_t_temp`,
  `_t_temp` / `_nf_temp` AS `_mu_temp`,
  arrayMap(p -> p - `_p0_temp` - `_mu_temp`, `_p_temp`) AS `_d_temp`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_temp`, `_k_temp`, `_a_temp`, arrayConcat([sum(`_s2_temp`)], `_m_temp`.4), arrayConcat([sum(`_s3_temp`)], `_m_temp`.5), arrayConcat([sum(`_s4_temp`)], `_m_temp`.6))) AS `_c_temp`,
  min(`_min_temp`) AS `_least_temp`,
  max(`_max_temp`) AS `_most_temp`,
  (`_least_temp` = `_most_temp` OR `_c_temp`[1] <= 0) AS `_flat_temp`
FROM `plant`.`hot__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_temp`) > 0)
COMMENT 'Running statistics of plant.hot: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plant`.`hot_by_60s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `temp_cnt` UInt64 COMMENT 'Number of values of temp',
  `temp_min` Nullable(Float64) COMMENT 'Least value of temp',
  `temp_max` Nullable(Float64) COMMENT 'Greatest value of temp',
  `temp_moments` Array(Float64) COMMENT 'Of temp: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_temp`) AS `_n_temp`,
  toFloat64(`_n_temp`) AS `_nf_temp`,
  sumMap(`_far_temp`) AS `_m_temp`,
  arrayConcat([0.], `_m_temp`.1) AS `_p_temp`,
  arrayConcat([`_nf_temp` - arraySum(`_m_temp`.2)], `_m_temp`.2) AS `_k_temp`,
  `_p_temp`[if(`_k_temp`[1] > 0 OR length(`_k_temp`) = 1, 1, 2)] AS `_p0_temp`,
  arrayConcat([sum(`_s1_temp`)], `_m_temp`.3) AS `_a_temp`,
  arraySum((p, c, a) -> a + c*(p - `_p0_temp`), `_p_temp`, `_k_temp`, `_a_temp`) AS `_t_temp`,
  `_t_temp` / `_nf_temp` AS `_mu_temp`,
  arrayMap(p -> p - `_p0_temp` - `_mu_temp`, `_p_temp`) AS `_d_temp`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_temp`, `_k_temp`, `_a_temp`, arrayConcat([sum(`_s2_temp`)], `_m_temp`.4), arrayConcat([sum(`_s3_temp`)], `_m_temp`.5), arrayConcat([sum(`_s4_temp`)], `_m_temp`.6))) AS `_c_temp`,
  min(`_min_temp`) AS `_least_temp`,
  max(`_max_temp`) AS `_most_temp`,
  (`_least_temp` = `_most_temp` OR `_c_temp`[1] <= 0) AS `_flat_temp`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_temp` AS `temp_cnt`,
  `_least_temp` AS `temp_min`,
  `_most_temp` AS `temp_max`,
  if(`_nf_temp` = 0, [0., 0., 0., 0., 0.], [`_nf_temp`, ifNull(if(`_nf_temp` = 0, 0., if(`_least_temp` = `_most_temp`, toFloat64(`_least_temp`), `_p0_temp` + `_mu_temp`)), 0.), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[1]), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[2]), if(ifNull(`_flat_temp`, 1), 0., `_c_temp`[3])]) AS `temp_moments`
FROM `plant`.`hot__60`
GROUP BY `interval_start`
COMMENT 'States of plant.hot to be merged: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plant`.`points` (
  `point` String COMMENT 'Key of the entity',
  `seen_cnt` UInt64 COMMENT 'Number of values of temp'
) AS SELECT
  `point`,
  `_n_seen` AS `seen_cnt`
FROM (SELECT
  `point` AS `point`,
  sum(`_cnt_seen`) AS `_n_seen`
FROM `plant`.`points__keys`
GROUP BY `point`)
COMMENT 'Entity stream plant.points: a row a key, with statistics over all its events';
