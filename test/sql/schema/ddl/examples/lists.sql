CREATE DATABASE IF NOT EXISTS `lists`;

CREATE TABLE IF NOT EXISTS `lists`.`s` (
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
COMMENT 'Events of the stream lists.s';

CREATE TABLE IF NOT EXISTS `lists`.`s__60` (
  `_interval` Int64,
  `_cnt_k` SimpleAggregateFunction(sum, UInt64),
  `_uniq_k` AggregateFunction(uniqCombined64, Nullable(String)),
  `_last_k` AggregateFunction(argMax, Nullable(String), Int128),
  `_cnt_n` SimpleAggregateFunction(sum, UInt64),
  `_s1_n` SimpleAggregateFunction(sum, Float64),
  `_s2_n` SimpleAggregateFunction(sum, Float64),
  `_s3_n` SimpleAggregateFunction(sum, Float64),
  `_s4_n` SimpleAggregateFunction(sum, Float64),
  `_min_n` SimpleAggregateFunction(min, Nullable(Int64)),
  `_max_n` SimpleAggregateFunction(max, Nullable(Int64)),
  `_far_n` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64))),
  `_bins_n` SimpleAggregateFunction(sumMap, Map(Int32, UInt64)),
  `_low_n` SimpleAggregateFunction(min, Nullable(Int64)),
  `_high_n` SimpleAggregateFunction(max, Nullable(Int64)),
  `_first_n` AggregateFunction(argMin, Nullable(Int64), Int128),
  `_cnt_o` SimpleAggregateFunction(sum, UInt64),
  `_last_o` AggregateFunction(argMax, Nullable(String), Int128)
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `lists`.`s__300__k` (
  `k` String,
  `_interval` Int64,
  `_cnt_n` SimpleAggregateFunction(sum, UInt64),
  `_bins_n` SimpleAggregateFunction(sumMap, Map(Int32, UInt64)),
  `_low_n` SimpleAggregateFunction(min, Nullable(Int64)),
  `_high_n` SimpleAggregateFunction(max, Nullable(Int64)),
  `_last_n` AggregateFunction(argMax, Nullable(Int64), Int128),
  INDEX _by_time _interval TYPE minmax
) ENGINE = AggregatingMergeTree
ORDER BY (`k`, `_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `lists`.`keys__keys` (
  `k` String,
  `_cnt_latest` SimpleAggregateFunction(sum, UInt64),
  `_last_latest` AggregateFunction(argMax, Nullable(Int64), Int128)
) ENGINE = AggregatingMergeTree
ORDER BY (`k`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, merge_selector_base = 12;

CREATE TABLE IF NOT EXISTS `lists`.`s__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `k` Nullable(String),
  `n` Nullable(Int64),
  `_pivot_n` Float64
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `lists`.`s__from__s`
TO `lists`.`s` AS SELECT
  _pk,
  _seq,
  _rest,
  `k`,
  `n`
FROM `lists`.`s__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `lists`.`s__60__from__s`
TO `lists`.`s__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`k`) AS `_cnt_k`,
  uniqCombined64State(_row.`k`) AS `_uniq_k`,
  argMaxState(_row.`k`, bitShiftLeft(toInt128(_row._pk), 64) + _row._seq) AS `_last_k`,
  count(_row.`n`) AS `_cnt_n`,
  sum(if(_row.`_pivot_n` = 0, toFloat64(ifNull(_row.`n`, 0)), 0.) AS `_d_n`) AS `_s1_n`,
  sum(`_d_n` * `_d_n`) AS `_s2_n`,
  sum(`_d_n` * `_d_n` * `_d_n`) AS `_s3_n`,
  sum(`_d_n` * `_d_n` * `_d_n` * `_d_n`) AS `_s4_n`,
  min(_row.`n`) AS `_min_n`,
  max(_row.`n`) AS `_max_n`,
  sumMapIf([_row.`_pivot_n`], [1.], [toFloat64(assumeNotNull(_row.`n`)) - _row.`_pivot_n` AS `_e_n`], [`_e_n` * `_e_n` AS `_q_n`], [`_q_n` * `_e_n`], [`_q_n` * `_q_n`], _row.`_pivot_n` != 0 AND isNotNull(_row.`n`)) AS `_far_n`,
  sumMapIf(map(toInt32(sign(assumeNotNull(toFloat64(_row.`n`))) * bitShiftRight(reinterpretAsInt64(abs(assumeNotNull(toFloat64(_row.`n`)))), 46)), toUInt64(1)), isNotNull(_row.`n`)) AS `_bins_n`,
  min(_row.`n`) AS `_low_n`,
  max(_row.`n`) AS `_high_n`,
  argMinState(_row.`n`, bitShiftLeft(toInt128(_row._pk), 64) + _row._seq) AS `_first_n`,
  count(nullIf(nullIf(JSONExtractRaw(_row._rest, 'o'), ''), 'null')) AS `_cnt_o`,
  argMaxState(nullIf(nullIf(JSONExtractRaw(_row._rest, 'o'), ''), 'null'), bitShiftLeft(toInt128(_row._pk), 64) + _row._seq) AS `_last_o`
