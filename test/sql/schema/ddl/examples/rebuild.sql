-- whether events would be lost
SELECT 1 AS older FROM `air`.`flights__86400` WHERE _interval < 1 LIMIT 1;
SELECT 1 AS older FROM `air`.`flights__300__origin` WHERE _interval < 1 LIMIT 1;
SELECT 1 AS older FROM `air`.`flights__300__origin__destination` WHERE _interval < 1 LIMIT 1;
SELECT 1 AS older FROM `graph`.`air_graph_rel` WHERE _at < 1 AND ((_source = 'air.flights:origin:destination' AND relation = 'FLIES_TO' AND subject_label = 'origin' AND object_label = 'destination')) LIMIT 1;
CREATE DATABASE `weir_rebuild_abc` COMMENT 'air.flights';
CREATE TABLE `weir_rebuild_abc`.`past` CLONE AS `air`.`flights`;
CREATE TABLE `weir_rebuild_abc`.`t0_present` CLONE AS `air`.`airports__keys`;
SELECT (SELECT tuple(toInt64(sum(`_cnt_delays`)), toInt64(sum(`_cnt_distances`))) FROM `weir_rebuild_abc`.`t0_present`) AS held, (SELECT tuple(toInt64(count(_row.`delay`)), toInt64(count(_row.`distance`))) FROM `weir_rebuild_abc`.`past` AS _row WHERE _row._pk >= 1 AND isNotNull(_row.`origin`)) AS there, held.1 > there.1 OR held.2 > there.2 AS lost;

-- begin
CREATE DATABASE `weir_rebuild_abc` COMMENT 'air.flights';
CREATE TABLE `weir_rebuild_abc`.`past` CLONE AS `air`.`flights`;
CREATE TABLE `weir_rebuild_abc`.`t0_live` AS `air`.`flights__86400`;
CREATE MATERIALIZED VIEW `weir_rebuild_abc`.`t0_feed` TO `weir_rebuild_abc`.`t0_live` AS SELECT * FROM `air`.`flights__86400`;
CREATE TABLE `weir_rebuild_abc`.`t1_live` AS `air`.`flights__300__origin`;
CREATE MATERIALIZED VIEW `weir_rebuild_abc`.`t1_feed` TO `weir_rebuild_abc`.`t1_live` AS SELECT * FROM `air`.`flights__300__origin`;
CREATE TABLE `weir_rebuild_abc`.`t2_live` AS `air`.`flights__300__origin__destination`;
CREATE MATERIALIZED VIEW `weir_rebuild_abc`.`t2_feed` TO `weir_rebuild_abc`.`t2_live` AS SELECT * FROM `air`.`flights__300__origin__destination`;
CREATE TABLE `weir_rebuild_abc`.`t3_live` AS `air`.`airports__keys`;
CREATE MATERIALIZED VIEW `weir_rebuild_abc`.`t3_feed` TO `weir_rebuild_abc`.`t3_live` AS SELECT * FROM `air`.`airports__keys`;
CREATE TABLE `weir_rebuild_abc`.`t4_present` CLONE AS `graph`.`air_graph_rel`;
CREATE TABLE `weir_rebuild_abc`.`t4_live` AS `graph`.`air_graph_rel`;
CREATE MATERIALIZED VIEW `weir_rebuild_abc`.`t4_feed` TO `weir_rebuild_abc`.`t4_live` AS SELECT * FROM `graph`.`air_graph_rel`;

