CREATE DATABASE IF NOT EXISTS `plain`;

CREATE TABLE IF NOT EXISTS `plain`.`events` (
  _pk Int64 COMMENT 'Time of the event, in microseconds since 1970' CODEC(DoubleDelta, ZSTD),
  _seq Int64 COMMENT 'Number by which the event came in; tells events of one _pk apart' CODEC(DoubleDelta, ZSTD),
  _rest String COMMENT 'Members of the event that the schema does not declare, as JSON' CODEC(ZSTD),
  `text` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  `whole` Nullable(Int64) COMMENT 'Attribute of type LONG; NULL where the event has none',
  `number` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `flag` Nullable(Bool) COMMENT 'Attribute of type BOOL; NULL where the event has none',
  `prod.price` Nullable(Float64) COMMENT 'Attribute of type DOUBLE; NULL where the event has none',
  `nothing` Nullable(String) COMMENT 'Attribute of type STRING; NULL where the event has none',
  _v Int64 ALIAS 1 COMMENT 'Version of the event: 1',
  _time DateTime64(6) ALIAS toDateTime64(0, 6) + toIntervalMicrosecond(_pk) COMMENT 'Time of the event: _pk as a time; a condition on it reads that part of the table alone'
) ENGINE = MergeTree
ORDER BY (_pk, _seq)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1
COMMENT 'Events of the stream plain.events';