FROM `lists`.`s__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `lists`.`s__300__k__from__s`
TO `lists`.`s__300__k` AS
SELECT
  assumeNotNull(_row.`k`) AS `k`,
  intDiv(_row._pk, 300000000) * 300000000 AS `_interval`,
  count(_row.`n`) AS `_cnt_n`,
  sumMapIf(map(toInt32(sign(assumeNotNull(toFloat64(_row.`n`))) * bitShiftRight(reinterpretAsInt64(abs(assumeNotNull(toFloat64(_row.`n`)))), 46)), toUInt64(1)), isNotNull(_row.`n`)) AS `_bins_n`,
  min(_row.`n`) AS `_low_n`,
  max(_row.`n`) AS `_high_n`,
  argMaxState(_row.`n`, bitShiftLeft(toInt128(_row._pk), 64) + _row._seq) AS `_last_n`
FROM `lists`.`s__in` AS _row
WHERE isNotNull(_row.`k`)
GROUP BY `k`, `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `lists`.`keys__keys__from__s`
TO `lists`.`keys__keys` AS
SELECT
  assumeNotNull(_row.`k`) AS `k`,
  count(_row.`n`) AS `_cnt_latest`,
  argMaxState(_row.`n`, bitShiftLeft(toInt128(_row._pk), 64) + _row._seq) AS `_last_latest`
FROM `lists`.`s__in` AS _row
WHERE isNotNull(_row.`k`)
GROUP BY `k`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `lists`.`weir_usage__from__s`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `lists`.`s__in`
GROUP BY minute;

