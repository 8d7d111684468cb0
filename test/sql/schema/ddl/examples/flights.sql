CREATE DATABASE IF NOT EXISTS `air`;

CREATE DATABASE IF NOT EXISTS `graph`;

CREATE TABLE IF NOT EXISTS `graph`.`air_graph__properties` (
  label String,
  name String,
  property String,
  written SimpleAggregateFunction(max, Tuple(is_update UInt8, at Int64, seq Int64, value String))
) ENGINE = AggregatingMergeTree
ORDER BY (label, name, property)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 8192;

CREATE TABLE IF NOT EXISTS `graph`.`air_graph_rel` (
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
COMMENT 'Relations of graph air_graph';

CREATE VIEW IF NOT EXISTS `graph`.`air_graph` (
  label String COMMENT 'Label of the node',
  name String COMMENT 'Name of the node',
  properties String COMMENT 'Properties of the node, as a JSON object'
) AS SELECT
  label,
  name,
  concat('{', arrayStringConcat(arraySort(groupArrayIf(concat(toJSONString(property), ':', value), property != '')), ','), '}') AS properties
FROM (SELECT label, name, property, max(written).value AS value
  FROM `graph`.`air_graph__properties`
  GROUP BY label, name, property)
GROUP BY label, name
COMMENT 'Nodes of graph air_graph';

CREATE TABLE IF NOT EXISTS `air`.`flights` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `origin` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `destination` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `delay` Nullable(Int64) COMMENT 'Attribute of type LONG; NULL where the event has none',
  `distance` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
PARTITION BY intDiv(_pk, 10800000000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 86400, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 3600
COMMENT 'Events of the stream air.flights';

CREATE TABLE IF NOT EXISTS `air`.`late` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `origin` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `delay` Nullable(Int64) COMMENT 'Attribute of type LONG; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
PARTITION BY intDiv(_pk, 10800000000) % 32
ORDER BY (_pk, _seq)
TTL toDateTime(least(intDiv(_pk, 1000000) + 86400, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, ttl_only_drop_parts = 1, merge_with_ttl_timeout = 3600
COMMENT 'Events that a filter copied to the stream air.late';

CREATE TABLE IF NOT EXISTS `air`.`flights__86400` (
  `_interval` Int64,
  `_cnt_destination` SimpleAggregateFunction(sum, UInt64),
  `_uniq_destination` AggregateFunction(uniqCombined64, Nullable(String)),
  `_cnt_delay` SimpleAggregateFunction(sum, UInt64),
  `_s1_delay` SimpleAggregateFunction(sum, Float64),
  `_s2_delay` SimpleAggregateFunction(sum, Float64),
  `_s3_delay` SimpleAggregateFunction(sum, Float64),
  `_s4_delay` SimpleAggregateFunction(sum, Float64),
  `_min_delay` SimpleAggregateFunction(min, Nullable(Int64)),
  `_max_delay` SimpleAggregateFunction(max, Nullable(Int64)),
  `_far_delay` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `air`.`flights__300__origin` (
  `origin` String,
  `_interval` Int64,
  `_cnt_delay` SimpleAggregateFunction(sum, UInt64),
  `_s1_delay` SimpleAggregateFunction(sum, Float64),
  `_s2_delay` SimpleAggregateFunction(sum, Float64),
  `_s3_delay` SimpleAggregateFunction(sum, Float64),
  `_s4_delay` SimpleAggregateFunction(sum, Float64),
  `_min_delay` SimpleAggregateFunction(min, Nullable(Int64)),
  `_max_delay` SimpleAggregateFunction(max, Nullable(Int64)),
  `_far_delay` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64))),
  `_cnt_distance` SimpleAggregateFunction(sum, UInt64),
  `_s1_distance` SimpleAggregateFunction(sum, Float64),
  `_s2_distance` SimpleAggregateFunction(sum, Float64),
  `_s3_distance` SimpleAggregateFunction(sum, Float64),
  `_s4_distance` SimpleAggregateFunction(sum, Float64),
  `_min_distance` SimpleAggregateFunction(min, Nullable(Float64)),
  `_max_distance` SimpleAggregateFunction(max, Nullable(Float64)),
  `_far_distance` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64))),
  INDEX _by_time _interval TYPE minmax
) ENGINE = AggregatingMergeTree
ORDER BY (`origin`, `_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `air`.`flights__300__origin__destination` (
  `origin` String,
  `destination` String,
  `_interval` Int64,
  `_cnt_delay` SimpleAggregateFunction(sum, UInt64),
  INDEX _by_time _interval TYPE minmax
) ENGINE = AggregatingMergeTree
ORDER BY (`origin`, `destination`, `_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `air`.`airports__keys` (
  `airport` String,
  `_cnt_delays` SimpleAggregateFunction(sum, UInt64),
  `_s1_delays` SimpleAggregateFunction(sum, Float64),
  `_s2_delays` SimpleAggregateFunction(sum, Float64),
  `_s3_delays` SimpleAggregateFunction(sum, Float64),
  `_s4_delays` SimpleAggregateFunction(sum, Float64),
  `_min_delays` SimpleAggregateFunction(min, Nullable(Int64)),
  `_max_delays` SimpleAggregateFunction(max, Nullable(Int64)),
  `_far_delays` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64))),
  `_cnt_distances` SimpleAggregateFunction(sum, UInt64),
  `_s1_distances` SimpleAggregateFunction(sum, Float64),
  `_s2_distances` SimpleAggregateFunction(sum, Float64),
  `_s3_distances` SimpleAggregateFunction(sum, Float64),
  `_s4_distances` SimpleAggregateFunction(sum, Float64),
  `_min_distances` SimpleAggregateFunction(min, Nullable(Float64)),
  `_max_distances` SimpleAggregateFunction(max, Nullable(Float64)),
  `_far_distances` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`airport`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `air`.`late__60` (
  `_interval` Int64,
  `_cnt_delay` SimpleAggregateFunction(sum, UInt64),
  `_s1_delay` SimpleAggregateFunction(sum, Float64),
  `_s2_delay` SimpleAggregateFunction(sum, Float64),
  `_s3_delay` SimpleAggregateFunction(sum, Float64),
  `_s4_delay` SimpleAggregateFunction(sum, Float64),
  `_min_delay` SimpleAggregateFunction(min, Nullable(Int64)),
  `_max_delay` SimpleAggregateFunction(max, Nullable(Int64)),
  `_far_delay` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `air`.`flights__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `origin` Nullable(String),
  `destination` Nullable(String),
  `delay` Nullable(Int64),
  `distance` Nullable(Float64),
  `_pivot_delay` Float64,
  `_pivot_distance` Float64
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `air`.`late__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `origin` Nullable(String),
  `delay` Nullable(Int64),
  `_pivot_delay` Float64
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`flights__from__flights`
TO `air`.`flights` AS SELECT
  _pk,
  _seq,
  _rest,
  `origin`,
  `destination`,
  `delay`,
  `distance`
FROM `air`.`flights__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`late__from__late`
TO `air`.`late` AS SELECT
  _pk,
  _seq,
  _rest,
  `origin`,
  `delay`
FROM `air`.`late__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`flights__86400__from__flights`
TO `air`.`flights__86400` AS
SELECT
  intDiv(_row._pk, 86400000000) * 86400000000 AS `_interval`,
  count(_row.`destination`) AS `_cnt_destination`,
  uniqCombined64State(_row.`destination`) AS `_uniq_destination`,
  count(_row.`delay`) AS `_cnt_delay`,
  sum(if(_row.`_pivot_delay` = 0, toFloat64(ifNull(_row.`delay`, 0)), 0.) AS `_d_delay`) AS `_s1_delay`,
  sum(`_d_delay` * `_d_delay`) AS `_s2_delay`,
  sum(`_d_delay` * `_d_delay` * `_d_delay`) AS `_s3_delay`,
  sum(`_d_delay` * `_d_delay` * `_d_delay` * `_d_delay`) AS `_s4_delay`,
  min(_row.`delay`) AS `_min_delay`,
  max(_row.`delay`) AS `_max_delay`,
  sumMapIf([_row.`_pivot_delay`], [1.], [toFloat64(assumeNotNull(_row.`delay`)) - _row.`_pivot_delay` AS `_e_delay`], [`_e_delay` * `_e_delay` AS `_q_delay`], [`_q_delay` * `_e_delay`], [`_q_delay` * `_q_delay`], _row.`_pivot_delay` != 0 AND isNotNull(_row.`delay`)) AS `_far_delay`
FROM `air`.`flights__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`flights__300__origin__from__flights`
TO `air`.`flights__300__origin` AS
SELECT
  assumeNotNull(_row.`origin`) AS `origin`,
  intDiv(_row._pk, 300000000) * 300000000 AS `_interval`,
  count(_row.`delay`) AS `_cnt_delay`,
  sum(if(_row.`_pivot_delay` = 0, toFloat64(ifNull(_row.`delay`, 0)), 0.) AS `_d_delay`) AS `_s1_delay`,
  sum(`_d_delay` * `_d_delay`) AS `_s2_delay`,
  sum(`_d_delay` * `_d_delay` * `_d_delay`) AS `_s3_delay`,
  sum(`_d_delay` * `_d_delay` * `_d_delay` * `_d_delay`) AS `_s4_delay`,
  min(_row.`delay`) AS `_min_delay`,
  max(_row.`delay`) AS `_max_delay`,
  sumMapIf([_row.`_pivot_delay`], [1.], [toFloat64(assumeNotNull(_row.`delay`)) - _row.`_pivot_delay` AS `_e_delay`], [`_e_delay` * `_e_delay` AS `_q_delay`], [`_q_delay` * `_e_delay`], [`_q_delay` * `_q_delay`], _row.`_pivot_delay` != 0 AND isNotNull(_row.`delay`)) AS `_far_delay`,
  count(_row.`distance`) AS `_cnt_distance`,
  sum(if(_row.`_pivot_distance` = 0, toFloat64(ifNull(_row.`distance`, 0)), 0.) AS `_d_distance`) AS `_s1_distance`,
  sum(`_d_distance` * `_d_distance`) AS `_s2_distance`,
  sum(`_d_distance` * `_d_distance` * `_d_distance`) AS `_s3_distance`,
  sum(`_d_distance` * `_d_distance` * `_d_distance` * `_d_distance`) AS `_s4_distance`,
  min(_row.`distance`) AS `_min_distance`,
  max(_row.`distance`) AS `_max_distance`,
  sumMapIf([_row.`_pivot_distance`], [1.], [toFloat64(assumeNotNull(_row.`distance`)) - _row.`_pivot_distance` AS `_e_distance`], [`_e_distance` * `_e_distance` AS `_q_distance`], [`_q_distance` * `_e_distance`], [`_q_distance` * `_q_distance`], _row.`_pivot_distance` != 0 AND isNotNull(_row.`distance`)) AS `_far_distance`
FROM `air`.`flights__in` AS _row
WHERE isNotNull(_row.`origin`)
GROUP BY `origin`, `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`flights__300__origin__destination__from__flights`
TO `air`.`flights__300__origin__destination` AS
SELECT
  assumeNotNull(_row.`origin`) AS `origin`,
  assumeNotNull(_row.`destination`) AS `destination`,
  intDiv(_row._pk, 300000000) * 300000000 AS `_interval`,
  count(_row.`delay`) AS `_cnt_delay`
FROM `air`.`flights__in` AS _row
WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`)
GROUP BY `origin`, `destination`, `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`airports__keys__from__flights`
TO `air`.`airports__keys` AS
SELECT
  assumeNotNull(_row.`origin`) AS `airport`,
  count(_row.`delay`) AS `_cnt_delays`,
  sum(if(_row.`_pivot_delay` = 0, toFloat64(ifNull(_row.`delay`, 0)), 0.) AS `_d_delays`) AS `_s1_delays`,
  sum(`_d_delays` * `_d_delays`) AS `_s2_delays`,
  sum(`_d_delays` * `_d_delays` * `_d_delays`) AS `_s3_delays`,
  sum(`_d_delays` * `_d_delays` * `_d_delays` * `_d_delays`) AS `_s4_delays`,
  min(_row.`delay`) AS `_min_delays`,
  max(_row.`delay`) AS `_max_delays`,
  sumMapIf([_row.`_pivot_delay`], [1.], [toFloat64(assumeNotNull(_row.`delay`)) - _row.`_pivot_delay` AS `_e_delays`], [`_e_delays` * `_e_delays` AS `_q_delays`], [`_q_delays` * `_e_delays`], [`_q_delays` * `_q_delays`], _row.`_pivot_delay` != 0 AND isNotNull(_row.`delay`)) AS `_far_delays`,
  count(_row.`distance`) AS `_cnt_distances`,
  sum(if(_row.`_pivot_distance` = 0, toFloat64(ifNull(_row.`distance`, 0)), 0.) AS `_d_distances`) AS `_s1_distances`,
  sum(`_d_distances` * `_d_distances`) AS `_s2_distances`,
  sum(`_d_distances` * `_d_distances` * `_d_distances`) AS `_s3_distances`,
  sum(`_d_distances` * `_d_distances` * `_d_distances` * `_d_distances`) AS `_s4_distances`,
  min(_row.`distance`) AS `_min_distances`,
  max(_row.`distance`) AS `_max_distances`,
  sumMapIf([_row.`_pivot_distance`], [1.], [toFloat64(assumeNotNull(_row.`distance`)) - _row.`_pivot_distance` AS `_e_distances`], [`_e_distances` * `_e_distances` AS `_q_distances`], [`_q_distances` * `_e_distances`], [`_q_distances` * `_q_distances`], _row.`_pivot_distance` != 0 AND isNotNull(_row.`distance`)) AS `_far_distances`
FROM `air`.`flights__in` AS _row
WHERE isNotNull(_row.`origin`)
GROUP BY `airport`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`late__60__from__late`
TO `air`.`late__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`delay`) AS `_cnt_delay`,
  sum(if(_row.`_pivot_delay` = 0, toFloat64(ifNull(_row.`delay`, 0)), 0.) AS `_d_delay`) AS `_s1_delay`,
  sum(`_d_delay` * `_d_delay`) AS `_s2_delay`,
  sum(`_d_delay` * `_d_delay` * `_d_delay`) AS `_s3_delay`,
  sum(`_d_delay` * `_d_delay` * `_d_delay` * `_d_delay`) AS `_s4_delay`,
  min(_row.`delay`) AS `_min_delay`,
  max(_row.`delay`) AS `_max_delay`,
  sumMapIf([_row.`_pivot_delay`], [1.], [toFloat64(assumeNotNull(_row.`delay`)) - _row.`_pivot_delay` AS `_e_delay`], [`_e_delay` * `_e_delay` AS `_q_delay`], [`_q_delay` * `_e_delay`], [`_q_delay` * `_q_delay`], _row.`_pivot_delay` != 0 AND isNotNull(_row.`delay`)) AS `_far_delay`
FROM `air`.`late__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`air_graph_rel__from__air__flights`
TO `graph`.`air_graph_rel` AS
SELECT
  'origin' AS subject_label,
  toString(assumeNotNull(_row.`origin`)) AS subject,
  'FLIES_TO' AS relation,
  'destination' AS object_label,
  toString(assumeNotNull(_row.`destination`)) AS object,
  concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(isNull(_row.`delay`), '', concat('"delay":', assumeNotNull(toString(_row.`delay`))))]), ','), '}') AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'air.flights:origin:destination' AS _source
