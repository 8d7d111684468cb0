CREATE DATABASE `a` ON CLUSTER `events`;

CREATE TABLE `a`.`b___local` ON CLUSTER `events` (x Int64, y Int64) ENGINE = ReplicatedReplacingMergeTree(y) ORDER BY (x) SETTINGS replicated_deduplication_window = 1000, replicated_deduplication_window_seconds = 604800;

CREATE TABLE IF NOT EXISTS `a`.`b` ON CLUSTER `events` AS `a`.`b___local`
ENGINE = Distributed('events', 'a', 'b___local', cityHash64(x));

CREATE TABLE IF NOT EXISTS `a`.`heap___local` ON CLUSTER `events` (x Int64, y Int64) ENGINE = ReplicatedMergeTree ORDER BY tuple();

CREATE TABLE IF NOT EXISTS `a`.`heap` ON CLUSTER `events` AS `a`.`heap___local`
ENGINE = Distributed('events', 'a', 'heap___local', rand());

CREATE TABLE `a`.`b__in` ON CLUSTER `events` (x Int64) ENGINE = Null;

CREATE TABLE `a`.`copy___local` ON CLUSTER `events` AS `a`.`b___local`;

CREATE TABLE IF NOT EXISTS `a`.`copy` ON CLUSTER `events` AS `a`.`copy___local`
ENGINE = Distributed('events', 'a', 'copy___local', rand());

ALTER TABLE `a`.`copy___local` ON CLUSTER `events` ATTACH PARTITION ALL FROM `a`.`b___local`;

CREATE TABLE `a`.`like___local` ON CLUSTER `events` AS `a`.`b___local`;

CREATE TABLE IF NOT EXISTS `a`.`like` ON CLUSTER `events` AS `a`.`like___local`
ENGINE = Distributed('events', 'a', 'like___local', rand());

CREATE MATERIALIZED VIEW IF NOT EXISTS `a`.`b__from__b` ON CLUSTER `events`
TO `a`.`b___local` AS SELECT x, x AS y FROM `a`.`b__in`;

CREATE MATERIALIZED VIEW `a`.`feed` ON CLUSTER `events`
TO `a`.`like___local` AS SELECT * FROM `a`.`b___local`;

CREATE OR REPLACE VIEW `a`.`seen` ON CLUSTER `events` AS SELECT x FROM `a`.`b` FINAL;

CREATE OR REPLACE VIEW `a`.`told` ON CLUSTER `events` (
  `x` Int64 COMMENT 'an x'
) AS SELECT x FROM `a`.`b`
COMMENT 'rows';

ALTER TABLE `a`.`copy___local` ON CLUSTER `events` ADD COLUMN IF NOT EXISTS z Int64;

ALTER TABLE `a`.`copy` ON CLUSTER `events` ADD COLUMN IF NOT EXISTS z Int64;

ALTER TABLE `a`.`copy___local` ON CLUSTER `events` MODIFY COMMENT 'x';

CREATE OR REPLACE TABLE `a`.`copy` ON CLUSTER `events` AS `a`.`copy___local`
ENGINE = Distributed('events', 'a', 'copy___local', rand());

ALTER TABLE `a`.`copy___local` ON CLUSTER `events` ATTACH PARTITION tuple() FROM `a`.`like___local`;

ALTER TABLE `a`.`b__from__b` ON CLUSTER `events` MODIFY QUERY SELECT x, 2 AS y FROM `a`.`b__in`;

DROP VIEW IF EXISTS `a`.`feed` ON CLUSTER `events` SYNC;

EXCHANGE TABLES `a`.`b___local` AND `a`.`copy___local` ON CLUSTER `events`;

CREATE OR REPLACE TABLE `a`.`b` ON CLUSTER `events` AS `a`.`b___local`
ENGINE = Distributed('events', 'a', 'b___local', rand());

CREATE OR REPLACE TABLE `a`.`copy` ON CLUSTER `events` AS `a`.`copy___local`
ENGINE = Distributed('events', 'a', 'copy___local', rand());

RENAME TABLE `a`.`b___local` TO `a`.`c___local` ON CLUSTER `events`;

CREATE OR REPLACE TABLE `a`.`c` ON CLUSTER `events` AS `a`.`c___local`
ENGINE = Distributed('events', 'a', 'c___local', rand());

DROP TABLE IF EXISTS `a`.`b` ON CLUSTER `events` SYNC;

RENAME TABLE `a`.`like___local` TO `a`.`b___local` ON CLUSTER `events`;

CREATE OR REPLACE TABLE `a`.`b` ON CLUSTER `events` AS `a`.`b___local`
ENGINE = Distributed('events', 'a', 'b___local', rand());

DROP TABLE IF EXISTS `a`.`like` ON CLUSTER `events` SYNC;

CREATE TABLE `a`.`like___local` ON CLUSTER `events` AS `a`.`c___local`;

CREATE TABLE IF NOT EXISTS `a`.`like` ON CLUSTER `events` AS `a`.`like___local`
ENGINE = Distributed('events', 'a', 'like___local', rand());

CREATE DATABASE IF NOT EXISTS `weir_kept_1` ON CLUSTER `events`;

RENAME TABLE `a`.`like___local` TO `weir_kept_1`.`like___local` ON CLUSTER `events`;

DROP TABLE IF EXISTS `a`.`like` ON CLUSTER `events` SYNC;

RENAME TABLE `weir_kept_1`.`like___local` TO `a`.`like___local` ON CLUSTER `events`;

DROP TABLE IF EXISTS `weir_kept_1`.`like` ON CLUSTER `events` SYNC;

CREATE TABLE IF NOT EXISTS `a`.`like___local` ON CLUSTER `events` (x Int64, y Int64) ENGINE = ReplicatedMergeTree ORDER BY x;

CREATE TABLE IF NOT EXISTS `a`.`like` ON CLUSTER `events` AS `a`.`like___local`
ENGINE = Distributed('events', 'a', 'like___local', cityHash64(x));

DROP DATABASE IF EXISTS `weir_kept_1` ON CLUSTER `events` SYNC;

DELETE FROM `a`.`b___local` ON CLUSTER `events` WHERE x = 1;

KILL QUERY ON CLUSTER `events` WHERE query LIKE 'a%' SYNC;

INSERT INTO `a`.`b` SELECT * FROM `a`.`c`;

DROP TABLE IF EXISTS `a`.`b__in` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `a`.`c` ON CLUSTER `events` SYNC;

DROP TABLE IF EXISTS `a`.`c___local` ON CLUSTER `events` SYNC;

DROP DATABASE IF EXISTS `a` ON CLUSTER `events` SYNC;
