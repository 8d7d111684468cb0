DROP VIEW IF EXISTS `related`.`source__from__source` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`weir_usage__from__source` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`source__in` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`source__from__source` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`copies__from__copies` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`related_graph_rel__from__related__source` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`related_graph__properties__from__related__source` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`related_graph_rel__from__related__copies` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`related_graph__properties__from__related__copies` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`weir_usage__from__source` ON CLUSTER `events` SYNC;

DROP VIEW IF EXISTS `related`.`copies__in__from__source` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`source__in` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies__in` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies___local` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies__rejected` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies__rejected___local` ON CLUSTER `events` SYNC;

CREATE DATABASE IF NOT EXISTS `related` ON CLUSTER `events`;

CREATE DATABASE IF NOT EXISTS `graph` ON CLUSTER `events`;

CREATE TABLE IF NOT EXISTS `graph`.`related_graph__properties___local` ON CLUSTER `events` (
  label String,
  name String,
  property String,
  written SimpleAggregateFunction(max, Tuple(is_update UInt8, at Int64, seq Int64, value String))
) ENGINE = ReplicatedAggregatingMergeTree
ORDER BY (label, name, property)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 8192;

CREATE TABLE IF NOT EXISTS `graph`.`related_graph__properties` ON CLUSTER `events` AS `graph`.`related_graph__properties___local`
ENGINE = Distributed('events', 'graph', 'related_graph__properties___local', cityHash64(label, name, property));

CREATE TABLE IF NOT EXISTS `graph`.`related_graph_rel___local` ON CLUSTER `events` (
  subject_label LowCardinality(String),
  subject String,
  relation LowCardinality(String),
  object_label LowCardinality(String),
  object String,
  properties String,
  _values Map(String, String) DEFAULT CAST(JSONExtractKeysAndValuesRaw(properties), 'Map(String, String)'),
  _at Int64,
  _seq Int64,
  _source LowCardinality(String),
  PROJECTION _by_object (SELECT * ORDER BY object_label, object, relation, subject_label, subject, _at, _seq)
) ENGINE = ReplicatedMergeTree
ORDER BY (subject_label, subject, relation, object_label, object, _at, _seq)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, index_granularity = 512, min_compress_block_size = 4096, max_compress_block_size = 8192, lightweight_mutation_projection_mode = 'drop';

CREATE TABLE IF NOT EXISTS `graph`.`related_graph_rel` ON CLUSTER `events` AS `graph`.`related_graph_rel___local`
ENGINE = Distributed('events', 'graph', 'related_graph_rel___local', cityHash64(subject_label, subject, relation, object_label, object, _at, _seq));

CREATE VIEW IF NOT EXISTS `graph`.`related_graph` ON CLUSTER `events` AS SELECT
  label,
  name,
  concat('{', arrayStringConcat(arraySort(groupArrayIf(concat(toJSONString(property), ':', value), property != '')), ','), '}') AS properties
FROM (SELECT label, name, property, max(written).value AS value
  FROM `graph`.`related_graph__properties`
  GROUP BY label, name, property)
GROUP BY label, name;

CREATE TABLE IF NOT EXISTS `related`.`source___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String),
  `n` Nullable(Int64)
) ENGINE = ReplicatedMergeTree
ORDER BY (_pk, _seq)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `related`.`source` ON CLUSTER `events` AS `related`.`source___local`
ENGINE = Distributed('events', 'related', 'source___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `related`.`copies___local` ON CLUSTER `events` (
  _pk Int64 CODEC(DoubleDelta, ZSTD),
  _seq Int64 CODEC(DoubleDelta, ZSTD),
  _v Int64 ALIAS 1,
  _time DateTime64(6) ALIAS fromUnixTimestamp64Micro(_pk),
  _rest String CODEC(ZSTD),
  `a` Nullable(String),
  `n` Nullable(Int64)
) ENGINE = ReplicatedMergeTree
ORDER BY (_pk, _seq)
SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1;

CREATE TABLE IF NOT EXISTS `related`.`copies` ON CLUSTER `events` AS `related`.`copies___local`
ENGINE = Distributed('events', 'related', 'copies___local', cityHash64(_pk, _seq));

CREATE TABLE IF NOT EXISTS `related`.`source__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String),
  `n` Nullable(Int64)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `related`.`copies__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String),
  `n` Nullable(Int64)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`source__from__source` ON CLUSTER `events`
TO `related`.`source___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`,
  `n`
FROM `related`.`source__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`copies__from__copies` ON CLUSTER `events`
TO `related`.`copies___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`,
  `n`
FROM `related`.`copies__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`weir_usage__from__source` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `related`.`source__in`
GROUP BY minute;

CREATE TABLE IF NOT EXISTS `related`.`source__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String),
  `n` Nullable(Int64)
) ENGINE = Null;