FROM `air`.`flights__in` AS _row
WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`);

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`air_graph__properties__from__air__flights`
TO `graph`.`air_graph__properties` AS
SELECT _label AS label, _name AS name, property,
  CAST((0, 0, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _label, _name,
    [-min(_seq)] AS _seqs,
    [''] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _label, _name
    FROM `air`.`flights__in` AS _row
    ARRAY JOIN
      ['origin', 'destination'] AS _label,
      [toString(assumeNotNull(_row.`origin`)), toString(assumeNotNull(_row.`destination`))] AS _name
    WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`))
  GROUP BY _label, _name ORDER BY _label, _name)
ARRAY JOIN [''] AS property,
  _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`weir_usage__from__flights`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `air`.`flights__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `air`.`late__in__from__flights`
TO `air`.`late__in` AS
SELECT
  _pk,
  _seq,
  '' AS _rest,
  `origin`,
  `delay`,
  `_pivot_delay`
FROM `air`.`flights__in` AS _row
WHERE `delay` >= 60;

CREATE OR REPLACE VIEW `air`.`flights_by_86400s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 86400 s; a condition on it reads those intervals alone',
  `destination_cnt` UInt64 COMMENT 'Number of values of destination',
  `destination_unique` UInt64 COMMENT 'Number of different values of destination: exact up to about 2,000, then within about 0.5 %; adding it over rows counts values twice',
  `delay_cnt` UInt64 COMMENT 'Number of values of delay',
  `delay_sum` Nullable(Float64) COMMENT 'Sum of delay; NULL without a value',
  `delay_min` Nullable(Int64) COMMENT 'Least value of delay; NULL without a value',
  `delay_max` Nullable(Int64) COMMENT 'Greatest value of delay; NULL without a value',
  `delay_avg` Nullable(Float64) COMMENT 'Mean of delay; NULL without a value',
  `delay_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of delay; NULL below 2 values',
  `delay_skew` Nullable(Float64) COMMENT 'Skewness of delay (adjusted Fisher-Pearson G1); NULL below 3 values',
  `delay_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of delay (sample G2); NULL below 4 values'
) AS SELECT
  `interval_start`,
  `_n_destination` AS `destination_cnt`,
  `_u_destination` AS `destination_unique`,
  `_n_delay` AS `delay_cnt`,
  if(`_nf_delay` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delay` = `_most_delay`, `_nf_delay` * `_least_delay`, `_nf_delay` * `_p0_delay` + `_t_delay`)])[1]) AS `delay_sum`,
  `_least_delay` AS `delay_min`,
  `_most_delay` AS `delay_max`,
  if(`_nf_delay` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delay` = `_most_delay`, toFloat64(`_least_delay`), `_p0_delay` + `_mu_delay`)])[1]) AS `delay_avg`,
  multiIf(`_nf_delay` < 2, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_delay`[1] / (`_nf_delay` - 1))])[1]) AS `delay_stdd`,
  multiIf(`_nf_delay` < 3, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_delay` * (`_nf_delay` - 1)) / (`_nf_delay` - 2) * (`_c_delay`[2] / `_nf_delay`) / pow(`_c_delay`[1] / `_nf_delay`, 1.5)])[1]) AS `delay_skew`,
  multiIf(`_nf_delay` < 4, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_delay` - 1) / ((`_nf_delay` - 2) * (`_nf_delay` - 3)) * ((`_nf_delay` + 1) * (`_nf_delay` * `_c_delay`[3] / (`_c_delay`[1] * `_c_delay`[1]) - 3) + 6)])[1]) AS `delay_kurt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_destination`) AS `_n_destination`,
  ifNull(uniqCombined64Merge(`_uniq_destination`), 0) AS `_u_destination`,
  sum(`_cnt_delay`) AS `_n_delay`,
  toFloat64(`_n_delay`) AS `_nf_delay`,
  sumMap(`_far_delay`) AS `_m_delay`,
  arrayConcat([0.], `_m_delay`.1) AS `_p_delay`,
  arrayConcat([`_nf_delay` - arraySum(`_m_delay`.2)], `_m_delay`.2) AS `_k_delay`,
  `_p_delay`[if(`_k_delay`[1] > 0 OR length(`_k_delay`) = 1, 1, 2)] AS `_p0_delay`,
  arrayConcat([sum(`_s1_delay`)], `_m_delay`.3) AS `_a_delay`,
  arraySum((p, c, a) -> a + c*(p - `_p0_delay`), `_p_delay`, `_k_delay`, `_a_delay`) AS `_t_delay`,
  `_t_delay` / `_nf_delay` AS `_mu_delay`,
  arrayMap(p -> p - `_p0_delay` - `_mu_delay`, `_p_delay`) AS `_d_delay`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_delay`, `_k_delay`, `_a_delay`, arrayConcat([sum(`_s2_delay`)], `_m_delay`.4), arrayConcat([sum(`_s3_delay`)], `_m_delay`.5), arrayConcat([sum(`_s4_delay`)], `_m_delay`.6))) AS `_c_delay`,
  min(`_min_delay`) AS `_least_delay`,
  max(`_max_delay`) AS `_most_delay`,
  (`_least_delay` = `_most_delay` OR `_c_delay`[1] <= 0) AS `_flat_delay`
