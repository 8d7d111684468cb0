CREATE DATABASE IF NOT EXISTS `tops`;

CREATE TABLE IF NOT EXISTS `tops`.`s` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `k` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `n` Nullable(Int64) COMMENT 'Attribute of type LONG; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events of the stream tops.s';

CREATE TABLE IF NOT EXISTS `tops`.`s__60` (
  `_interval` Int64,
  `_cnt_k` SimpleAggregateFunction(sum, UInt64),
  `_cnt_n` SimpleAggregateFunction(sum, UInt64),
  `_s1_n` SimpleAggregateFunction(sum, Float64),
  `_s2_n` SimpleAggregateFunction(sum, Float64),
  `_s3_n` SimpleAggregateFunction(sum, Float64),
  `_s4_n` SimpleAggregateFunction(sum, Float64),
  `_min_n` SimpleAggregateFunction(min, Nullable(Int64)),
  `_max_n` SimpleAggregateFunction(max, Nullable(Int64)),
  `_far_n` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `tops`.`s__60___top__k` (
  `_interval` Int64,
  `_value` String,
  `_cnt_k` SimpleAggregateFunction(sum, UInt64),
  `_left_k` SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`, `_value`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `tops`.`s__60___top__n` (
  `_interval` Int64,
  `_value` Int64,
  `_cnt_n` SimpleAggregateFunction(sum, UInt64),
  `_left_n` SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`, `_value`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `tops`.`s__300__k` (
  `k` String,
  `_interval` Int64,
  `_cnt_n` SimpleAggregateFunction(sum, UInt64),
  INDEX _by_time _interval TYPE minmax
) ENGINE = AggregatingMergeTree
ORDER BY (`k`, `_interval`)
TTL toDateTime(least(intDiv(_interval, 1000000) + 86700, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_with_ttl_timeout = 3600, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `tops`.`s__300__k___top__n` (
  `k` String,
  `_interval` Int64,
  `_value` Int64,
  `_cnt_n` SimpleAggregateFunction(sum, UInt64),
  `_left_n` SimpleAggregateFunction(sum, UInt64),
  INDEX _by_time _interval TYPE minmax
) ENGINE = AggregatingMergeTree
ORDER BY (`k`, `_interval`, `_value`)
TTL toDateTime(least(intDiv(_interval, 1000000) + 86700, 4294967295))
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_with_ttl_timeout = 3600, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `tops`.`keys__keys` (
  `k` String,
  `_cnt_often` SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (`k`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `tops`.`keys__keys___top__often` (
  `k` String,
  `_value` Int64,
  `_cnt_often` SimpleAggregateFunction(sum, UInt64),
  `_left_often` SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (`k`, `_value`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `tops`.`s__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `k` Nullable(String),
  `n` Nullable(Int64),
  `_pivot_n` Float64
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`s__from__s`
TO `tops`.`s` AS SELECT
  _pk,
  _seq,
  _rest,
  `k`,
  `n`
FROM `tops`.`s__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`s__60__from__s`
TO `tops`.`s__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`k`) AS `_cnt_k`,
  count(_row.`n`) AS `_cnt_n`,
  sum(if(_row.`_pivot_n` = 0, toFloat64(ifNull(_row.`n`, 0)), 0.) AS `_d_n`) AS `_s1_n`,
  sum(`_d_n` * `_d_n`) AS `_s2_n`,
  sum(`_d_n` * `_d_n` * `_d_n`) AS `_s3_n`,
  sum(`_d_n` * `_d_n` * `_d_n` * `_d_n`) AS `_s4_n`,
  min(_row.`n`) AS `_min_n`,
  max(_row.`n`) AS `_max_n`,
  sumMapIf([_row.`_pivot_n`], [1.], [toFloat64(assumeNotNull(_row.`n`)) - _row.`_pivot_n` AS `_e_n`], [`_e_n` * `_e_n` AS `_q_n`], [`_q_n` * `_e_n`], [`_q_n` * `_q_n`], _row.`_pivot_n` != 0 AND isNotNull(_row.`n`)) AS `_far_n`
FROM `tops`.`s__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`s__60___top__k__from__s`
TO `tops`.`s__60___top__k` AS
SELECT
  `_interval`,
  _one.2 AS `_value`,
  toUInt64(-_one.1) AS `_cnt_k`,
  if(_place = 1, _next, 0) AS `_left_k`
FROM (SELECT
  `_interval`,
  groupArraySorted(1001)((-toInt64(`_cnt_k`), `_value`)) AS _all,
  toUInt64(-_all[1001].1) AS _next
FROM (SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  assumeNotNull(_row.`k`) AS `_value`,
  count(_row.`k`) AS `_cnt_k`
FROM `tops`.`s__in` AS _row
WHERE isNotNull(_row.`k`)
GROUP BY `_interval`, `_value`)
GROUP BY `_interval`)
ARRAY JOIN _all AS _one, arrayEnumerate(_all) AS _place
WHERE toUInt64(-_one.1) > _next OR _place = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`s__60___top__n__from__s`
TO `tops`.`s__60___top__n` AS
SELECT
  `_interval`,
  _one.2 AS `_value`,
  toUInt64(-_one.1) AS `_cnt_n`,
  if(_place = 1, _next, 0) AS `_left_n`
FROM (SELECT
  `_interval`,
  groupArraySorted(1001)((-toInt64(`_cnt_n`), `_value`)) AS _all,
  toUInt64(-_all[1001].1) AS _next
FROM (SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  assumeNotNull(_row.`n`) AS `_value`,
  count(_row.`n`) AS `_cnt_n`
FROM `tops`.`s__in` AS _row
WHERE isNotNull(_row.`n`)
GROUP BY `_interval`, `_value`)
GROUP BY `_interval`)
ARRAY JOIN _all AS _one, arrayEnumerate(_all) AS _place
WHERE toUInt64(-_one.1) > _next OR _place = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`s__300__k__from__s`
TO `tops`.`s__300__k` AS
SELECT
  assumeNotNull(_row.`k`) AS `k`,
  intDiv(_row._pk, 300000000) * 300000000 AS `_interval`,
  count(_row.`n`) AS `_cnt_n`
FROM `tops`.`s__in` AS _row
WHERE isNotNull(_row.`k`)
GROUP BY `k`, `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`s__300__k___top__n__from__s`
TO `tops`.`s__300__k___top__n` AS
SELECT
  `k`,
  `_interval`,
  _one.2 AS `_value`,
  toUInt64(-_one.1) AS `_cnt_n`,
  if(_place = 1, _next, 0) AS `_left_n`
FROM (SELECT
  `k`,
  `_interval`,
  groupArraySorted(1001)((-toInt64(`_cnt_n`), `_value`)) AS _all,
  toUInt64(-_all[1001].1) AS _next
FROM (SELECT
  assumeNotNull(_row.`k`) AS `k`,
  intDiv(_row._pk, 300000000) * 300000000 AS `_interval`,
  assumeNotNull(_row.`n`) AS `_value`,
  count(_row.`n`) AS `_cnt_n`
FROM `tops`.`s__in` AS _row
WHERE isNotNull(_row.`k`) AND isNotNull(_row.`n`)
GROUP BY `k`, `_interval`, `_value`)
GROUP BY `k`, `_interval`)
ARRAY JOIN _all AS _one, arrayEnumerate(_all) AS _place
WHERE toUInt64(-_one.1) > _next OR _place = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`keys__keys__from__s`
TO `tops`.`keys__keys` AS
SELECT
  assumeNotNull(_row.`k`) AS `k`,
  count(_row.`n`) AS `_cnt_often`
FROM `tops`.`s__in` AS _row
WHERE isNotNull(_row.`k`)
GROUP BY `k`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`keys__keys___top__often__from__s`
TO `tops`.`keys__keys___top__often` AS
SELECT
  `k`,
  _one.2 AS `_value`,
  toUInt64(-_one.1) AS `_cnt_often`,
  if(_place = 1, _next, 0) AS `_left_often`
FROM (SELECT
  `k`,
  groupArraySorted(1001)((-toInt64(`_cnt_often`), `_value`)) AS _all,
  toUInt64(-_all[1001].1) AS _next
FROM (SELECT
  assumeNotNull(_row.`k`) AS `k`,
  assumeNotNull(_row.`n`) AS `_value`,
  count(_row.`n`) AS `_cnt_often`
FROM `tops`.`s__in` AS _row
WHERE isNotNull(_row.`k`) AND isNotNull(_row.`n`)
GROUP BY `k`, `_value`)
GROUP BY `k`)
ARRAY JOIN _all AS _one, arrayEnumerate(_all) AS _place
WHERE toUInt64(-_one.1) > _next OR _place = 1;

CREATE MATERIALIZED VIEW IF NOT EXISTS `tops`.`weir_usage__from__s`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `tops`.`s__in`
GROUP BY minute;

CREATE OR REPLACE VIEW `tops`.`s_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `k_cnt` UInt64 COMMENT 'Number of values of k',
  `k_top` Array(Tuple(value String, cnt UInt64)) COMMENT 'The 10 most frequent values of k, most frequent first, and how often each came',
  `k_top_error` UInt64 COMMENT 'How many more there may have been of any value of k than its cnt says; 0 where cnt is exact',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_sum` Nullable(Float64) COMMENT 'Sum of n; NULL without a value',
  `n_min` Nullable(Int64) COMMENT 'Least value of n; NULL without a value',
  `n_max` Nullable(Int64) COMMENT 'Greatest value of n; NULL without a value',
  `n_avg` Nullable(Float64) COMMENT 'Mean of n; NULL without a value',
  `n_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of n; NULL below 2 values',
  `n_skew` Nullable(Float64) COMMENT 'Skewness of n (adjusted Fisher-Pearson G1); NULL below 3 values',
  `n_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of n (sample G2); NULL below 4 values',
  `n_top` Array(Tuple(value Int64, cnt UInt64)) COMMENT 'The 3 most frequent values of n, most frequent first, and how often each came',
  `n_top_error` UInt64 COMMENT 'How many more there may have been of any value of n than its cnt says; 0 where cnt is exact'
) AS SELECT
  `interval_start`,
  `_n_k` AS `k_cnt`,
  `_top_k`.1 AS `k_top`,
  `_top_k`.2 AS `k_top_error`,
  `_n_n` AS `n_cnt`,
  if(`_nf_n` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_n` = `_most_n`, `_nf_n` * `_least_n`, `_nf_n` * `_p0_n` + `_t_n`)])[1]) AS `n_sum`,
  `_least_n` AS `n_min`,
  `_most_n` AS `n_max`,
  if(`_nf_n` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_n` = `_most_n`, toFloat64(`_least_n`), `_p0_n` + `_mu_n`)])[1]) AS `n_avg`,
  multiIf(`_nf_n` < 2, NULL, `_flat_n`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_n`[1] / (`_nf_n` - 1))])[1]) AS `n_stdd`,
  multiIf(`_nf_n` < 3, NULL, `_flat_n`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_n` * (`_nf_n` - 1)) / (`_nf_n` - 2) * (`_c_n`[2] / `_nf_n`) / pow(`_c_n`[1] / `_nf_n`, 1.5)])[1]) AS `n_skew`,
  multiIf(`_nf_n` < 4, NULL, `_flat_n`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_n` - 1) / ((`_nf_n` - 2) * (`_nf_n` - 3)) * ((`_nf_n` + 1) * (`_nf_n` * `_c_n`[3] / (`_c_n`[1] * `_c_n`[1]) - 3) + 6)])[1]) AS `n_kurt`,
  `_top_n`.1 AS `n_top`,
  `_top_n`.2 AS `n_top_error`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_k`) AS `_n_k`,
  sum(`_cnt_n`) AS `_n_n`,
  toFloat64(`_n_n`) AS `_nf_n`,
  sumMap(`_far_n`) AS `_m_n`,
  arrayConcat([0.], `_m_n`.1) AS `_p_n`,
  arrayConcat([`_nf_n` - arraySum(`_m_n`.2)], `_m_n`.2) AS `_k_n`,
  `_p_n`[if(`_k_n`[1] > 0 OR length(`_k_n`) = 1, 1, 2)] AS `_p0_n`,
  arrayConcat([sum(`_s1_n`)], `_m_n`.3) AS `_a_n`,
  arraySum((p, c, a) -> a + c*(p - `_p0_n`), `_p_n`, `_k_n`, `_a_n`) AS `_t_n`,
  `_t_n` / `_nf_n` AS `_mu_n`,
  arrayMap(p -> p - `_p0_n` - `_mu_n`, `_p_n`) AS `_d_n`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_n`, `_k_n`, `_a_n`, arrayConcat([sum(`_s2_n`)], `_m_n`.4), arrayConcat([sum(`_s3_n`)], `_m_n`.5), arrayConcat([sum(`_s4_n`)], `_m_n`.6))) AS `_c_n`,
  min(`_min_n`) AS `_least_n`,
  max(`_max_n`) AS `_most_n`,
  (`_least_n` = `_most_n` OR `_c_n`[1] <= 0) AS `_flat_n`