-- fill
CREATE TABLE `weir_rebuild_abc`.`t0_fill_1a` AS `air`.`flights__86400`;
INSERT INTO `weir_rebuild_abc`.`t0_fill_1a` (`_interval`, `_cnt_destination`, `_uniq_destination`, `_cnt_delay`, `_s1_delay`, `_s2_delay`, `_s3_delay`, `_s4_delay`, `_min_delay`, `_max_delay`, `_far_delay`)
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
FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) AS _row
GROUP BY `_interval`;
RENAME TABLE `weir_rebuild_abc`.`t0_fill_1a` TO `weir_rebuild_abc`.`t0_fill`;
CREATE TABLE `weir_rebuild_abc`.`t1_fill_1a` AS `air`.`flights__300__origin`;
INSERT INTO `weir_rebuild_abc`.`t1_fill_1a` (`origin`, `_interval`, `_cnt_delay`, `_s1_delay`, `_s2_delay`, `_s3_delay`, `_s4_delay`, `_min_delay`, `_max_delay`, `_far_delay`, `_cnt_distance`, `_s1_distance`, `_s2_distance`, `_s3_distance`, `_s4_distance`, `_min_distance`, `_max_distance`, `_far_distance`)
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
FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) AS _row
WHERE isNotNull(_row.`origin`)
GROUP BY `origin`, `_interval`;
RENAME TABLE `weir_rebuild_abc`.`t1_fill_1a` TO `weir_rebuild_abc`.`t1_fill`;
CREATE TABLE `weir_rebuild_abc`.`t2_fill_1a` AS `air`.`flights__300__origin__destination`;
INSERT INTO `weir_rebuild_abc`.`t2_fill_1a` (`origin`, `destination`, `_interval`, `_cnt_delay`)
SELECT
  assumeNotNull(_row.`origin`) AS `origin`,
  assumeNotNull(_row.`destination`) AS `destination`,
  intDiv(_row._pk, 300000000) * 300000000 AS `_interval`,
  count(_row.`delay`) AS `_cnt_delay`
FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) AS _row
WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`)
GROUP BY `origin`, `destination`, `_interval`;
RENAME TABLE `weir_rebuild_abc`.`t2_fill_1a` TO `weir_rebuild_abc`.`t2_fill`;
CREATE TABLE `weir_rebuild_abc`.`t3_fill_1a` AS `air`.`airports__keys`;
INSERT INTO `weir_rebuild_abc`.`t3_fill_1a` (`airport`, `_cnt_delays`, `_s1_delays`, `_s2_delays`, `_s3_delays`, `_s4_delays`, `_min_delays`, `_max_delays`, `_far_delays`, `_cnt_distances`, `_s1_distances`, `_s2_distances`, `_s3_distances`, `_s4_distances`, `_min_distances`, `_max_distances`, `_far_distances`)
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
FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) AS _row
WHERE isNotNull(_row.`origin`)
GROUP BY `airport`;
RENAME TABLE `weir_rebuild_abc`.`t3_fill_1a` TO `weir_rebuild_abc`.`t3_fill`;
CREATE TABLE `weir_rebuild_abc`.`t4_fill_1a` AS `graph`.`air_graph_rel`;
INSERT INTO `weir_rebuild_abc`.`t4_fill_1a` SELECT * FROM `weir_rebuild_abc`.`t4_present` WHERE NOT ((_source = 'air.flights:origin:destination' AND relation = 'FLIES_TO' AND subject_label = 'origin' AND object_label = 'destination'));
INSERT INTO `weir_rebuild_abc`.`t4_fill_1a` SELECT * FROM `weir_rebuild_abc`.`t4_present` WHERE _source = 'air.flights:origin:destination' AND relation = 'FLIES_TO' AND subject_label = 'origin' AND object_label = 'destination' AND (_at, _seq) GLOBAL IN (SELECT _at, _seq FROM (SELECT _at, _seq, arrayJoin([(subject_label, subject), (object_label, object)]) AS _end FROM (SELECT
  'origin' AS subject_label,
  toString(assumeNotNull(_row.`origin`)) AS subject,
  'FLIES_TO' AS relation,
  'destination' AS object_label,
  toString(assumeNotNull(_row.`destination`)) AS object,
  concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(isNull(_row.`delay`), '', concat('"delay":', assumeNotNull(toString(_row.`delay`))))]), ','), '}') AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'air.flights:origin:destination' AS _source
FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) AS _row
WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`))) AS triple GLOBAL INNER JOIN (SELECT label, name, max(until) AS until FROM `weir`.`graph_gone` WHERE graph = 'air_graph' GROUP BY label, name) AS gone ON triple._end.1 = gone.label AND triple._end.2 = gone.name WHERE _seq <= until);
INSERT INTO `weir_rebuild_abc`.`t4_fill_1a` (subject_label, subject, relation, object_label, object, properties, _at, _seq, _source)
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
FROM (SELECT * FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) WHERE (_pk, _seq) GLOBAL NOT IN (SELECT _at, _seq FROM (SELECT _at, _seq, arrayJoin([(subject_label, subject), (object_label, object)]) AS _end FROM (SELECT
  'origin' AS subject_label,
  toString(assumeNotNull(_row.`origin`)) AS subject,
  'FLIES_TO' AS relation,
  'destination' AS object_label,
  toString(assumeNotNull(_row.`destination`)) AS object,
  concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(isNull(_row.`delay`), '', concat('"delay":', assumeNotNull(toString(_row.`delay`))))]), ','), '}') AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'air.flights:origin:destination' AS _source
FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) AS _row
WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`))) AS triple GLOBAL INNER JOIN (SELECT label, name, max(until) AS until FROM `weir`.`graph_gone` WHERE graph = 'air_graph' GROUP BY label, name) AS gone ON triple._end.1 = gone.label AND triple._end.2 = gone.name WHERE _seq <= until)) AS _row
WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`);
RENAME TABLE `weir_rebuild_abc`.`t4_fill_1a` TO `weir_rebuild_abc`.`t4_fill`;

-- nodes
INSERT INTO `graph`.`air_graph__properties`
SELECT _label AS label, _name AS name, property,
  CAST((0, 0, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _label, _name,
    [-min(_seq)] AS _seqs,
    [''] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _label, _name
    FROM (SELECT * FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) WHERE (_pk, _seq) GLOBAL NOT IN (SELECT _at, _seq FROM (SELECT _at, _seq, arrayJoin([(subject_label, subject), (object_label, object)]) AS _end FROM (SELECT
  'origin' AS subject_label,
  toString(assumeNotNull(_row.`origin`)) AS subject,
  'FLIES_TO' AS relation,
  'destination' AS object_label,
  toString(assumeNotNull(_row.`destination`)) AS object,
  concat('{', arrayStringConcat(arrayFilter(member -> member != '', [if(isNull(_row.`delay`), '', concat('"delay":', assumeNotNull(toString(_row.`delay`))))]), ','), '}') AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'air.flights:origin:destination' AS _source
FROM (SELECT *, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`delay`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`delay`, 0)), isNotNull(`delay`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_delay`, arraySort(pivot -> abs(pivot - toFloat64(ifNull(`distance`, 0))), (SELECT arrayMap(part -> if(abs(part[intDiv(2 * length(part) + 3, 4)]) <= 16 * (part[intDiv(3 * length(part) + 3, 4)] - part[intDiv(1 * length(part) + 3, 4)]), 0., part[intDiv(2 * length(part) + 3, 4)]), arraySlice(arraySort(part -> -length(part), arraySplit((x, isFirst) -> isFirst, sorted, arrayMap(i -> i > 1 AND sorted[i] - sorted[i - 1] > 16 * greatest(least(if(i > 8, sorted[i - 1] - sorted[i - 8], inf), if(i + 7 <= length(sorted), sorted[i + 7] - sorted[i], inf)), step), arrayEnumerate(sorted)))), 1, 8)) FROM (SELECT arraySort(groupArraySampleIf(4095, 1)(toFloat64(ifNull(`distance`, 0)), isNotNull(`distance`))) AS sorted, arrayMin(arrayFilter(gap -> gap > 0, arrayDifference(sorted))) AS step FROM `weir_rebuild_abc`.`past`)))[1] AS `_pivot_distance` FROM `weir_rebuild_abc`.`past`) AS _row
WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`))) AS triple GLOBAL INNER JOIN (SELECT label, name, max(until) AS until FROM `weir`.`graph_gone` WHERE graph = 'air_graph' GROUP BY label, name) AS gone ON triple._end.1 = gone.label AND triple._end.2 = gone.name WHERE _seq <= until)) AS _row
    ARRAY JOIN
      ['origin', 'destination'] AS _label,
      [toString(assumeNotNull(_row.`origin`)), toString(assumeNotNull(_row.`destination`))] AS _name
    WHERE isNotNull(_row.`origin`) AND isNotNull(_row.`destination`))
  GROUP BY _label, _name ORDER BY _label, _name)