FROM `air`.`flights__86400`
GROUP BY `interval_start`
HAVING sum(`_cnt_destination`) > 0 OR sum(`_cnt_delay`) > 0)
COMMENT 'Running statistics of air.flights: a row an interval of 86400 s';

CREATE OR REPLACE VIEW `air`.`flights_by_86400s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 86400 s; a condition on it reads those intervals alone',
  `destination_cnt` UInt64 COMMENT 'Number of values of destination',
  `destination_state` AggregateFunction(uniqCombined64, Nullable(String)) COMMENT 'Different values of destination: uniqCombined64Merge over rows counts each once',
  `delay_cnt` UInt64 COMMENT 'Number of values of delay',
  `delay_min` Nullable(Int64) COMMENT 'Least value of delay',
  `delay_max` Nullable(Int64) COMMENT 'Greatest value of delay',
  `delay_moments` Array(Float64) COMMENT 'Of delay: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_destination`) AS `_n_destination`,
  ifNull(uniqCombined64Merge(`_uniq_destination`), 0) AS `_u_destination`,
  sum(`_cnt_delay`) AS `_n_delay`,
  toFloat64(`_n_delay`) AS `_nf_delay`,
  sumMap(`_far_delay`) AS `_m_delay`,
  arrayConcat([0.], `_m_delay`.1) AS `_p_delay`,
  arrayConcat([`_nf_delay` - arraySum(`_m_delay`.2)], `_m_delay`.2) AS `_k_delay`,
  `_p_delay`[if(`_k_delay`[1] > 0 OR length(`_k_delay`) = 1, 1, 2)] AS `_p0_delay`,
  arrayConcat([sum(`_s1_delay`)], `_m_delay`.3) AS `_a_delay`,
  arraySum((p, c, a) -> a + c*(p - `_p0_delay`), `_p_delay`, `_k_delay`, `_a_delay`) AS `_t_delay`,
  `_t_delay` / `_nf_delay` AS `_mu_delay`,
  arrayMap(p -> p - `_p0_delay` - `_mu_delay`, `_p_delay`) AS `_d_delay`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_delay`, `_k_delay`, `_a_delay`, arrayConcat([sum(`_s2_delay`)], `_m_delay`.4), arrayConcat([sum(`_s3_delay`)], `_m_delay`.5), arrayConcat([sum(`_s4_delay`)], `_m_delay`.6))) AS `_c_delay`,
  min(`_min_delay`) AS `_least_delay`,
  max(`_max_delay`) AS `_most_delay`,
  (`_least_delay` = `_most_delay` OR `_c_delay`[1] <= 0) AS `_flat_delay`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_destination` AS `destination_cnt`,
  uniqCombined64MergeState(`_uniq_destination`) AS `destination_state`,
  `_n_delay` AS `delay_cnt`,
  `_least_delay` AS `delay_min`,
  `_most_delay` AS `delay_max`,
  if(`_nf_delay` = 0, [0., 0., 0., 0., 0.], [`_nf_delay`, ifNull(if(`_nf_delay` = 0, 0., if(`_least_delay` = `_most_delay`, toFloat64(`_least_delay`), `_p0_delay` + `_mu_delay`)), 0.), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[1]), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[2]), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[3])]) AS `delay_moments`