CREATE OR REPLACE VIEW `lists`.`s_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `k_cnt` UInt64 COMMENT 'Number of values of k',
  `k_unique` UInt64 COMMENT 'Number of different values of k: exact up to about 2,000, then within about 0.5 %; adding it over rows counts values twice',
  `k_last` Nullable(String) COMMENT 'Value of k with the greatest _pk; NULL without a value',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_sum` Nullable(Float64) COMMENT 'Sum of n; NULL without a value',
  `n_min` Nullable(Int64) COMMENT 'Least value of n; NULL without a value',
  `n_max` Nullable(Int64) COMMENT 'Greatest value of n; NULL without a value',
  `n_avg` Nullable(Float64) COMMENT 'Mean of n; NULL without a value',
  `n_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of n; NULL below 2 values',
  `n_skew` Nullable(Float64) COMMENT 'Skewness of n (adjusted Fisher-Pearson G1); NULL below 3 values',
  `n_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of n (sample G2); NULL below 4 values',
  `n_p50` Nullable(Float64) COMMENT 'Quantile 0.5 of n: within 1 % of the least value that this share of the values does not exceed; NULL without a value',
  `n_p99_9` Nullable(Float64) COMMENT 'Quantile 0.999 of n: within 1 % of the least value that this share of the values does not exceed; NULL without a value',
  `n_first` Nullable(Int64) COMMENT 'Value of n with the least _pk; NULL without a value',
  `o_cnt` UInt64 COMMENT 'Number of values of o',
  `o_last` Nullable(String) COMMENT 'Value of o with the greatest _pk; NULL without a value'
) AS SELECT
  `interval_start`,
  `_n_k` AS `k_cnt`,
  `_u_k` AS `k_unique`,
  `_l_k` AS `k_last`,
  `_n_n` AS `n_cnt`,
  if(`_nf_n` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_n` = `_most_n`, `_nf_n` * `_least_n`, `_nf_n` * `_p0_n` + `_t_n`)])[1]) AS `n_sum`,
  `_least_n` AS `n_min`,
  `_most_n` AS `n_max`,
  if(`_nf_n` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_n` = `_most_n`, toFloat64(`_least_n`), `_p0_n` + `_mu_n`)])[1]) AS `n_avg`,
  multiIf(`_nf_n` < 2, NULL, `_flat_n`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_n`[1] / (`_nf_n` - 1))])[1]) AS `n_stdd`,
  multiIf(`_nf_n` < 3, NULL, `_flat_n`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_n` * (`_nf_n` - 1)) / (`_nf_n` - 2) * (`_c_n`[2] / `_nf_n`) / pow(`_c_n`[1] / `_nf_n`, 1.5)])[1]) AS `n_skew`,
  multiIf(`_nf_n` < 4, NULL, `_flat_n`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_n` - 1) / ((`_nf_n` - 2) * (`_nf_n` - 3)) * ((`_nf_n` + 1) * (`_nf_n` * `_c_n`[3] / (`_c_n`[1] * `_c_n`[1]) - 3) + 6)])[1]) AS `n_kurt`,
  `_qs_n`[1] AS `n_p50`,
  `_qs_n`[2] AS `n_p99_9`,
  `_f_n` AS `n_first`,
  `_n_o` AS `o_cnt`,
  `_l_o` AS `o_last`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_k`) AS `_n_k`,
  ifNull(uniqCombined64Merge(`_uniq_k`), 0) AS `_u_k`,
  argMaxMerge(`_last_k`) AS `_l_k`,
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
  (`_least_n` = `_most_n` OR `_c_n`[1] <= 0) AS `_flat_n`,
  min(`_low_n`) AS `_lo_n`,
  max(`_high_n`) AS `_hi_n`,
  arrayMap(bin -> if(isNull(`_lo_n`), NULL, least(greatest(if(bin = 0, 0., sign(bin) * reinterpretAsFloat64(bitShiftLeft(toInt64(abs(bin)), 46) + 35184372088832)), assumeNotNull(toFloat64(`_lo_n`))), assumeNotNull(toFloat64(`_hi_n`)))), quantilesExactWeightedArray(0.5, 0.999)(mapKeys(`_bins_n`), mapValues(`_bins_n`))) AS `_qs_n`,
  argMinMerge(`_first_n`) AS `_f_n`,
  sum(`_cnt_o`) AS `_n_o`,
  argMaxMerge(`_last_o`) AS `_l_o`
FROM `lists`.`s__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_k`) > 0 OR sum(`_cnt_n`) > 0 OR sum(`_cnt_o`) > 0)
COMMENT 'Running statistics of lists.s: a row an interval of 60 s';