CREATE TABLE IF NOT EXISTS `plain`.`events__60` (
  `_interval` Int64,
  `_cnt_text` SimpleAggregateFunction(sum, UInt64),
  `_uniq_text` AggregateFunction(uniqCombined64, Nullable(String)),
  `_cnt_whole` SimpleAggregateFunction(sum, UInt64),
  `_s1_whole` SimpleAggregateFunction(sum, Float64),
  `_s2_whole` SimpleAggregateFunction(sum, Float64),
  `_s3_whole` SimpleAggregateFunction(sum, Float64),
  `_s4_whole` SimpleAggregateFunction(sum, Float64),
  `_min_whole` SimpleAggregateFunction(min, Nullable(Int64)),
  `_max_whole` SimpleAggregateFunction(max, Nullable(Int64)),
  `_far_whole` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64))),
  `_cnt_prod.price` SimpleAggregateFunction(sum, UInt64),
  `_s1_prod.price` SimpleAggregateFunction(sum, Float64),
  `_s2_prod.price` SimpleAggregateFunction(sum, Float64),
  `_s3_prod.price` SimpleAggregateFunction(sum, Float64),
  `_s4_prod.price` SimpleAggregateFunction(sum, Float64),
  `_min_prod.price` SimpleAggregateFunction(min, Nullable(Float64)),
  `_max_prod.price` SimpleAggregateFunction(max, Nullable(Float64)),
  `_far_prod.price` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64)))
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `plain`.`events__300` (
  `_interval` Int64,
  `_cnt_number` SimpleAggregateFunction(sum, UInt64),
  `_s1_number` SimpleAggregateFunction(sum, Float64),
  `_s2_number` SimpleAggregateFunction(sum, Float64),
  `_s3_number` SimpleAggregateFunction(sum, Float64),
  `_s4_number` SimpleAggregateFunction(sum, Float64),
  `_min_number` SimpleAggregateFunction(min, Nullable(Float64)),
  `_max_number` SimpleAggregateFunction(max, Nullable(Float64)),
  `_far_number` SimpleAggregateFunction(sumMap, Tuple(Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64), Array(Float64))),
  `_cnt_flag` SimpleAggregateFunction(sum, UInt64)
) ENGINE = AggregatingMergeTree
ORDER BY (`_interval`)
SETTINGS non_replicated_deduplication_window = 1000, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `plain`.`events__in` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `text` Nullable(String),
  `whole` Nullable(Int64),
  `number` Nullable(Float64),
  `flag` Nullable(Bool),
  `prod.price` Nullable(Float64),
  `nothing` Nullable(String),
  `_pivot_whole` Float64,
  `_pivot_number` Float64,
  `_pivot_prod.price` Float64
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plain`.`events__from__events`
TO `plain`.`events` AS SELECT
  _pk,
  _seq,
  _rest,
  `text`,
  `whole`,
  `number`,
  `flag`,
  `prod.price`,
  `nothing`
FROM `plain`.`events__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plain`.`events__60__from__events`
TO `plain`.`events__60` AS
SELECT
  intDiv(_row._pk, 60000000) * 60000000 AS `_interval`,
  count(_row.`text`) AS `_cnt_text`,
  uniqCombined64State(_row.`text`) AS `_uniq_text`,
  count(_row.`whole`) AS `_cnt_whole`,
  sum(if(_row.`_pivot_whole` = 0, toFloat64(ifNull(_row.`whole`, 0)), 0.) AS `_d_whole`) AS `_s1_whole`,
  sum(`_d_whole` * `_d_whole`) AS `_s2_whole`,
  sum(`_d_whole` * `_d_whole` * `_d_whole`) AS `_s3_whole`,
  sum(`_d_whole` * `_d_whole` * `_d_whole` * `_d_whole`) AS `_s4_whole`,
  min(_row.`whole`) AS `_min_whole`,
  max(_row.`whole`) AS `_max_whole`,
  sumMapIf([_row.`_pivot_whole`], [1.], [toFloat64(assumeNotNull(_row.`whole`)) - _row.`_pivot_whole` AS `_e_whole`], [`_e_whole` * `_e_whole` AS `_q_whole`], [`_q_whole` * `_e_whole`], [`_q_whole` * `_q_whole`], _row.`_pivot_whole` != 0 AND isNotNull(_row.`whole`)) AS `_far_whole`,
  count(_row.`prod.price`) AS `_cnt_prod.price`,
  sum(if(_row.`_pivot_prod.price` = 0, toFloat64(ifNull(_row.`prod.price`, 0)), 0.) AS `_d_prod.price`) AS `_s1_prod.price`,
  sum(`_d_prod.price` * `_d_prod.price`) AS `_s2_prod.price`,
  sum(`_d_prod.price` * `_d_prod.price` * `_d_prod.price`) AS `_s3_prod.price`,
  sum(`_d_prod.price` * `_d_prod.price` * `_d_prod.price` * `_d_prod.price`) AS `_s4_prod.price`,
  min(_row.`prod.price`) AS `_min_prod.price`,
  max(_row.`prod.price`) AS `_max_prod.price`,
  sumMapIf([_row.`_pivot_prod.price`], [1.], [toFloat64(assumeNotNull(_row.`prod.price`)) - _row.`_pivot_prod.price` AS `_e_prod.price`], [`_e_prod.price` * `_e_prod.price` AS `_q_prod.price`], [`_q_prod.price` * `_e_prod.price`], [`_q_prod.price` * `_q_prod.price`], _row.`_pivot_prod.price` != 0 AND isNotNull(_row.`prod.price`)) AS `_far_prod.price`
FROM `plain`.`events__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plain`.`events__300__from__events`
TO `plain`.`events__300` AS
SELECT
  intDiv(_row._pk, 300000000) * 300000000 AS `_interval`,
  count(_row.`number`) AS `_cnt_number`,
  sum(if(_row.`_pivot_number` = 0, toFloat64(ifNull(_row.`number`, 0)), 0.) AS `_d_number`) AS `_s1_number`,
  sum(`_d_number` * `_d_number`) AS `_s2_number`,
  sum(`_d_number` * `_d_number` * `_d_number`) AS `_s3_number`,
  sum(`_d_number` * `_d_number` * `_d_number` * `_d_number`) AS `_s4_number`,
  min(_row.`number`) AS `_min_number`,
  max(_row.`number`) AS `_max_number`,
  sumMapIf([_row.`_pivot_number`], [1.], [toFloat64(assumeNotNull(_row.`number`)) - _row.`_pivot_number` AS `_e_number`], [`_e_number` * `_e_number` AS `_q_number`], [`_q_number` * `_e_number`], [`_q_number` * `_q_number`], _row.`_pivot_number` != 0 AND isNotNull(_row.`number`)) AS `_far_number`,
  count(_row.`flag`) AS `_cnt_flag`
FROM `plain`.`events__in` AS _row
GROUP BY `_interval`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `plain`.`weir_usage__from__events`
TO weir.usage AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `plain`.`events__in`
GROUP BY minute;

CREATE OR REPLACE VIEW `plain`.`events_by_60s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `text_cnt` UInt64 COMMENT 'Number of values of text',
  `text_unique` UInt64 COMMENT 'Number of different values of text: exact up to about 2,000, then within about 0.5 %; adding it over rows counts values twice',
  `whole_cnt` UInt64 COMMENT 'Number of values of whole',
  `whole_sum` Nullable(Float64) COMMENT 'Sum of whole; NULL without a value',
  `whole_min` Nullable(Int64) COMMENT 'Least value of whole; NULL without a value',
  `whole_max` Nullable(Int64) COMMENT 'Greatest value of whole; NULL without a value',
  `whole_avg` Nullable(Float64) COMMENT 'Mean of whole; NULL without a value',
  `whole_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of whole; NULL below 2 values',
  `whole_skew` Nullable(Float64) COMMENT 'Skewness of whole (adjusted Fisher-Pearson G1); NULL below 3 values',
  `whole_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of whole (sample G2); NULL below 4 values',
  `prod.price_cnt` UInt64 COMMENT 'Number of values of prod.price',
  `prod.price_sum` Nullable(Float64) COMMENT 'Sum of prod.price; NULL without a value',
  `prod.price_min` Nullable(Float64) COMMENT 'Least value of prod.price; NULL without a value',
  `prod.price_max` Nullable(Float64) COMMENT 'Greatest value of prod.price; NULL without a value',
  `prod.price_avg` Nullable(Float64) COMMENT 'Mean of prod.price; NULL without a value',
  `prod.price_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of prod.price; NULL below 2 values',
  `prod.price_skew` Nullable(Float64) COMMENT 'Skewness of prod.price (adjusted Fisher-Pearson G1); NULL below 3 values',
  `prod.price_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of prod.price (sample G2); NULL below 4 values'
) AS SELECT
  `interval_start`,
  `_n_text` AS `text_cnt`,
  `_u_text` AS `text_unique`,
  `_n_whole` AS `whole_cnt`,
  if(`_nf_whole` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_whole` = `_most_whole`, `_nf_whole` * `_least_whole`, `_nf_whole` * `_p0_whole` + `_t_whole`)])[1]) AS `whole_sum`,
  `_least_whole` AS `whole_min`,
  `_most_whole` AS `whole_max`,
  if(`_nf_whole` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_whole` = `_most_whole`, toFloat64(`_least_whole`), `_p0_whole` + `_mu_whole`)])[1]) AS `whole_avg`,
  multiIf(`_nf_whole` < 2, NULL, `_flat_whole`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_whole`[1] / (`_nf_whole` - 1))])[1]) AS `whole_stdd`,
  multiIf(`_nf_whole` < 3, NULL, `_flat_whole`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_whole` * (`_nf_whole` - 1)) / (`_nf_whole` - 2) * (`_c_whole`[2] / `_nf_whole`) / pow(`_c_whole`[1] / `_nf_whole`, 1.5)])[1]) AS `whole_skew`,
  multiIf(`_nf_whole` < 4, NULL, `_flat_whole`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_whole` - 1) / ((`_nf_whole` - 2) * (`_nf_whole` - 3)) * ((`_nf_whole` + 1) * (`_nf_whole` * `_c_whole`[3] / (`_c_whole`[1] * `_c_whole`[1]) - 3) + 6)])[1]) AS `whole_kurt`,
  `_n_prod.price` AS `prod.price_cnt`,
  if(`_nf_prod.price` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_prod.price` = `_most_prod.price`, `_nf_prod.price` * `_least_prod.price`, `_nf_prod.price` * `_p0_prod.price` + `_t_prod.price`)])[1]) AS `prod.price_sum`,
  `_least_prod.price` AS `prod.price_min`,
  `_most_prod.price` AS `prod.price_max`,
  if(`_nf_prod.price` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_prod.price` = `_most_prod.price`, toFloat64(`_least_prod.price`), `_p0_prod.price` + `_mu_prod.price`)])[1]) AS `prod.price_avg`,
  multiIf(`_nf_prod.price` < 2, NULL, `_flat_prod.price`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_prod.price`[1] / (`_nf_prod.price` - 1))])[1]) AS `prod.price_stdd`,
  multiIf(`_nf_prod.price` < 3, NULL, `_flat_prod.price`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_prod.price` * (`_nf_prod.price` - 1)) / (`_nf_prod.price` - 2) * (`_c_prod.price`[2] / `_nf_prod.price`) / pow(`_c_prod.price`[1] / `_nf_prod.price`, 1.5)])[1]) AS `prod.price_skew`,
  multiIf(`_nf_prod.price` < 4, NULL, `_flat_prod.price`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_prod.price` - 1) / ((`_nf_prod.price` - 2) * (`_nf_prod.price` - 3)) * ((`_nf_prod.price` + 1) * (`_nf_prod.price` * `_c_prod.price`[3] / (`_c_prod.price`[1] * `_c_prod.price`[1]) - 3) + 6)])[1]) AS `prod.price_kurt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_text`) AS `_n_text`,
  ifNull(uniqCombined64Merge(`_uniq_text`), 0) AS `_u_text`,
  sum(`_cnt_whole`) AS `_n_whole`,
  toFloat64(`_n_whole`) AS `_nf_whole`,
  sumMap(`_far_whole`) AS `_m_whole`,
  arrayConcat([0.], `_m_whole`.1) AS `_p_whole`,
  arrayConcat([`_nf_whole` - arraySum(`_m_whole`.2)], `_m_whole`.2) AS `_k_whole`,
  `_p_whole`[if(`_k_whole`[1] > 0 OR length(`_k_whole`) = 1, 1, 2)] AS `_p0_whole`,
  arrayConcat([sum(`_s1_whole`)], `_m_whole`.3) AS `_a_whole`,
  arraySum((p, c, a) -> a + c*(p - `_p0_whole`), `_p_whole`, `_k_whole`, `_a_whole`) AS `_t_whole`,
  `_t_whole` / `_nf_whole` AS `_mu_whole`,
  arrayMap(p -> p - `_p0_whole` - `_mu_whole`, `_p_whole`) AS `_d_whole`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_whole`, `_k_whole`, `_a_whole`, arrayConcat([sum(`_s2_whole`)], `_m_whole`.4), arrayConcat([sum(`_s3_whole`)], `_m_whole`.5), arrayConcat([sum(`_s4_whole`)], `_m_whole`.6))) AS `_c_whole`,
  min(`_min_whole`) AS `_least_whole`,
  max(`_max_whole`) AS `_most_whole`,
  (`_least_whole` = `_most_whole` OR `_c_whole`[1] <= 0) AS `_flat_whole`,
  sum(`_cnt_prod.price`) AS `_n_prod.price`,
  toFloat64(`_n_prod.price`) AS `_nf_prod.price`,
  sumMap(`_far_prod.price`) AS `_m_prod.price`,
  arrayConcat([0.], `_m_prod.price`.1) AS `_p_prod.price`,
  arrayConcat([`_nf_prod.price` - arraySum(`_m_prod.price`.2)], `_m_prod.price`.2) AS `_k_prod.price`,
  `_p_prod.price`[if(`_k_prod.price`[1] > 0 OR length(`_k_prod.price`) = 1, 1, 2)] AS `_p0_prod.price`,
  arrayConcat([sum(`_s1_prod.price`)], `_m_prod.price`.3) AS `_a_prod.price`,
  arraySum((p, c, a) -> a + c*(p - `_p0_prod.price`), `_p_prod.price`, `_k_prod.price`, `_a_prod.price`) AS `_t_prod.price`,
  `_t_prod.price` / `_nf_prod.price` AS `_mu_prod.price`,
  arrayMap(p -> p - `_p0_prod.price` - `_mu_prod.price`, `_p_prod.price`) AS `_d_prod.price`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_prod.price`, `_k_prod.price`, `_a_prod.price`, arrayConcat([sum(`_s2_prod.price`)], `_m_prod.price`.4), arrayConcat([sum(`_s3_prod.price`)], `_m_prod.price`.5), arrayConcat([sum(`_s4_prod.price`)], `_m_prod.price`.6))) AS `_c_prod.price`,
  min(`_min_prod.price`) AS `_least_prod.price`,
  max(`_max_prod.price`) AS `_most_prod.price`,
  (`_least_prod.price` = `_most_prod.price` OR `_c_prod.price`[1] <= 0) AS `_flat_prod.price`