FROM `tops`.`s__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_k`) > 0 OR sum(`_cnt_n`) > 0) AS _states
ANY LEFT JOIN (SELECT `interval_start`, (arrayMap(each -> (each.2, toUInt64(-each.1)), groupArraySorted(10)((-toInt64(_times), _value))), sum(_error)) AS `_top_k` FROM (SELECT toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`, _value, sum(`_cnt_k`) AS _times, sum(`_left_k`) AS _error FROM `tops`.`s__60___top__k` GROUP BY `interval_start`, _value) GROUP BY `interval_start`) AS `_values_k` USING (`interval_start`)
ANY LEFT JOIN (SELECT `interval_start`, (arrayMap(each -> (each.2, toUInt64(-each.1)), groupArraySorted(3)((-toInt64(_times), _value))), sum(_error)) AS `_top_n` FROM (SELECT toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`, _value, sum(`_cnt_n`) AS _times, sum(`_left_n`) AS _error FROM `tops`.`s__60___top__n` GROUP BY `interval_start`, _value) GROUP BY `interval_start`) AS `_values_n` USING (`interval_start`)
COMMENT 'Running statistics of tops.s: a row an interval of 60 s';

CREATE OR REPLACE VIEW `tops`.`s_by_60s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `k_cnt` UInt64 COMMENT 'Number of values of k',
  `k_counts` Map(String, UInt64) COMMENT 'Values of k and how often each came: sumMap over rows adds them',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_min` Nullable(Int64) COMMENT 'Least value of n',
  `n_max` Nullable(Int64) COMMENT 'Greatest value of n',
  `n_moments` Array(Float64) COMMENT 'Of n: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)',
  `n_counts` Map(Int64, UInt64) COMMENT 'Values of n and how often each came: sumMap over rows adds them'
) AS
SELECT
  `interval_start`,
  `k_cnt`,
  `n_cnt`,
  `n_min`,
  `n_max`,
  `n_moments`,
  `_counts_k` AS `k_counts`,
  `_counts_n` AS `n_counts`