FROM `air`.`flights__86400`
GROUP BY `interval_start`
COMMENT 'States of air.flights to be merged: a row an interval of 86400 s';

CREATE OR REPLACE VIEW `air`.`flights_by_300s__origin` (
  `origin` String COMMENT 'Value of origin, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `delay_cnt` UInt64 COMMENT 'Number of values of delay',
  `delay_sum` Nullable(Float64) COMMENT 'Sum of delay; NULL without a value',
  `delay_min` Nullable(Int64) COMMENT 'Least value of delay; NULL without a value',
  `delay_max` Nullable(Int64) COMMENT 'Greatest value of delay; NULL without a value',
  `delay_avg` Nullable(Float64) COMMENT 'Mean of delay; NULL without a value',
  `delay_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of delay; NULL below 2 values',
  `delay_skew` Nullable(Float64) COMMENT 'Skewness of delay (adjusted Fisher-Pearson G1); NULL below 3 values',
  `delay_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of delay (sample G2); NULL below 4 values',
  `distance_cnt` UInt64 COMMENT 'Number of values of distance',
  `distance_sum` Nullable(Float64) COMMENT 'Sum of distance; NULL without a value',
  `distance_min` Nullable(Float64) COMMENT 'Least value of distance; NULL without a value',
  `distance_max` Nullable(Float64) COMMENT 'Greatest value of distance; NULL without a value',
  `distance_avg` Nullable(Float64) COMMENT 'Mean of distance; NULL without a value',
  `distance_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of distance; NULL below 2 values',
  `distance_skew` Nullable(Float64) COMMENT 'Skewness of distance (adjusted Fisher-Pearson G1); NULL below 3 values',
  `distance_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of distance (sample G2); NULL below 4 values'
) AS SELECT
  `origin`,
  `interval_start`,
  `_n_delay` AS `delay_cnt`,
  if(`_nf_delay` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delay` = `_most_delay`, `_nf_delay` * `_least_delay`, `_nf_delay` * `_p0_delay` + `_t_delay`)])[1]) AS `delay_sum`,
  `_least_delay` AS `delay_min`,
  `_most_delay` AS `delay_max`,
  if(`_nf_delay` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delay` = `_most_delay`, toFloat64(`_least_delay`), `_p0_delay` + `_mu_delay`)])[1]) AS `delay_avg`,
  multiIf(`_nf_delay` < 2, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_delay`[1] / (`_nf_delay` - 1))])[1]) AS `delay_stdd`,
  multiIf(`_nf_delay` < 3, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_delay` * (`_nf_delay` - 1)) / (`_nf_delay` - 2) * (`_c_delay`[2] / `_nf_delay`) / pow(`_c_delay`[1] / `_nf_delay`, 1.5)])[1]) AS `delay_skew`,
  multiIf(`_nf_delay` < 4, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_delay` - 1) / ((`_nf_delay` - 2) * (`_nf_delay` - 3)) * ((`_nf_delay` + 1) * (`_nf_delay` * `_c_delay`[3] / (`_c_delay`[1] * `_c_delay`[1]) - 3) + 6)])[1]) AS `delay_kurt`,
  `_n_distance` AS `distance_cnt`,
  if(`_nf_distance` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_distance` = `_most_distance`, `_nf_distance` * `_least_distance`, `_nf_distance` * `_p0_distance` + `_t_distance`)])[1]) AS `distance_sum`,
  `_least_distance` AS `distance_min`,
  `_most_distance` AS `distance_max`,
  if(`_nf_distance` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_distance` = `_most_distance`, toFloat64(`_least_distance`), `_p0_distance` + `_mu_distance`)])[1]) AS `distance_avg`,
  multiIf(`_nf_distance` < 2, NULL, `_flat_distance`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_distance`[1] / (`_nf_distance` - 1))])[1]) AS `distance_stdd`,
  multiIf(`_nf_distance` < 3, NULL, `_flat_distance`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_distance` * (`_nf_distance` - 1)) / (`_nf_distance` - 2) * (`_c_distance`[2] / `_nf_distance`) / pow(`_c_distance`[1] / `_nf_distance`, 1.5)])[1]) AS `distance_skew`,
  multiIf(`_nf_distance` < 4, NULL, `_flat_distance`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_distance` - 1) / ((`_nf_distance` - 2) * (`_nf_distance` - 3)) * ((`_nf_distance` + 1) * (`_nf_distance` * `_c_distance`[3] / (`_c_distance`[1] * `_c_distance`[1]) - 3) + 6)])[1]) AS `distance_kurt`