CREATE OR REPLACE VIEW `lists`.`s_by_60s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `k_cnt` UInt64 COMMENT 'Number of values of k',
  `k_state` AggregateFunction(uniqCombined64, Nullable(String)) COMMENT 'Different values of k: uniqCombined64Merge over rows counts each once',
  `k_last_state` AggregateFunction(argMax, Nullable(String), Int128) COMMENT 'Value of k with the greatest _pk: argMaxMerge over rows gives it',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_min` Nullable(Int64) COMMENT 'Least value of n',
  `n_max` Nullable(Int64) COMMENT 'Greatest value of n',
  `n_moments` Array(Float64) COMMENT 'Of n: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)',
  `n_bins` Map(Float64, UInt64) COMMENT 'Values of n, each within 0.8 %, and how many: quantilesExactWeightedArray(0.5, 0.95)(mapKeys(b), mapValues(b)) over rows',
  `n_first_state` AggregateFunction(argMin, Nullable(Int64), Int128) COMMENT 'Value of n with the least _pk: argMinMerge over rows gives it',
  `o_cnt` UInt64 COMMENT 'Number of values of o',
  `o_last_state` AggregateFunction(argMax, Nullable(String), Int128) COMMENT 'Value of o with the greatest _pk: argMaxMerge over rows gives it'
) AS
WITH
  sum(`_cnt_k`) AS `_n_k`,
  ifNull(uniqCombined64Merge(`_uniq_k`), 0) AS `_u_k`,
  argMaxMerge(`_last_k`) AS `_l_k`,
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
  (`_least_n` = `_most_n` OR `_c_n`[1] <= 0) AS `_flat_n`,
  min(`_low_n`) AS `_lo_n`,
  max(`_high_n`) AS `_hi_n`,
  arrayMap(bin -> if(isNull(`_lo_n`), NULL, least(greatest(if(bin = 0, 0., sign(bin) * reinterpretAsFloat64(bitShiftLeft(toInt64(abs(bin)), 46) + 35184372088832)), assumeNotNull(toFloat64(`_lo_n`))), assumeNotNull(toFloat64(`_hi_n`)))), quantilesExactWeightedArray(0.5, 0.999)(mapKeys(`_bins_n`), mapValues(`_bins_n`))) AS `_qs_n`,
  argMinMerge(`_first_n`) AS `_f_n`,
  sum(`_cnt_o`) AS `_n_o`,
  argMaxMerge(`_last_o`) AS `_l_o`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_k` AS `k_cnt`,
  uniqCombined64MergeState(`_uniq_k`) AS `k_state`,
  argMaxMergeState(`_last_k`) AS `k_last_state`,
  `_n_n` AS `n_cnt`,
  `_least_n` AS `n_min`,
  `_most_n` AS `n_max`,
  if(`_nf_n` = 0, [0., 0., 0., 0., 0.], [`_nf_n`, ifNull(if(`_nf_n` = 0, 0., if(`_least_n` = `_most_n`, toFloat64(`_least_n`), `_p0_n` + `_mu_n`)), 0.), if(ifNull(`_flat_n`, 1), 0., `_c_n`[1]), if(ifNull(`_flat_n`, 1), 0., `_c_n`[2]), if(ifNull(`_flat_n`, 1), 0., `_c_n`[3])]) AS `n_moments`,
  CAST((arrayMap(bin -> if(bin = 0, 0., sign(bin) * reinterpretAsFloat64(bitShiftLeft(toInt64(abs(bin)), 46) + 35184372088832)), mapKeys(sumMap(`_bins_n`))), mapValues(sumMap(`_bins_n`))), 'Map(Float64, UInt64)') AS `n_bins`,
  argMinMergeState(`_first_n`) AS `n_first_state`,
  `_n_o` AS `o_cnt`,
  argMaxMergeState(`_last_o`) AS `o_last_state`
FROM `lists`.`s__60`
GROUP BY `interval_start`
COMMENT 'States of lists.s to be merged: a row an interval of 60 s';

CREATE OR REPLACE VIEW `lists`.`s_by_300s__k` (
  `k` String COMMENT 'Value of k, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_p50` Nullable(Float64) COMMENT 'Quantile 0.5 of n: within 1 % of the least value that this share of the values does not exceed; NULL without a value',
  `n_p90` Nullable(Float64) COMMENT 'Quantile 0.9 of n: within 1 % of the least value that this share of the values does not exceed; NULL without a value',
  `n_p95` Nullable(Float64) COMMENT 'Quantile 0.95 of n: within 1 % of the least value that this share of the values does not exceed; NULL without a value',
  `n_p99` Nullable(Float64) COMMENT 'Quantile 0.99 of n: within 1 % of the least value that this share of the values does not exceed; NULL without a value',
  `n_last` Nullable(Int64) COMMENT 'Value of n with the greatest _pk; NULL without a value'
) AS SELECT
  `k`,
  `interval_start`,
  `_n_n` AS `n_cnt`,
  `_qs_n`[1] AS `n_p50`,
  `_qs_n`[2] AS `n_p90`,
  `_qs_n`[3] AS `n_p95`,
  `_qs_n`[4] AS `n_p99`,
  `_l_n` AS `n_last`