CREATE TABLE IF NOT EXISTS `related`.`copies__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String),
  `n` Nullable(Int64)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`source__from__source` ON CLUSTER `events`
TO `related`.`source___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`,
  `n`
FROM `related`.`source__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`copies__from__copies` ON CLUSTER `events`
TO `related`.`copies___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`,
  `n`
FROM `related`.`copies__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`related_graph_rel__from__related__source` ON CLUSTER `events`
TO `graph`.`related_graph_rel___local` AS
SELECT
  'a' AS subject_label,
  toString(assumeNotNull(_row.`a`)) AS subject,
  'R' AS relation,
  'n' AS object_label,
  toString(assumeNotNull(_row.`n`)) AS object,
  '{}' AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'related.source:a:n' AS _source
FROM `related`.`source__in` AS _row
WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`);

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`related_graph__properties__from__related__source` ON CLUSTER `events`
TO `graph`.`related_graph__properties___local` AS
SELECT _label AS label, _name AS name, property,
  CAST((0, 0, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _label, _name,
    [-min(_seq)] AS _seqs,
    [''] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _label, _name
    FROM `related`.`source__in` AS _row
    ARRAY JOIN
      ['a', 'n'] AS _label,
      [toString(assumeNotNull(_row.`a`)), toString(assumeNotNull(_row.`n`))] AS _name
    WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`))
  GROUP BY _label, _name ORDER BY _label, _name)
ARRAY JOIN [''] AS property,
  _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`weir_usage__from__source` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `related`.`source__in`
GROUP BY minute;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`copies__in__from__source` ON CLUSTER `events`
TO `related`.`copies__in` AS
SELECT
  _pk,
  _seq,
  '' AS _rest,
  `a`,
  `n`
FROM `related`.`source__in` AS _row
WHERE `n` >= 0;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`related_graph_rel__from__related__copies` ON CLUSTER `events`
TO `graph`.`related_graph_rel___local` AS
SELECT
  'a' AS subject_label,
  toString(assumeNotNull(_row.`a`)) AS subject,
  'R' AS relation,
  'n' AS object_label,
  toString(assumeNotNull(_row.`n`)) AS object,
  '{}' AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'related.copies:a:n' AS _source
FROM `related`.`copies__in` AS _row
WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`);

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`related_graph__properties__from__related__copies` ON CLUSTER `events`
TO `graph`.`related_graph__properties___local` AS
SELECT _label AS label, _name AS name, property,
  CAST((0, 0, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _label, _name,
    [-min(_seq)] AS _seqs,
    [''] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _label, _name
    FROM `related`.`copies__in` AS _row
    ARRAY JOIN
      ['a', 'n'] AS _label,
      [toString(assumeNotNull(_row.`a`)), toString(assumeNotNull(_row.`n`))] AS _name
    WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`))
  GROUP BY _label, _name ORDER BY _label, _name)
ARRAY JOIN [''] AS property,
  _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

DROP TABLE IF EXISTS `related`.`source___past` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`source___past___local` ON CLUSTER `events` SYNC;

CREATE TABLE `related`.`source___past___local` ON CLUSTER `events` AS `related`.`source___local`;

CREATE TABLE IF NOT EXISTS `related`.`source___past` ON CLUSTER `events` AS `related`.`source___past___local`
ENGINE = Distributed('events', 'related', 'source___past___local', rand());

ALTER TABLE `related`.`source___past___local` ON CLUSTER `events` ATTACH PARTITION ALL FROM `related`.`source___local`;

DROP TABLE IF EXISTS `related`.`copies` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies___local` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies__rejected` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`copies__rejected___local` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`source___past` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`source___past___local` ON CLUSTER `events` SYNC;

CREATE TABLE IF NOT EXISTS `related`.`source__in` ON CLUSTER `events` (
  _pk Int64,
  _seq Int64,
  _rest String,
  `a` Nullable(String),
  `n` Nullable(Int64)
) ENGINE = Null;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`source__from__source` ON CLUSTER `events`
TO `related`.`source___local` AS SELECT
  _pk,
  _seq,
  _rest,
  `a`,
  `n`
FROM `related`.`source__in`;

CREATE MATERIALIZED VIEW IF NOT EXISTS `related`.`weir_usage__from__source` ON CLUSTER `events`
TO weir.usage___local AS SELECT
  intDiv(_seq, 60000000) * 60000000 AS minute,
  count() AS events
FROM `related`.`source__in`
GROUP BY minute;

ALTER TABLE `graph`.`related_graph_rel___local` ON CLUSTER `events` DELETE WHERE _source = 'related.source:a:n' AND relation = 'R' AND subject_label = 'a' AND object_label = 'n' AND _at >= (SELECT min(_pk) FROM `related`.`source___past`) AND _seq <= (SELECT max(_seq) FROM `related`.`source___past`) AND (_at, _seq) NOT IN (SELECT _at, _seq FROM (SELECT _at, _seq, arrayJoin([(subject_label, subject), (object_label, object)]) AS _end FROM (SELECT
  'a' AS subject_label,
  toString(assumeNotNull(_row.`a`)) AS subject,
  'R' AS relation,
  'n' AS object_label,
  toString(assumeNotNull(_row.`n`)) AS object,
  '{}' AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'related.source:a:n' AS _source
FROM (SELECT * FROM `related`.`source___past`) AS _row
WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`))) AS triple INNER JOIN (SELECT label, name, max(until) AS until FROM `weir`.`graph_gone` WHERE graph = 'related_graph' GROUP BY label, name) AS gone ON triple._end.1 = gone.label AND triple._end.2 = gone.name WHERE _seq <= until) SETTINGS mutations_sync = 2;