FROM (SELECT
  `origin` AS `origin`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_delay`) AS `_n_delay`,
  toFloat64(`_n_delay`) AS `_nf_delay`,
  sumMap(`_far_delay`) AS `_m_delay`,
  arrayConcat([0.], `_m_delay`.1) AS `_p_delay`,
  arrayConcat([`_nf_delay` - arraySum(`_m_delay`.2)], `_m_delay`.2) AS `_k_delay`,
  `_p_delay`[if(`_k_delay`[1] > 0 OR length(`_k_delay`) = 1, 1, 2)] AS `_p0_delay`,
  arrayConcat([sum(`_s1_delay`)], `_m_delay`.3) AS `_a_delay`,
  arraySum((p, c, a) -> a + c*(p - `_p0_delay`), `_p_delay`, `_k_delay`, `_a_delay`) AS `_t_delay`,
  `_t_delay` / `_nf_delay` AS `_mu_delay`,
  arrayMap(p -> p - `_p0_delay` - `_mu_delay`, `_p_delay`) AS `_d_delay`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_delay`, `_k_delay`, `_a_delay`, arrayConcat([sum(`_s2_delay`)], `_m_delay`.4), arrayConcat([sum(`_s3_delay`)], `_m_delay`.5), arrayConcat([sum(`_s4_delay`)], `_m_delay`.6))) AS `_c_delay`,
  min(`_min_delay`) AS `_least_delay`,
  max(`_max_delay`) AS `_most_delay`,
  (`_least_delay` = `_most_delay` OR `_c_delay`[1] <= 0) AS `_flat_delay`,
  sum(`_cnt_distance`) AS `_n_distance`,
  toFloat64(`_n_distance`) AS `_nf_distance`,
  sumMap(`_far_distance`) AS `_m_distance`,
  arrayConcat([0.], `_m_distance`.1) AS `_p_distance`,
  arrayConcat([`_nf_distance` - arraySum(`_m_distance`.2)], `_m_distance`.2) AS `_k_distance`,
  `_p_distance`[if(`_k_distance`[1] > 0 OR length(`_k_distance`) = 1, 1, 2)] AS `_p0_distance`,
  arrayConcat([sum(`_s1_distance`)], `_m_distance`.3) AS `_a_distance`,
  arraySum((p, c, a) -> a + c*(p - `_p0_distance`), `_p_distance`, `_k_distance`, `_a_distance`) AS `_t_distance`,
  `_t_distance` / `_nf_distance` AS `_mu_distance`,
  arrayMap(p -> p - `_p0_distance` - `_mu_distance`, `_p_distance`) AS `_d_distance`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_distance`, `_k_distance`, `_a_distance`, arrayConcat([sum(`_s2_distance`)], `_m_distance`.4), arrayConcat([sum(`_s3_distance`)], `_m_distance`.5), arrayConcat([sum(`_s4_distance`)], `_m_distance`.6))) AS `_c_distance`,
  min(`_min_distance`) AS `_least_distance`,
  max(`_max_distance`) AS `_most_distance`,
  (`_least_distance` = `_most_distance` OR `_c_distance`[1] <= 0) AS `_flat_distance`
FROM `air`.`flights__300__origin`
GROUP BY `origin`, `interval_start`
HAVING sum(`_cnt_delay`) > 0 OR sum(`_cnt_distance`) > 0)
COMMENT 'Statistics of air.flights by origin: a row an interval of 300 s and group';

CREATE OR REPLACE VIEW `air`.`flights_by_300s_states__origin` (
  `origin` String COMMENT 'Value of origin, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `delay_cnt` UInt64 COMMENT 'Number of values of delay',
  `delay_min` Nullable(Int64) COMMENT 'Least value of delay',
  `delay_max` Nullable(Int64) COMMENT 'Greatest value of delay',
  `delay_moments` Array(Float64) COMMENT 'Of delay: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)',
  `distance_cnt` UInt64 COMMENT 'Number of values of distance',
  `distance_min` Nullable(Float64) COMMENT 'Least value of distance',
  `distance_max` Nullable(Float64) COMMENT 'Greatest value of distance',
  `distance_moments` Array(Float64) COMMENT 'Of distance: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_delay`) AS `_n_delay`,
  toFloat64(`_n_delay`) AS `_nf_delay`,
  sumMap(`_far_delay`) AS `_m_delay`,
  arrayConcat([0.], `_m_delay`.1) AS `_p_delay`,
  arrayConcat([`_nf_delay` - arraySum(`_m_delay`.2)], `_m_delay`.2) AS `_k_delay`,
  `_p_delay`[if(`_k_delay`[1] > 0 OR length(`_k_delay`) = 1, 1, 2)] AS `_p0_delay`,
  arrayConcat([sum(`_s1_delay`)], `_m_delay`.3) AS `_a_delay`,
  arraySum((p, c, a) -> a + c*(p - `_p0_delay`), `_p_delay`, `_k_delay`, `_a_delay`) AS `_t_delay`,
  `_t_delay` / `_nf_delay` AS `_mu_delay`,
  arrayMap(p -> p - `_p0_delay` - `_mu_delay`, `_p_delay`) AS `_d_delay`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_delay`, `_k_delay`, `_a_delay`, arrayConcat([sum(`_s2_delay`)], `_m_delay`.4), arrayConcat([sum(`_s3_delay`)], `_m_delay`.5), arrayConcat([sum(`_s4_delay`)], `_m_delay`.6))) AS `_c_delay`,
  min(`_min_delay`) AS `_least_delay`,
  max(`_max_delay`) AS `_most_delay`,
  (`_least_delay` = `_most_delay` OR `_c_delay`[1] <= 0) AS `_flat_delay`,
  sum(`_cnt_distance`) AS `_n_distance`,
  toFloat64(`_n_distance`) AS `_nf_distance`,
  sumMap(`_far_distance`) AS `_m_distance`,
  arrayConcat([0.], `_m_distance`.1) AS `_p_distance`,
  arrayConcat([`_nf_distance` - arraySum(`_m_distance`.2)], `_m_distance`.2) AS `_k_distance`,
  `_p_distance`[if(`_k_distance`[1] > 0 OR length(`_k_distance`) = 1, 1, 2)] AS `_p0_distance`,
  arrayConcat([sum(`_s1_distance`)], `_m_distance`.3) AS `_a_distance`,
  arraySum((p, c, a) -> a + c*(p - `_p0_distance`), `_p_distance`, `_k_distance`, `_a_distance`) AS `_t_distance`,
  `_t_distance` / `_nf_distance` AS `_mu_distance`,
  arrayMap(p -> p - `_p0_distance` - `_mu_distance`, `_p_distance`) AS `_d_distance`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_distance`, `_k_distance`, `_a_distance`, arrayConcat([sum(`_s2_distance`)], `_m_distance`.4), arrayConcat([sum(`_s3_distance`)], `_m_distance`.5), arrayConcat([sum(`_s4_distance`)], `_m_distance`.6))) AS `_c_distance`,
  min(`_min_distance`) AS `_least_distance`,
  max(`_max_distance`) AS `_most_distance`,
  (`_least_distance` = `_most_distance` OR `_c_distance`[1] <= 0) AS `_flat_distance`