FROM (
WITH
  sum(`_cnt_k`) AS `_n_k`,
  sum(`_cnt_n`) AS `_n_n`,
  toFloat64(`_n_n`) AS `_nf_n`,
  sumMap(`_far_n`) AS `_m_n`,
  arrayConcat([0.], `_m_n`.1) AS `_p_n`,
  arrayConcat([`_nf_n` - arraySum(`_m_n`.2)], `_m_n`.2) AS `_k_n`,
  `_p_n`[if(`_k_n`[1] > 0 OR length(`_k_n`) = 1, 1, 2)] AS `_p0_n`,
  arrayConcat([sum(`_s1_n`)], `_m_n`.3) AS `_a_n`,
  arraySum((p, c, a) -> a + c*(p - `_p0_n`), `_p_n`, `_k_n`, `_a_n`) AS `_t_n`,
  `_t_n` / `_nf_n` AS `_mu_n`,
  arrayMap(p -> p - `_p0_n` - `_mu_n`, `_p_n`) AS `_d_n`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_n`, `_k_n`, `_a_n`, arrayConcat([sum(`_s2_n`)], `_m_n`.4), arrayConcat([sum(`_s3_n`)], `_m_n`.5), arrayConcat([sum(`_s4_n`)], `_m_n`.6))) AS `_c_n`,
  min(`_min_n`) AS `_least_n`,
  max(`_max_n`) AS `_most_n`,
  (`_least_n` = `_most_n` OR `_c_n`[1] <= 0) AS `_flat_n`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_k` AS `k_cnt`,
  `_n_n` AS `n_cnt`,
  `_least_n` AS `n_min`,
  `_most_n` AS `n_max`,
  if(`_nf_n` = 0, [0., 0., 0., 0., 0.], [`_nf_n`, ifNull(if(`_nf_n` = 0, 0., if(`_least_n` = `_most_n`, toFloat64(`_least_n`), `_p0_n` + `_mu_n`)), 0.), if(ifNull(`_flat_n`, 1), 0., `_c_n`[1]), if(ifNull(`_flat_n`, 1), 0., `_c_n`[2]), if(ifNull(`_flat_n`, 1), 0., `_c_n`[3])]) AS `n_moments`
FROM `tops`.`s__60`
GROUP BY `interval_start`
) AS _states
ANY LEFT JOIN (SELECT `interval_start`, CAST(groupArray((_value, _times)), 'Map(String, UInt64)') AS `_counts_k` FROM (SELECT toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`, _value, sum(`_cnt_k`) AS _times, sum(`_left_k`) AS _error FROM `tops`.`s__60___top__k` GROUP BY `interval_start`, _value) GROUP BY `interval_start`) AS `_values_k` USING (`interval_start`)
ANY LEFT JOIN (SELECT `interval_start`, CAST(groupArray((_value, _times)), 'Map(Int64, UInt64)') AS `_counts_n` FROM (SELECT toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`, _value, sum(`_cnt_n`) AS _times, sum(`_left_n`) AS _error FROM `tops`.`s__60___top__n` GROUP BY `interval_start`, _value) GROUP BY `interval_start`) AS `_values_n` USING (`interval_start`)
COMMENT 'States of tops.s to be merged: a row an interval of 60 s';