FROM `plain`.`events__60`
GROUP BY `interval_start`
HAVING sum(`_cnt_text`) > 0 OR sum(`_cnt_whole`) > 0 OR sum(`_cnt_prod.price`) > 0)
COMMENT 'Running statistics of plain.events: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plain`.`events_by_60s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 60 s; a condition on it reads those intervals alone',
  `text_cnt` UInt64 COMMENT 'Number of values of text',
  `text_state` AggregateFunction(uniqCombined64, Nullable(String)) COMMENT 'Different values of text: uniqCombined64Merge over rows counts each once',
  `whole_cnt` UInt64 COMMENT 'Number of values of whole',
  `whole_min` Nullable(Int64) COMMENT 'Least value of whole',
  `whole_max` Nullable(Int64) COMMENT 'Greatest value of whole',
  `whole_moments` Array(Float64) COMMENT 'Of whole: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)',
  `prod.price_cnt` UInt64 COMMENT 'Number of values of prod.price',
  `prod.price_min` Nullable(Float64) COMMENT 'Least value of prod.price',
  `prod.price_max` Nullable(Float64) COMMENT 'Greatest value of prod.price',
  `prod.price_moments` Array(Float64) COMMENT 'Of prod.price: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_text`) AS `_n_text`,
  ifNull(uniqCombined64Merge(`_uniq_text`), 0) AS `_u_text`,
  sum(`_cnt_whole`) AS `_n_whole`,
  toFloat64(`_n_whole`) AS `_nf_whole`,
  sumMap(`_far_whole`) AS `_m_whole`,
  arrayConcat([0.], `_m_whole`.1) AS `_p_whole`,
  arrayConcat([`_nf_whole` - arraySum(`_m_whole`.2)], `_m_whole`.2) AS `_k_whole`,
  `_p_whole`[if(`_k_whole`[1] > 0 OR length(`_k_whole`) = 1, 1, 2)] AS `_p0_whole`,
  arrayConcat([sum(`_s1_whole`)], `_m_whole`.3) AS `_a_whole`,
  arraySum((p, c, a) -> a + c*(p - `_p0_whole`), `_p_whole`, `_k_whole`, `_a_whole`) AS `_t_whole`,
  `_t_whole` / `_nf_whole` AS `_mu_whole`,
  arrayMap(p -> p - `_p0_whole` - `_mu_whole`, `_p_whole`) AS `_d_whole`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_whole`, `_k_whole`, `_a_whole`, arrayConcat([sum(`_s2_whole`)], `_m_whole`.4), arrayConcat([sum(`_s3_whole`)], `_m_whole`.5), arrayConcat([sum(`_s4_whole`)], `_m_whole`.6))) AS `_c_whole`,
  min(`_min_whole`) AS `_least_whole`,
  max(`_max_whole`) AS `_most_whole`,
  (`_least_whole` = `_most_whole` OR `_c_whole`[1] <= 0) AS `_flat_whole`,
  sum(`_cnt_prod.price`) AS `_n_prod.price`,
  toFloat64(`_n_prod.price`) AS `_nf_prod.price`,
  sumMap(`_far_prod.price`) AS `_m_prod.price`,
  arrayConcat([0.], `_m_prod.price`.1) AS `_p_prod.price`,
  arrayConcat([`_nf_prod.price` - arraySum(`_m_prod.price`.2)], `_m_prod.price`.2) AS `_k_prod.price`,
  `_p_prod.price`[if(`_k_prod.price`[1] > 0 OR length(`_k_prod.price`) = 1, 1, 2)] AS `_p0_prod.price`,
  arrayConcat([sum(`_s1_prod.price`)], `_m_prod.price`.3) AS `_a_prod.price`,
  arraySum((p, c, a) -> a + c*(p - `_p0_prod.price`), `_p_prod.price`, `_k_prod.price`, `_a_prod.price`) AS `_t_prod.price`,
  `_t_prod.price` / `_nf_prod.price` AS `_mu_prod.price`,
  arrayMap(p -> p - `_p0_prod.price` - `_mu_prod.price`, `_p_prod.price`) AS `_d_prod.price`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_prod.price`, `_k_prod.price`, `_a_prod.price`, arrayConcat([sum(`_s2_prod.price`)], `_m_prod.price`.4), arrayConcat([sum(`_s3_prod.price`)], `_m_prod.price`.5), arrayConcat([sum(`_s4_prod.price`)], `_m_prod.price`.6))) AS `_c_prod.price`,
  min(`_min_prod.price`) AS `_least_prod.price`,
  max(`_max_prod.price`) AS `_most_prod.price`,
  (`_least_prod.price` = `_most_prod.price` OR `_c_prod.price`[1] <= 0) AS `_flat_prod.price`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_text` AS `text_cnt`,
  uniqCombined64MergeState(`_uniq_text`) AS `text_state`,
  `_n_whole` AS `whole_cnt`,
  `_least_whole` AS `whole_min`,
  `_most_whole` AS `whole_max`,
  if(`_nf_whole` = 0, [0., 0., 0., 0., 0.], [`_nf_whole`, ifNull(if(`_nf_whole` = 0, 0., if(`_least_whole` = `_most_whole`, toFloat64(`_least_whole`), `_p0_whole` + `_mu_whole`)), 0.), if(ifNull(`_flat_whole`, 1), 0., `_c_whole`[1]), if(ifNull(`_flat_whole`, 1), 0., `_c_whole`[2]), if(ifNull(`_flat_whole`, 1), 0., `_c_whole`[3])]) AS `whole_moments`,
  `_n_prod.price` AS `prod.price_cnt`,
  `_least_prod.price` AS `prod.price_min`,
  `_most_prod.price` AS `prod.price_max`,
  if(`_nf_prod.price` = 0, [0., 0., 0., 0., 0.], [`_nf_prod.price`, ifNull(if(`_nf_prod.price` = 0, 0., if(`_least_prod.price` = `_most_prod.price`, toFloat64(`_least_prod.price`), `_p0_prod.price` + `_mu_prod.price`)), 0.), if(ifNull(`_flat_prod.price`, 1), 0., `_c_prod.price`[1]), if(ifNull(`_flat_prod.price`, 1), 0., `_c_prod.price`[2]), if(ifNull(`_flat_prod.price`, 1), 0., `_c_prod.price`[3])]) AS `prod.price_moments`
FROM `plain`.`events__60`
GROUP BY `interval_start`
COMMENT 'States of plain.events to be merged: a row an interval of 60 s';

CREATE OR REPLACE VIEW `plain`.`events_by_300s` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `number_cnt` UInt64 COMMENT 'Number of values of number',
  `number_sum` Nullable(Float64) COMMENT 'Sum of number; NULL without a value',
  `number_min` Nullable(Float64) COMMENT 'Least value of number; NULL without a value',
  `number_max` Nullable(Float64) COMMENT 'Greatest value of number; NULL without a value',
  `number_avg` Nullable(Float64) COMMENT 'Mean of number; NULL without a value',
  `number_stdd` Nullable(Float64) COMMENT 'Sample standard deviation of number; NULL below 2 values',
  `number_skew` Nullable(Float64) COMMENT 'Skewness of number (adjusted Fisher-Pearson G1); NULL below 3 values',
  `number_kurt` Nullable(Float64) COMMENT 'Excess kurtosis of number (sample G2); NULL below 4 values',
  `flag_cnt` UInt64 COMMENT 'Number of values of flag'
) AS SELECT
  `interval_start`,
  `_n_number` AS `number_cnt`,
  if(`_nf_number` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_number` = `_most_number`, `_nf_number` * `_least_number`, `_nf_number` * `_p0_number` + `_t_number`)])[1]) AS `number_sum`,
  `_least_number` AS `number_min`,
  `_most_number` AS `number_max`,
  if(`_nf_number` = 0, NULL, arrayMap(v -> if(isFinite(v), v, NULL), [if(`_least_number` = `_most_number`, toFloat64(`_least_number`), `_p0_number` + `_mu_number`)])[1]) AS `number_avg`,
  multiIf(`_nf_number` < 2, NULL, `_flat_number`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_c_number`[1] / (`_nf_number` - 1))])[1]) AS `number_stdd`,
  multiIf(`_nf_number` < 3, NULL, `_flat_number`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [sqrt(`_nf_number` * (`_nf_number` - 1)) / (`_nf_number` - 2) * (`_c_number`[2] / `_nf_number`) / pow(`_c_number`[1] / `_nf_number`, 1.5)])[1]) AS `number_skew`,
  multiIf(`_nf_number` < 4, NULL, `_flat_number`, 0., arrayMap(v -> if(isFinite(v), v, NULL), [(`_nf_number` - 1) / ((`_nf_number` - 2) * (`_nf_number` - 3)) * ((`_nf_number` + 1) * (`_nf_number` * `_c_number`[3] / (`_c_number`[1] * `_c_number`[1]) - 3) + 6)])[1]) AS `number_kurt`,
  `_n_flag` AS `flag_cnt`
FROM (SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  sum(`_cnt_number`) AS `_n_number`,
  toFloat64(`_n_number`) AS `_nf_number`,
  sumMap(`_far_number`) AS `_m_number`,
  arrayConcat([0.], `_m_number`.1) AS `_p_number`,
  arrayConcat([`_nf_number` - arraySum(`_m_number`.2)], `_m_number`.2) AS `_k_number`,
  `_p_number`[if(`_k_number`[1] > 0 OR length(`_k_number`) = 1, 1, 2)] AS `_p0_number`,
  arrayConcat([sum(`_s1_number`)], `_m_number`.3) AS `_a_number`,
  arraySum((p, c, a) -> a + c*(p - `_p0_number`), `_p_number`, `_k_number`, `_a_number`) AS `_t_number`,
  `_t_number` / `_nf_number` AS `_mu_number`,
  arrayMap(p -> p - `_p0_number` - `_mu_number`, `_p_number`) AS `_d_number`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_number`, `_k_number`, `_a_number`, arrayConcat([sum(`_s2_number`)], `_m_number`.4), arrayConcat([sum(`_s3_number`)], `_m_number`.5), arrayConcat([sum(`_s4_number`)], `_m_number`.6))) AS `_c_number`,
  min(`_min_number`) AS `_least_number`,
  max(`_max_number`) AS `_most_number`,
  (`_least_number` = `_most_number` OR `_c_number`[1] <= 0) AS `_flat_number`,
  sum(`_cnt_flag`) AS `_n_flag`
