SELECT toFloat64(sum(data_uncompressed_bytes)) / greatest(sum(rows), 1) AS bytes FROM (SELECT * REPLACE (replaceRegexpOne(table, '___local$', '') AS table) FROM cluster('events', system.parts) AS p WHERE endsWith(p.table, '___local')) WHERE active AND database = {database:String} AND table = {storage:String};

SELECT total_rows AS rows FROM (SELECT * REPLACE (replaceRegexpOne(name, '___local$', '') AS name) FROM cluster('events', system.tables) AS p WHERE endsWith(p.name, '___local')) WHERE name = 'a';

SELECT concat(database, '.', name) AS at FROM (SELECT * REPLACE (replaceRegexpOne(name, '___local$', '') AS name) FROM system.tables AS p WHERE endsWith(p.name, '___local')) WHERE comment = 'a';

SELECT name FROM system.tables WHERE database = 'a';

SELECT 'x FROM system.parts' AS value FROM system.one;
