CREATE DATABASE IF NOT EXISTS `shop` ON CLUSTER `events`;

CREATE TABLE IF NOT EXISTS `weir_records`.`shop__orders__1___local` ON CLUSTER `events` ( _index UInt32, _text String, _number Float64, _pk String, _seq UInt64, doc String, _v UInt64, _version UInt64, _deleted UInt8  ) ENGINE = ReplicatedReplacingMergeTree(_version, _deleted) ORDER BY (_index, _text, _number, _pk, _seq) SETTINGS index_granularity = 256, fsync_after_insert = 1, fsync_part_directory = 1, min_rows_to_fsync_after_merge = 1, parts_to_delay_insert = 100, parts_to_throw_insert = 1000, allow_experimental_replacing_merge_with_cleanup = 1, enable_replacing_merge_with_cleanup_for_min_age_to_force_merge = 1, min_age_to_force_merge_on_partition_only = 1, min_age_to_force_merge_seconds = 86400;

CREATE TABLE IF NOT EXISTS `weir_records`.`shop__orders__1` ON CLUSTER `events` AS `weir_records`.`shop__orders__1___local`
ENGINE = Distributed('events', 'weir_records', 'shop__orders__1___local', cityHash64(_index, _text, _number, _pk, _seq));

CREATE OR REPLACE VIEW `shop`.`orders` ON CLUSTER `events` AS SELECT _pk, doc, _v FROM `weir_records`.`shop__orders__1` FINAL WHERE _index = 0 AND _text = '' AND _number = 0;

ALTER TABLE `weir_records`.`shop__orders__1___local` ON CLUSTER `events` ADD INDEX IF NOT EXISTS words (if(_index = 0, lowerUTF8(replaceRegexpAll(doc, '\\\\(u[0-9a-f]{4}|.)|[\\p{P}\\p{Z}]', ' ')), '')) TYPE text(tokenizer = splitByNonAlpha);

ALTER TABLE `weir_records`.`shop__orders__1___local` ON CLUSTER `events` MATERIALIZE INDEX words SETTINGS mutations_sync = 0;

ALTER TABLE `weir_records`.`shop__orders__1___local` ON CLUSTER `events` DELETE WHERE _index >= 4 AND _index < 12 SETTINGS mutations_sync = 0;

DROP VIEW IF EXISTS `shop`.`orders` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `weir_records`.`shop__orders__1` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `weir_records`.`shop__orders__1___local` ON CLUSTER `events` SYNC;
