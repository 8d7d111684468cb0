-- make
CREATE DATABASE IF NOT EXISTS `geo`

-- make
CREATE TABLE IF NOT EXISTS `weir_records`.`geo__airports__1700000000000000` ( _index UInt32, _text String, _number Float64, _pk String, _seq UInt64, doc String, _v UInt64, _version UInt64, _deleted UInt8 , INDEX words (if(_index = 0, lowerUTF8(replaceRegexpAll(doc, '\\\\(u[0-9a-f]{4}|.)|[\\p{P}\\p{Z}]', ' ')), '')) TYPE text(tokenizer = splitByNonAlpha) ) ENGINE = ReplacingMergeTree(_version, _deleted) ORDER BY (_index, _text, _number, _pk, _seq) SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, parts_to_delay_insert = 100, parts_to_throw_insert = 1000, allow_experimental_replacing_merge_with_cleanup = 1, enable_replacing_merge_with_cleanup_for_min_age_to_force_merge = 1, min_age_to_force_merge_on_partition_only = 1, min_age_to_force_merge_seconds = 86400

-- make
CREATE OR REPLACE VIEW `geo`.`airports` (_pk String COMMENT 'Key of the record', doc String COMMENT 'Document of the record; of JSON doc::JSON reads the members', _v UInt64 COMMENT 'Version of the record') AS SELECT _pk, doc, _v
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 COMMENT 'Records of table geo.airports'

-- make
CREATE DATABASE IF NOT EXISTS `geo`

-- make
CREATE TABLE IF NOT EXISTS `weir_records`.`geo__hits__1700000000000001` ( _index UInt32, _text String, _number Float64, _pk Int64, _seq UInt64, doc String, _v UInt64, _version UInt64, _deleted UInt8  ) ENGINE = ReplacingMergeTree(_version, _deleted) ORDER BY (_index, _text, _number, _pk, _seq) SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, parts_to_delay_insert = 100, parts_to_throw_insert = 1000, allow_experimental_replacing_merge_with_cleanup = 1, enable_replacing_merge_with_cleanup_for_min_age_to_force_merge = 1, min_age_to_force_merge_on_partition_only = 1, min_age_to_force_merge_seconds = 86400

-- make
CREATE OR REPLACE VIEW `geo`.`hits` (_pk Int64 COMMENT 'Key of the record', doc Int64 COMMENT 'Value of the record', _v UInt64 COMMENT 'Version of the record') AS SELECT _pk, toInt64(doc) AS doc, _v
FROM `weir_records`.`geo__hits__1700000000000001` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 COMMENT 'Records of table geo.hits'

-- drop
DROP VIEW IF EXISTS `geo`.`airports` SYNC

-- drop
DROP TABLE IF EXISTS `weir_records`.`geo__airports__1700000000000000` SYNC

-- drop the database
DROP DATABASE IF EXISTS `geo` SYNC

-- revidx
ALTER TABLE `weir_records`.`geo__airports__1700000000000000` ADD INDEX IF NOT EXISTS words (if(_index = 0, lowerUTF8(replaceRegexpAll(doc, '\\\\(u[0-9a-f]{4}|.)|[\\p{P}\\p{Z}]', ' ')), '')) TYPE text(tokenizer = splitByNonAlpha)

-- revidx
ALTER TABLE `weir_records`.`geo__airports__1700000000000000` MATERIALIZE INDEX words SETTINGS mutations_sync = 0

-- build an index
INSERT INTO `weir_records`.`geo__airports__1700000000000000` (_index, _text, _number, _pk, _seq, doc, _v, _version, _deleted) SELECT entry.1, entry.2, entry.3, _pk, _seq, doc, _v, _version, 0
FROM (SELECT _pk, _seq, doc, _v, _version
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0) ARRAY JOIN arrayConcat(CAST([], 'Array(Tuple(UInt32, String, Float64))'), multiIf(JSONType(doc, 'city') = 'String', CAST([tuple(16, substringUTF8(JSONExtractString(doc, 'city'), 1, 64), 0.)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'city') IN ('Int64', 'UInt64', 'Double'), CAST([tuple(17, '', JSONExtractFloat(doc, 'city') + 0)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'city') = 'Bool', CAST([tuple(18, '', toFloat64(JSONExtractBool(doc, 'city')))], 'Array(Tuple(UInt32, String, Float64))'), CAST([], 'Array(Tuple(UInt32, String, Float64))'))) AS entry

-- clear dropped indexes
ALTER TABLE `weir_records`.`geo__airports__1700000000000000` DELETE WHERE _index >= 4 AND _index < 20 AND _index NOT IN (4, 5, 6, 12, 13, 14, 16, 17, 18) SETTINGS mutations_sync = 0

-- one key
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d, toString(_version) AS version, _deleted AS deleted
FROM `weir_records`.`geo__airports__1700000000000000` PREWHERE _pk = 'it\'s' WHERE _index = 0 SETTINGS max_threads = 1

-- some keys
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, '' AS d, toString(_version) AS version, _deleted AS deleted
FROM `weir_records`.`geo__hits__1700000000000001` PREWHERE _pk IN (1, -9223372036854775808) WHERE _index = 0 SETTINGS max_threads = 1

-- estimate
EXPLAIN ESTIMATE SELECT _pk
FROM `weir_records`.`geo__airports__1700000000000000` WHERE _index = 0 AND _text = '' AND _number = 0