INSERT INTO `graph`.`related_graph_rel` (subject_label, subject, relation, object_label, object, properties, _at, _seq, _source)
SELECT
  'a' AS subject_label,
  toString(assumeNotNull(_row.`a`)) AS subject,
  'R' AS relation,
  'n' AS object_label,
  toString(assumeNotNull(_row.`n`)) AS object,
  '{}' AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'related.source:a:n' AS _source
FROM (SELECT * FROM (SELECT * FROM `related`.`source___past`) WHERE (_pk, _seq) GLOBAL NOT IN (SELECT _at, _seq FROM (SELECT _at, _seq, arrayJoin([(subject_label, subject), (object_label, object)]) AS _end FROM (SELECT
  'a' AS subject_label,
  toString(assumeNotNull(_row.`a`)) AS subject,
  'R' AS relation,
  'n' AS object_label,
  toString(assumeNotNull(_row.`n`)) AS object,
  '{}' AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'related.source:a:n' AS _source
FROM (SELECT * FROM `related`.`source___past`) AS _row
WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`))) AS triple GLOBAL INNER JOIN (SELECT label, name, max(until) AS until FROM `weir`.`graph_gone` WHERE graph = 'related_graph' GROUP BY label, name) AS gone ON triple._end.1 = gone.label AND triple._end.2 = gone.name WHERE _seq <= until)) AS _row
WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`);

INSERT INTO `graph`.`related_graph__properties` (label, name, property, written)
SELECT _label AS label, _name AS name, property,
  CAST((0, 0, _seq, _value), 'Tuple(is_update UInt8, at Int64, seq Int64, value String)') AS written
FROM (SELECT _label, _name,
    [-min(_seq)] AS _seqs,
    [''] AS _values
  FROM (SELECT
    _row._pk AS _at,
    _row._seq AS _seq,
    _label, _name
    FROM (SELECT * FROM (SELECT * FROM `related`.`source___past`) WHERE (_pk, _seq) GLOBAL NOT IN (SELECT _at, _seq FROM (SELECT _at, _seq, arrayJoin([(subject_label, subject), (object_label, object)]) AS _end FROM (SELECT
  'a' AS subject_label,
  toString(assumeNotNull(_row.`a`)) AS subject,
  'R' AS relation,
  'n' AS object_label,
  toString(assumeNotNull(_row.`n`)) AS object,
  '{}' AS properties,
  _row._pk AS _at,
  _row._seq AS _seq,
  'related.source:a:n' AS _source
FROM (SELECT * FROM `related`.`source___past`) AS _row
WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`))) AS triple GLOBAL INNER JOIN (SELECT label, name, max(until) AS until FROM `weir`.`graph_gone` WHERE graph = 'related_graph' GROUP BY label, name) AS gone ON triple._end.1 = gone.label AND triple._end.2 = gone.name WHERE _seq <= until)) AS _row
    ARRAY JOIN
      ['a', 'n'] AS _label,
      [toString(assumeNotNull(_row.`a`)), toString(assumeNotNull(_row.`n`))] AS _name
    WHERE isNotNull(_row.`a`) AND isNotNull(_row.`n`))
  GROUP BY _label, _name ORDER BY _label, _name)
ARRAY JOIN [''] AS property,
  _seqs AS _seq, _values AS _value
WHERE property = '' OR _value != '';

ALTER TABLE `graph`.`related_graph_rel___local` ON CLUSTER `events` DELETE WHERE _source = 'related.copies:a:n' AND relation = 'R' AND subject_label = 'a' AND object_label = 'n' AND _at >= (SELECT min(_pk) FROM `related`.`source___past`) AND _seq <= (SELECT max(_seq) FROM `related`.`source___past`) SETTINGS mutations_sync = 2;

DROP TABLE IF EXISTS `related`.`source___past` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `related`.`source___past___local` ON CLUSTER `events` SYNC;