FROM `plain`.`events__300`
GROUP BY `interval_start`
HAVING sum(`_cnt_number`) > 0 OR sum(`_cnt_flag`) > 0)
COMMENT 'Running statistics of plain.events: a row an interval of 300 s';

CREATE OR REPLACE VIEW `plain`.`events_by_300s_states` (
  `interval_start` DateTime64(6) COMMENT 'Start of the interval of 300 s; a condition on it reads those intervals alone',
  `number_cnt` UInt64 COMMENT 'Number of values of number',
  `number_min` Nullable(Float64) COMMENT 'Least value of number',
  `number_max` Nullable(Float64) COMMENT 'Greatest value of number',
  `number_moments` Array(Float64) COMMENT 'Of number: number of values, mean, and the sums of the second to fourth powers of their distances from it, from which those of any rows follow (docs/analysts.md)'
) AS
WITH
  sum(`_cnt_number`) AS `_n_number`,
  toFloat64(`_n_number`) AS `_nf_number`,
  sumMap(`_far_number`) AS `_m_number`,
  arrayConcat([0.], `_m_number`.1) AS `_p_number`,
  arrayConcat([`_nf_number` - arraySum(`_m_number`.2)], `_m_number`.2) AS `_k_number`,
  `_p_number`[if(`_k_number`[1] > 0 OR length(`_k_number`) = 1, 1, 2)] AS `_p0_number`,
  arrayConcat([sum(`_s1_number`)], `_m_number`.3) AS `_a_number`,
  arraySum((p, c, a) -> a + c*(p - `_p0_number`), `_p_number`, `_k_number`, `_a_number`) AS `_t_number`,
  `_t_number` / `_nf_number` AS `_mu_number`,
  arrayMap(p -> p - `_p0_number` - `_mu_number`, `_p_number`) AS `_d_number`,
  arrayReduce('sumForEach', arrayMap((d, c, a, b, e, f) -> [b + d*(2*a + c*d), e + d*(3*b + d*(3*a + c*d)), f + d*(4*e + d*(6*b + d*(4*a + c*d)))], `_d_number`, `_k_number`, `_a_number`, arrayConcat([sum(`_s2_number`)], `_m_number`.4), arrayConcat([sum(`_s3_number`)], `_m_number`.5), arrayConcat([sum(`_s4_number`)], `_m_number`.6))) AS `_c_number`,
  min(`_min_number`) AS `_least_number`,
  max(`_max_number`) AS `_most_number`,
  (`_least_number` = `_most_number` OR `_c_number`[1] <= 0) AS `_flat_number`
SELECT
  toDateTime64(0, 6) + toIntervalMicrosecond(_interval) AS `interval_start`,
  `_n_number` AS `number_cnt`,
  `_least_number` AS `number_min`,
  `_most_number` AS `number_max`,
  if(`_nf_number` = 0, [0., 0., 0., 0., 0.], [`_nf_number`, ifNull(if(`_nf_number` = 0, 0., if(`_least_number` = `_most_number`, toFloat64(`_least_number`), `_p0_number` + `_mu_number`)), 0.), if(ifNull(`_flat_number`, 1), 0., `_c_number`[1]), if(ifNull(`_flat_number`, 1), 0., `_c_number`[2]), if(ifNull(`_flat_number`, 1), 0., `_c_number`[3])]) AS `number_moments`
FROM `plain`.`events__300`
GROUP BY `interval_start`
COMMENT 'States of plain.events to be merged: a row an interval of 300 s';