CREATE OR REPLACE VIEW `tops`.`s_by_300s__k` (
  `k` String COMMENT 'Value of k, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_top` Array(Tuple(value Int64, cnt UInt64)) COMMENT 'The 10 most frequent values of n, most frequent first, and how often each came',
  `n_top_error` UInt64 COMMENT 'How many more there may have been of any value of n than its cnt says; 0 where cnt is exact'
) AS SELECT
  `k`,
  `interval_start`,
  `_n_n` AS `n_cnt`,
  `_top_n`.1 AS `n_top`,
  `_top_n`.2 AS `n_top_error`
FROM (SELECT
  `k` AS `k`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_n`) AS `_n_n`
FROM `tops`.`s__300__k`
GROUP BY `k`, `interval_start`
HAVING sum(`_cnt_n`) > 0) AS _states
ANY LEFT JOIN (SELECT `k`, `interval_start`, (arrayMap(each -> (each.2, toUInt64(-each.1)), groupArraySorted(10)((-toInt64(_times), _value))), sum(_error)) AS `_top_n` FROM (SELECT `k` AS `k`, toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`, _value, sum(`_cnt_n`) AS _times, sum(`_left_n`) AS _error FROM `tops`.`s__300__k___top__n` GROUP BY `k`, `interval_start`, _value) GROUP BY `k`, `interval_start`) AS `_values_n` USING (`k`, `interval_start`)
COMMENT 'Statistics of tops.s by k: a row an interval of 300 s and group';