SELECT
  `origin` AS `origin`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_delay` AS `delay_cnt`,
  `_least_delay` AS `delay_min`,
  `_most_delay` AS `delay_max`,
  if(`_nf_delay` = 0, [0., 0., 0., 0., 0.], [`_nf_delay`, ifNull(if(`_nf_delay` = 0, 0., if(`_least_delay` = `_most_delay`, toFloat64(`_least_delay`), `_p0_delay` + `_mu_delay`)), 0.), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[1]), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[2]), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[3])]) AS `delay_moments`,
  `_n_distance` AS `distance_cnt`,
  `_least_distance` AS `distance_min`,
  `_most_distance` AS `distance_max`,
  if(`_nf_distance` = 0, [0., 0., 0., 0., 0.], [`_nf_distance`, ifNull(if(`_nf_distance` = 0, 0., if(`_least_distance` = `_most_distance`, toFloat64(`_least_distance`), `_p0_distance` + `_mu_distance`)), 0.), if(ifNull(`_flat_distance`, 1), 0., `_c_distance`[1]), if(ifNull(`_flat_distance`, 1), 0., `_c_distance`[2]), if(ifNull(`_flat_distance`, 1), 0., `_c_distance`[3])]) AS `distance_moments`
FROM `air`.`flights__300__origin`
GROUP BY `origin`, `interval_start`
COMMENT 'States of air.flights to be merged, by origin: a row an interval of 300 s and group';

CREATE OR REPLACE VIEW `air`.`flights_by_300s__origin__destination` (
  `origin` String COMMENT 'Value of origin, by which events are grouped',
  `destination` String COMMENT 'Value of destination, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `delay_cnt` UInt64 COMMENT 'Number of values of delay'
) AS SELECT
  `origin`,
  `destination`,
  `interval_start`,
  `_n_delay` AS `delay_cnt`
FROM (SELECT
  `origin` AS `origin`,
  `destination` AS `destination`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_delay`) AS `_n_delay`
FROM `air`.`flights__300__origin__destination`
GROUP BY `origin`, `destination`, `interval_start`
HAVING sum(`_cnt_delay`) > 0)
COMMENT 'Statistics of air.flights by origin, destination: a row an interval of 300 s and group';