ARRAY JOIN [''] AS property,
  _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

-- swap
DROP TABLE IF EXISTS `weir_rebuild_abc`.`t0_whole` SYNC;
CREATE TABLE `weir_rebuild_abc`.`t0_whole` CLONE AS `weir_rebuild_abc`.`t0_fill`;
ALTER TABLE `weir_rebuild_abc`.`t0_whole` ATTACH PARTITION tuple() FROM `weir_rebuild_abc`.`t0_live`;
ALTER TABLE `weir_rebuild_abc`.`t0_whole` MODIFY COMMENT 'abc';
EXCHANGE TABLES `air`.`flights__86400` AND `weir_rebuild_abc`.`t0_whole`;
DROP TABLE IF EXISTS `weir_rebuild_abc`.`t1_whole` SYNC;
CREATE TABLE `weir_rebuild_abc`.`t1_whole` CLONE AS `weir_rebuild_abc`.`t1_fill`;
ALTER TABLE `weir_rebuild_abc`.`t1_whole` ATTACH PARTITION tuple() FROM `weir_rebuild_abc`.`t1_live`;
ALTER TABLE `weir_rebuild_abc`.`t1_whole` MODIFY COMMENT 'abc';
EXCHANGE TABLES `air`.`flights__300__origin` AND `weir_rebuild_abc`.`t1_whole`;
DROP TABLE IF EXISTS `weir_rebuild_abc`.`t2_whole` SYNC;
CREATE TABLE `weir_rebuild_abc`.`t2_whole` CLONE AS `weir_rebuild_abc`.`t2_fill`;
ALTER TABLE `weir_rebuild_abc`.`t2_whole` ATTACH PARTITION tuple() FROM `weir_rebuild_abc`.`t2_live`;
ALTER TABLE `weir_rebuild_abc`.`t2_whole` MODIFY COMMENT 'abc';
EXCHANGE TABLES `air`.`flights__300__origin__destination` AND `weir_rebuild_abc`.`t2_whole`;
DROP TABLE IF EXISTS `weir_rebuild_abc`.`t3_whole` SYNC;
CREATE TABLE `weir_rebuild_abc`.`t3_whole` CLONE AS `weir_rebuild_abc`.`t3_fill`;
ALTER TABLE `weir_rebuild_abc`.`t3_whole` ATTACH PARTITION tuple() FROM `weir_rebuild_abc`.`t3_live`;
ALTER TABLE `weir_rebuild_abc`.`t3_whole` MODIFY COMMENT 'abc';
EXCHANGE TABLES `air`.`airports__keys` AND `weir_rebuild_abc`.`t3_whole`;
DROP TABLE IF EXISTS `weir_rebuild_abc`.`t4_whole` SYNC;
CREATE TABLE `weir_rebuild_abc`.`t4_whole` CLONE AS `weir_rebuild_abc`.`t4_fill`;
ALTER TABLE `weir_rebuild_abc`.`t4_whole` ATTACH PARTITION tuple() FROM `weir_rebuild_abc`.`t4_live`;
ALTER TABLE `weir_rebuild_abc`.`t4_whole` MODIFY COMMENT 'Relations of graph air_graph (abc)';
EXCHANGE TABLES `graph`.`air_graph_rel` AND `weir_rebuild_abc`.`t4_whole`;

-- end
KILL QUERY WHERE position(query, 'weir_rebuild_abc') > 0 AND query NOT LIKE 'KILL%' AND query NOT LIKE 'DROP%' SYNC;
DROP DATABASE IF EXISTS `weir_rebuild_abc` SYNC;
