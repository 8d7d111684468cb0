CREATE TABLE `a`.`copy___local` ON CLUSTER `events` AS `a`.`b___local`;

CREATE TABLE IF NOT EXISTS `a`.`copy` ON CLUSTER `events` AS `a`.`copy___local`
ENGINE = Distributed('events', 'a', 'copy___local', rand());

ALTER TABLE `a`.`copy___local` ON CLUSTER `events` ATTACH PARTITION ALL FROM `a`.`b___local`;

CREATE TABLE `a`.`like___local` ON CLUSTER `events` AS `a`.`b___local`;

CREATE TABLE IF NOT EXISTS `a`.`like` ON CLUSTER `events` AS `a`.`like___local`
ENGINE = Distributed('events', 'a', 'like___local', rand());

CREATE TABLE `a`.`heap___local` ON CLUSTER `events` (x String) ENGINE = ReplicatedMergeTree ORDER BY tuple();

CREATE TABLE IF NOT EXISTS `a`.`heap` ON CLUSTER `events` AS `a`.`heap___local`
ENGINE = Distributed('events', 'a', 'heap___local', rand());

CREATE MATERIALIZED VIEW `a`.`feed` ON CLUSTER `events`
TO `a`.`like___local` AS SELECT * FROM `a`.`b___local`;

ALTER TABLE `a`.`copy___local` ON CLUSTER `events` ATTACH PARTITION tuple() FROM `a`.`like___local`;

ALTER TABLE `a`.`copy___local` ON CLUSTER `events` MODIFY COMMENT 'x';

EXCHANGE TABLES `a`.`b___local` AND `a`.`copy___local` ON CLUSTER `events`;

CREATE OR REPLACE TABLE `a`.`b` ON CLUSTER `events` AS `a`.`b___local`
ENGINE = Distributed('events', 'a', 'b___local', rand());

CREATE OR REPLACE TABLE `a`.`copy` ON CLUSTER `events` AS `a`.`copy___local`
ENGINE = Distributed('events', 'a', 'copy___local', rand());

RENAME TABLE `a`.`b___local` TO `a`.`c___local`, `a`.`d___local` TO `a`.`b___local` ON CLUSTER `events`;

CREATE OR REPLACE TABLE `a`.`c` ON CLUSTER `events` AS `a`.`c___local`
ENGINE = Distributed('events', 'a', 'c___local', rand());

CREATE OR REPLACE TABLE `a`.`b` ON CLUSTER `events` AS `a`.`b___local`
ENGINE = Distributed('events', 'a', 'b___local', rand());

DROP TABLE IF EXISTS `a`.`d` ON CLUSTER `events` SYNC;

DELETE FROM weir.pivots___local ON CLUSTER `events` WHERE stream = 'a';

KILL QUERY ON CLUSTER `events` WHERE query LIKE 'a%' SYNC;

INSERT INTO `a`.`b` SELECT * FROM `a`.`c`;