CREATE OR REPLACE VIEW `air`.`airports` (
  `airport` String COMMENT 'Key of the entity',
  `delays_cnt` UInt64 COMMENT 'Number of values of delay',
  `delays_sum` Nullable(Float64) COMMENT 'Sum of delay; NULL without a value',
  `delays_min` Nullable(Int64) COMMENT 'Least value of delay; NULL without a value',
  `delays_max` Nullable(Int64) COMMENT 'Greatest value of delay; NULL without a value',
  `delays_avg` Nullable(Float64) COMMENT 'Mean of delay; NULL without a value',
  `delays_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of delay; NULL below 2 values',
  `delays_skew` Nullable(Float64) COMMENT 'Skewness of delay (adjusted Fisher-Pearson G1); NULL below 3 values',
  `delays_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of delay (sample G2); NULL below 4 values',
  `distances_cnt` UInt64 COMMENT 'Number of values of distance',
  `distances_sum` Nullable(Float64) COMMENT 'Sum of distance; NULL without a value',
  `distances_min` Nullable(Float64) COMMENT 'Least value of distance; NULL without a value',
  `distances_max` Nullable(Float64) COMMENT 'Greatest value of distance; NULL without a value',
  `distances_avg` Nullable(Float64) COMMENT 'Mean of distance; NULL without a value',
  `distances_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of distance; NULL below 2 values',
  `distances_skew` Nullable(Float64) COMMENT 'Skewness of distance (adjusted Fisher-Pearson G1); NULL below 3 values',
  `distances_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of distance (sample G2); NULL below 4 values'
) AS SELECT
  `airport`,
  `_n_delays` AS `delays_cnt`,
  if(`_nf_delays` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delays` = `_most_delays`, `_nf_delays` * `_least_delays`, `_nf_delays` * `_p0_delays` + `_t_delays`)])[1]) AS `delays_sum`,
  `_least_delays` AS `delays_min`,
  `_most_delays` AS `delays_max`,
  if(`_nf_delays` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delays` = `_most_delays`, toFloat64(`_least_delays`), `_p0_delays` + `_mu_delays`)])[1]) AS `delays_avg`,
  multiIf(`_nf_delays` < 2, NULL, `_flat_delays`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_delays`[1] / (`_nf_delays` - 1))])[1]) AS `delays_stdd`,
  multiIf(`_nf_delays` < 3, NULL, `_flat_delays`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_delays` * (`_nf_delays` - 1)) / (`_nf_delays` - 2) * (`_c_delays`[2] / `_nf_delays`) / pow(`_c_delays`[1] / `_nf_delays`, 1.5)])[1]) AS `delays_skew`,
  multiIf(`_nf_delays` < 4, NULL, `_flat_delays`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_delays` - 1) / ((`_nf_delays` - 2) * (`_nf_delays` - 3)) * ((`_nf_delays` + 1) * (`_nf_delays` * `_c_delays`[3] / (`_c_delays`[1] * `_c_delays`[1]) - 3) + 6)])[1]) AS `delays_kurt`,
  `_n_distances` AS `distances_cnt`,
  if(`_nf_distances` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_distances` = `_most_distances`, `_nf_distances` * `_least_distances`, `_nf_distances` * `_p0_distances` + `_t_distances`)])[1]) AS `distances_sum`,
  `_least_distances` AS `distances_min`,
  `_most_distances` AS `distances_max`,
  if(`_nf_distances` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_distances` = `_most_distances`, toFloat64(`_least_distances`), `_p0_distances` + `_mu_distances`)])[1]) AS `distances_avg`,
  multiIf(`_nf_distances` < 2, NULL, `_flat_distances`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_distances`[1] / (`_nf_distances` - 1))])[1]) AS `distances_stdd`,
  multiIf(`_nf_distances` < 3, NULL, `_flat_distances`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_distances` * (`_nf_distances` - 1)) / (`_nf_distances` - 2) * (`_c_distances`[2] / `_nf_distances`) / pow(`_c_distances`[1] / `_nf_distances`, 1.5)])[1]) AS `distances_skew`,
  multiIf(`_nf_distances` < 4, NULL, `_flat_distances`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_distances` - 1) / ((`_nf_distances` - 2) * (`_nf_distances` - 3)) * ((`_nf_distances` + 1) * (`_nf_distances` * `_c_distances`[3] / (`_c_distances`[1] * `_c_distances`[1]) - 3) + 6)])[1]) AS `distances_kurt`
FROM (SELECT
  `airport` AS `airport`,
  sum(`_cnt_delays`) AS `_n_delays`,
  toFloat64(`_n_delays`) AS `_nf_delays`,
  sumMap(`_far_delays`) AS `_m_delays`,
  arrayConcat([0.], `_m_delays`.1) AS `_p_delays`,
  arrayConcat([`_nf_delays` - arraySum(`_m_delays`.2)], `_m_delays`.2) AS `_k_delays`,
  `_p_delays`[if(`_k_delays`[1] > 0 OR length(`_k_delays`) = 1, 1, 2)] AS `_p0_delays`,
  arrayConcat([sum(`_s1_delays`)], `_m_delays`.3) AS `_a_delays`,
  arraySum((p, c, a) -> a + c*(p - `_p0_delays`), `_p_delays`, `_k_delays`, `_a_delays`) AS `_t_delays`,
  `_t_delays` / `_nf_delays` AS `_mu_delays`,
  arrayMap(p -> p - `_p0_delays` - `_mu_delays`, `_p_delays`) AS `_d_delays`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_delays`, `_k_delays`, `_a_delays`, arrayConcat([sum(`_s2_delays`)], `_m_delays`.4), arrayConcat([sum(`_s3_delays`)], `_m_delays`.5), arrayConcat([sum(`_s4_delays`)], `_m_delays`.6))) AS `_c_delays`,
  min(`_min_delays`) AS `_least_delays`,
  max(`_max_delays`) AS `_most_delays`,
  (`_least_delays` = `_most_delays` OR `_c_delays`[1] <= 0) AS `_flat_delays`,
  sum(`_cnt_distances`) AS `_n_distances`,
  toFloat64(`_n_distances`) AS `_nf_distances`,
  sumMap(`_far_distances`) AS `_m_distances`,
  arrayConcat([0.], `_m_distances`.1) AS `_p_distances`,
  arrayConcat([`_nf_distances` - arraySum(`_m_distances`.2)], `_m_distances`.2) AS `_k_distances`,
  `_p_distances`[if(`_k_distances`[1] > 0 OR length(`_k_distances`) = 1, 1, 2)] AS `_p0_distances`,
  arrayConcat([sum(`_s1_distances`)], `_m_distances`.3) AS `_a_distances`,
  arraySum((p, c, a) -> a + c*(p - `_p0_distances`), `_p_distances`, `_k_distances`, `_a_distances`) AS `_t_distances`,
  `_t_distances` / `_nf_distances` AS `_mu_distances`,
  arrayMap(p -> p - `_p0_distances` - `_mu_distances`, `_p_distances`) AS `_d_distances`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_distances`, `_k_distances`, `_a_distances`, arrayConcat([sum(`_s2_distances`)], `_m_distances`.4), arrayConcat([sum(`_s3_distances`)], `_m_distances`.5), arrayConcat([sum(`_s4_distances`)], `_m_distances`.6))) AS `_c_distances`,
  min(`_min_distances`) AS `_least_distances`,
  max(`_max_distances`) AS `_most_distances`,
  (`_least_distances` = `_most_distances` OR `_c_distances`[1] <= 0) AS `_flat_distances`