FROM (SELECT
  `k` AS `k`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_n`) AS `_n_n`,
  min(`_low_n`) AS `_lo_n`,
  max(`_high_n`) AS `_hi_n`,
  arrayMap(bin -> if(isNull(`_lo_n`), NULL, least(greatest(if(bin = 0, 0., sign(bin) * reinterpretAsFloat64(bitShiftLeft(toInt64(abs(bin)), 46) + 35184372088832)), assumeNotNull(toFloat64(`_lo_n`))), assumeNotNull(toFloat64(`_hi_n`)))), quantilesExactWeightedArray(0.5, 0.9, 0.95, 0.99)(mapKeys(`_bins_n`), mapValues(`_bins_n`))) AS `_qs_n`,
  argMaxMerge(`_last_n`) AS `_l_n`
FROM `lists`.`s__300__k`
GROUP BY `k`, `interval_start`
HAVING sum(`_cnt_n`) > 0)
COMMENT 'Statistics of lists.s by k: a row an interval of 300 s and group';

CREATE OR REPLACE VIEW `lists`.`s_by_300s_states__k` (
  `k` String COMMENT 'Value of k, by which events are grouped',
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `n_cnt` UInt64 COMMENT 'Number of values of n',
  `n_bins` Map(Float64, UInt64) COMMENT 'Values of n, each within 0.8 %, and how many: quantilesExactWeightedArray(0.5, 0.95)(mapKeys(b), mapValues(b)) over rows',
  `n_last_state` AggregateFunction(argMax, Nullable(Int64), Int128) COMMENT 'Value of n with the greatest _pk: argMaxMerge over rows gives it'
) AS
WITH
  sum(`_cnt_n`) AS `_n_n`,
  min(`_low_n`) AS `_lo_n`,
  max(`_high_n`) AS `_hi_n`,
  arrayMap(bin -> if(isNull(`_lo_n`), NULL, least(greatest(if(bin = 0, 0., sign(bin) * reinterpretAsFloat64(bitShiftLeft(toInt64(abs(bin)), 46) + 35184372088832)), assumeNotNull(toFloat64(`_lo_n`))), assumeNotNull(toFloat64(`_hi_n`)))), quantilesExactWeightedArray(0.5, 0.9, 0.95, 0.99)(mapKeys(`_bins_n`), mapValues(`_bins_n`))) AS `_qs_n`,
  argMaxMerge(`_last_n`) AS `_l_n`
SELECT
  `k` AS `k`,
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_n` AS `n_cnt`,
  CAST((arrayMap(bin -> if(bin = 0, 0., sign(bin) * reinterpretAsFloat64(bitShiftLeft(toInt64(abs(bin)), 46) + 35184372088832)), mapKeys(sumMap(`_bins_n`))), mapValues(sumMap(`_bins_n`))), 'Map(Float64, UInt64)') AS `n_bins`,
  argMaxMergeState(`_last_n`) AS `n_last_state`
FROM `lists`.`s__300__k`
GROUP BY `k`, `interval_start`
COMMENT 'States of lists.s to be merged, by k: a row an interval of 300 s and group';

CREATE OR REPLACE VIEW `lists`.`keys` (
  `k` String COMMENT 'Key of the entity',
  `latest_cnt` UInt64 COMMENT 'Number of values of n',
  `latest_last` Nullable(Int64) COMMENT 'Value of n with the greatest _pk; NULL without a value'
) AS SELECT
  `k`,
  `_n_latest` AS `latest_cnt`,
  `_l_latest` AS `latest_last`
FROM (SELECT
  `k` AS `k`,
  sum(`_cnt_latest`) AS `_n_latest`,
  argMaxMerge(`_last_latest`) AS `_l_latest`
FROM `lists`.`keys__keys`
GROUP BY `k`)
COMMENT 'Entity stream lists.keys: a row a key, with statistics over all its events';