CREATE OR REPLACE VIEW `tops`.`s_by_300s_states__k` (
  `k` String COMMENT 'Value of k, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_counts` Map(Int64, UInt64) COMMENT 'Values of n and how often each came: sumMap over rows adds them'
) AS
SELECT
  `k`,
  `interval_start`,
  `n_cnt`,
  `_counts_n` AS `n_counts`
FROM (
WITH
  sum(`_cnt_n`) AS `_n_n`
SELECT
  `k` AS `k`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_n` AS `n_cnt`
FROM `tops`.`s__300__k`
GROUP BY `k`, `interval_start`
) AS _states
ANY LEFT JOIN (SELECT `k`, `interval_start`, CAST(groupArray((_value, _times)), 'Map(Int64, UInt64)') AS `_counts_n` FROM (SELECT `k` AS `k`, toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`, _value, sum(`_cnt_n`) AS _times, sum(`_left_n`) AS _error FROM `tops`.`s__300__k___top__n` GROUP BY `k`, `interval_start`, _value) GROUP BY `k`, `interval_start`) AS `_values_n` USING (`k`, `interval_start`)
COMMENT 'States of tops.s to be merged, by k: a row an interval of 300 s and group';

CREATE OR REPLACE VIEW `tops`.`keys` (
  `k` String COMMENT 'Key of the entity',
  `often_cnt` UInt64 COMMENT 'Number of values of n',
  `often_top` Array(Tuple(value Int64, cnt UInt64)) COMMENT 'The 10 most frequent values of n, most frequent first, and how often each came',
  `often_top_error` UInt64 COMMENT 'How many more there may have been of any value of n than its cnt says; 0 where cnt is exact'
) AS SELECT
  `k`,
  `_n_often` AS `often_cnt`,
  `_top_often`.1 AS `often_top`,
  `_top_often`.2 AS `often_top_error`
FROM (SELECT
  `k` AS `k`,
  sum(`_cnt_often`) AS `_n_often`
FROM `tops`.`keys__keys`
GROUP BY `k`) AS _states
ANY LEFT JOIN (SELECT `k`, (arrayMap(each -> (each.2, toUInt64(-each.1)), groupArraySorted(10)((-toInt64(_times), _value))), sum(_error)) AS `_top_often` FROM (SELECT `k` AS `k`, _value, sum(`_cnt_often`) AS _times, sum(`_left_often`) AS _error FROM `tops`.`keys__keys___top__often` GROUP BY `k`, _value) GROUP BY `k`) AS `_values_often` USING (`k`)
COMMENT 'Entity stream tops.keys: a row a key, with statistics over all its events';