FROM `air`.`airports__keys`
GROUP BY `airport`)
COMMENT 'Entity stream air.airports: a row a key, with statistics over all its events';

CREATE OR REPLACE VIEW `air`.`late_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `delay_cnt` UInt64 COMMENT 'Number of values of delay',
  `delay_sum` Nullable(Float64) COMMENT 'Sum of delay; NULL without a value',
  `delay_min` Nullable(Int64) COMMENT 'Least value of delay; NULL without a value',
  `delay_max` Nullable(Int64) COMMENT 'Greatest value of delay; NULL without a value',
  `delay_avg` Nullable(Float64) COMMENT 'Mean of delay; NULL without a value',
  `delay_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of delay; NULL below 2 values',
  `delay_skew` Nullable(Float64) COMMENT 'Skewness of delay (adjusted Fisher-Pearson G1); NULL below 3 values',
  `delay_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of delay (sample G2); NULL below 4 values'
) AS SELECT
  `interval_start`,
  `_n_delay` AS `delay_cnt`,
  if(`_nf_delay` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delay` = `_most_delay`, `_nf_delay` * `_least_delay`, `_nf_delay` * `_p0_delay` + `_t_delay`)])[1]) AS `delay_sum`,
  `_least_delay` AS `delay_min`,
  `_most_delay` AS `delay_max`,
  if(`_nf_delay` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_delay` = `_most_delay`, toFloat64(`_least_delay`), `_p0_delay` + `_mu_delay`)])[1]) AS `delay_avg`,
  multiIf(`_nf_delay` < 2, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_delay`[1] / (`_nf_delay` - 1))])[1]) AS `delay_stdd`,
  multiIf(`_nf_delay` < 3, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_delay` * (`_nf_delay` - 1)) / (`_nf_delay` - 2) * (`_c_delay`[2] / `_nf_delay`) / pow(`_c_delay`[1] / `_nf_delay`, 1.5)])[1]) AS `delay_skew`,
  multiIf(`_nf_delay` < 4, NULL, `_flat_delay`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_delay` - 1) / ((`_nf_delay` - 2) * (`_nf_delay` - 3)) * ((`_nf_delay` + 1) * (`_nf_delay` * `_c_delay`[3] / (`_c_delay`[1] * `_c_delay`[1]) - 3) + 6)])[1]) AS `delay_kurt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_delay`) AS `_n_delay`,
  toFloat64(`_n_delay`) AS `_nf_delay`,
  sumMap(`_far_delay`) AS `_m_delay`,
  arrayConcat([0.], `_m_delay`.1) AS `_p_delay`,
  arrayConcat([`_nf_delay` - arraySum(`_m_delay`.2)], `_m_delay`.2) AS `_k_delay`,
  `_p_delay`[if(`_k_delay`[1] > 0 OR length(`_k_delay`) = 1, 1, 2)] AS `_p0_delay`,
  arrayConcat([sum(`_s1_delay`)], `_m_delay`.3) AS `_a_delay`,
  arraySum((p, c, a) -> a + c*(p - `_p0_delay`), `_p_delay`, `_k_delay`, `_a_delay`) AS `_t_delay`,
  `_t_delay` / `_nf_delay` AS `_mu_delay`,
  arrayMap(p -> p - `_p0_delay` - `_mu_delay`, `_p_delay`) AS `_d_delay`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_delay`, `_k_delay`, `_a_delay`, arrayConcat([sum(`_s2_delay`)], `_m_delay`.4), arrayConcat([sum(`_s3_delay`)], `_m_delay`.5), arrayConcat([sum(`_s4_delay`)], `_m_delay`.6))) AS `_c_delay`,
  min(`_min_delay`) AS `_least_delay`,
  max(`_max_delay`) AS `_most_delay`,
  (`_least_delay` = `_most_delay` OR `_c_delay`[1] <= 0) AS `_flat_delay`
FROM `air`.`late__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_delay`) > 0)
COMMENT 'Running statistics of air.late: a row an interval of 60 s';

CREATE OR REPLACE VIEW `air`.`late_by_60s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `delay_cnt` UInt64 COMMENT 'Number of values of delay',
  `delay_min` Nullable(Int64) COMMENT 'Least value of delay',
  `delay_max` Nullable(Int64) COMMENT 'Greatest value of delay',
  `delay_moments` Array(Float64) COMMENT 'Of delay: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_delay`) AS `_n_delay`,
  toFloat64(`_n_delay`) AS `_nf_delay`,
  sumMap(`_far_delay`) AS `_m_delay`,
  arrayConcat([0.], `_m_delay`.1) AS `_p_delay`,
  arrayConcat([`_nf_delay` - arraySum(`_m_delay`.2)], `_m_delay`.2) AS `_k_delay`,
  `_p_delay`[if(`_k_delay`[1] > 0 OR length(`_k_delay`) = 1, 1, 2)] AS `_p0_delay`,
  arrayConcat([sum(`_s1_delay`)], `_m_delay`.3) AS `_a_delay`,
  arraySum((p, c, a) -> a + c*(p - `_p0_delay`), `_p_delay`, `_k_delay`, `_a_delay`) AS `_t_delay`,
  `_t_delay` / `_nf_delay` AS `_mu_delay`,
  arrayMap(p -> p - `_p0_delay` - `_mu_delay`, `_p_delay`) AS `_d_delay`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_delay`, `_k_delay`, `_a_delay`, arrayConcat([sum(`_s2_delay`)], `_m_delay`.4), arrayConcat([sum(`_s3_delay`)], `_m_delay`.5), arrayConcat([sum(`_s4_delay`)], `_m_delay`.6))) AS `_c_delay`,
  min(`_min_delay`) AS `_least_delay`,
  max(`_max_delay`) AS `_most_delay`,
  (`_least_delay` = `_most_delay` OR `_c_delay`[1] <= 0) AS `_flat_delay`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_delay` AS `delay_cnt`,
  `_least_delay` AS `delay_min`,
  `_most_delay` AS `delay_max`,
  if(`_nf_delay` = 0, [0., 0., 0., 0., 0.], [`_nf_delay`, ifNull(if(`_nf_delay` = 0, 0., if(`_least_delay` = `_most_delay`, toFloat64(`_least_delay`), `_p0_delay` + `_mu_delay`)), 0.), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[1]), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[2]), if(ifNull(`_flat_delay`, 1), 0., `_c_delay`[3])]) AS `delay_moments`
FROM `air`.`late__60`
GROUP BY `interval_start`
COMMENT 'States of air.late to be merged: a row an interval of 60 s';
