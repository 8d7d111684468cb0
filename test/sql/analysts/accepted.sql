SELECT 1
select 1;
(SELECT 1) UNION ALL (SELECT 2)
WITH x AS (SELECT a FROM air.flights LIMIT 3) SELECT count() FROM x
WITH 5 AS n SELECT n + 1
FROM air.flights SELECT count()
SELECT b AS origin, count() AS n FROM air.flights GROUP BY origin HAVING n > 0 ORDER BY n DESC, origin ASC LIMIT 3
SELECT * EXCEPT (b) FROM air.flights LIMIT 1
SELECT * REPLACE (a + 1 AS a) FROM air.flights LIMIT 1
SELECT * APPLY toString FROM air.flights LIMIT 1
SELECT * APPLY(toString) FROM air.flights LIMIT 1
SELECT COLUMNS('a') APPLY(x -> x + 1) FROM air.flights LIMIT 1
SELECT arrayMap((x, y) -> x + y, [1, 2], [3, 4])
SELECT quantile(0.5)(a), quantilesExactIf(0.1, 0.9)(a, a > 3), uniqCombined64State(a) FROM air.flights
SELECT sumMerge(s) FROM (SELECT sumState(a) AS s FROM air.flights)
SELECT countIf(a > 5), avgOrNull(a), groupArray(3)(a) FROM air.flights
SELECT sum(a) OVER (PARTITION BY b ORDER BY a ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS s FROM air.flights LIMIT 3
SELECT row_number() OVER w FROM air.flights WINDOW w AS (ORDER BY a) LIMIT 3
SELECT CAST(a AS Nullable(String)), a::Decimal(10, 2), CAST(a, 'Int32') FROM air.flights LIMIT 1
SELECT EXTRACT(YEAR FROM toDate('2001-01-01')), DATE_ADD(DAY, 1, toDate('2001-01-01')), TRIM(BOTH ' ' FROM ' x '), SUBSTRING('abc' FROM 2 FOR 1), POSITION('b' IN 'abc')
SELECT now() - INTERVAL 1 DAY, today() + INTERVAL (1 + 1) MONTH, toStartOfInterval(now(), INTERVAL 5 MINUTE)
SELECT CASE WHEN (a > 3) THEN 'x' ELSE 'y' END, if(a = 1, 2, 3), multiIf(a = 1, 1, 2) FROM air.flights LIMIT 1
SELECT a IN (1, 2), a NOT IN (SELECT a FROM air.flights), (a, b) IN ((1, 'a')), a BETWEEN 1 AND (2 + 3) FROM air.flights LIMIT 1
SELECT count() FROM air.flights AS f INNER JOIN (SELECT a FROM air.flights) AS g ON f.a = g.a AND (f.a > 0)
SELECT count() FROM air.flights f LEFT JOIN air.flights g USING (a)
SELECT f.a FROM air.flights AS f, air.flights AS g WHERE f.a = g.a LIMIT 1
SELECT x FROM air.flights ARRAY JOIN [1, 2] AS x LIMIT 2
SELECT x, y FROM air.flights ARRAY JOIN arrayMap(v -> v + 1, [1, 2]) AS x, range(2) AS y LIMIT 2
SELECT a FROM air.flights PREWHERE (a > 1) WHERE (b != '') LIMIT 1 BY a LIMIT 5
SELECT b, count() FROM air.flights GROUP BY GROUPING SETS ((b), ()) LIMIT 1
SELECT b, sum(a) FROM air.flights GROUP BY b WITH TOTALS ORDER BY b LIMIT 1
SELECT number AS n, 'x' AS v FROM numbers(3) ORDER BY n WITH FILL FROM 0 TO 10 STEP 2 INTERPOLATE (v AS v)
SELECT * FROM values('x Int64, y String', (1, 'a'), (2, 'b'))
SELECT * FROM view(SELECT 1 AS x)
SELECT * FROM generate_series(1, 3)
SELECT 1 INTERSECT SELECT 1
SELECT 1 EXCEPT SELECT 2
SELECT DISTINCT ON (b) b, a FROM air.flights ORDER BY b, a LIMIT 1
SELECT [1, 2][1], (1, 2).1, tuple(1, 2).2
SELECT 'it''s', 'a\'b', 'a\\b', 'a\nb', '\d+', '\x41', 'é', "a" FROM air.flights LIMIT 1
SELECT 0x1F, 1e3, .5, 1., 1_000, x'41', b'01'
SELECT 1 -- a comment with file('/etc/passwd')
SELECT /* file('/etc/passwd') */ 1
SELECT 'file(''/etc/passwd'')'
SELECT a AS `Average delay (min)`, a AS "format" FROM air.flights LIMIT 1
SELECT match(b, '^[a-z]+$'), replaceRegexpOne(b, '(\\w)', '\\1'), extractAll('ab', '\\w') FROM air.flights LIMIT 1
SELECT JSONExtractString('{"a":"b"}', 'a'), JSON_VALUE('{"a":1}', '$.a')
SELECT a > 1 ? 1 : 2 FROM air.flights LIMIT 1
SELECT a FROM air.flights WHERE a = 1 AND NOT (b = '') OR a IN tuple(1, 2)
SELECT 1 SETTINGS max_threads = 4
SELECT 1 SETTINGS join_use_nulls = 1, max_block_size = 100 FORMAT JSON
SELECT 1 SETTINGS use_query_cache, max_memory_usage = 0
SELECT 1 AS AS SETTINGS max_memory_usage = 0
SELECT settings, settings + 1 FROM (SELECT 1 AS settings, 2 AS x) AS settings WHERE settings = 1 GROUP BY settings ORDER BY settings DESC
SELECT a IN (b), in(a, (1, 2)) FROM (SELECT 1 AS a, [1] AS b) WHERE a IN (1)
SELECT f.a FROM air.flights AS f JOIN air.flights AS g ON f.a = g.a, (SELECT 1) AS h LIMIT 1
SELECT array.a FROM air.flights AS array JOIN air.flights AS g ON array.a = g.a LIMIT 1
SELECT 1 FORMAT JSON SETTINGS output_format_json_quote_64bit_integers = 0
SELECT name FROM system.settings WHERE name = 'max_threads'
SELECT database, name FROM system.tables WHERE database = 'air'
SELECT table_name FROM information_schema.tables WHERE table_schema = 'air'
SELECT column_name FROM INFORMATION_SCHEMA.COLUMNS WHERE table_name = 'flights'
SELECT version(), timezone(), currentUser(), currentDatabase(), revision()
SHOW TABLES
SHOW TABLES FROM air LIKE 'f%'
SHOW FULL TABLES IN air
SHOW DATABASES
SHOW COLUMNS FROM flights FROM air
SHOW CREATE TABLE air.flights_by_60s
SHOW CREATE VIEW air.flights_by_60s
SHOW CREATE DATABASE air
SHOW FUNCTIONS LIKE 'sum'
SHOW SETTINGS LIKE 'max_threads'
DESCRIBE air.flights
DESCRIBE TABLE air.flights
DESC TABLE "air"."flights"
DESCRIBE (SELECT 1 AS x)
DESCRIBE numbers(3)
EXISTS air.flights
EXISTS TABLE air.flights
EXISTS DATABASE air
EXPLAIN SELECT 1
EXPLAIN AST SELECT 1
EXPLAIN SYNTAX SELECT 1
EXPLAIN QUERY TREE SELECT 1
EXPLAIN PLAN header = 1, actions = 1 SELECT a FROM air.flights
EXPLAIN indexes = 1 SELECT a FROM air.flights WHERE a = 1
EXPLAIN PIPELINE SELECT a FROM air.flights
EXPLAIN ESTIMATE SELECT a FROM air.flights
EXPLAIN ESTIMATE SELECT a FROM air.flights EXCEPT SELECT 1
EXPLAIN PIPELINE (SELECT a FROM air.flights) UNION ALL (SELECT 1)
SELECT 1 FORMAT Values
SELECT toDate(number) AS d, count() FROM numbers(3) GROUP BY d ORDER BY d WITH FILL FROM toDate('1970-01-01') TO toDate('1970-01-05') STEP INTERVAL 1 DAY
SELECT number AS n FROM numbers(3) ORDER BY n DESC WITH FILL FROM toUInt64(5) TO (0) STEP -1, n + 1 WITH FILL FROM abs(1)
SELECT sum(number) OVER (ORDER BY number) AS s FROM numbers(3) ORDER BY s WITH FILL FROM toUInt64(0)
SELECT 1 IS NOT DISTINCT FROM abs(1), a IS DISTINCT FROM toInt64(1), (a + 1) IS NOT DISTINCT FROM (1) FROM air.flights LIMIT 1
SELECT DISTINCT a FROM air.flights LIMIT 1
SELECT * FROM (SELECT 1, 2) AS t (a, b)
SELECT t.a FROM (VALUES (1, 'x'), (2, 'y')) AS t (a, b) WHERE a > 1
SELECT g.y FROM (SELECT 1) AS f (x) JOIN (SELECT 1) AS g (y) ON f.x = g.y
SELECT $$it's \n$$, $x$ $$ $x$
SELECT 1 # a comment with file('/etc/passwd')
SELECT count() FROM air.flights SETTINGS additional_table_filters = {'air.flights' : ' a > 60 '}
SELECT count() FROM flights AS f SETTINGS additional_table_filters = {'flights': 'b IN (\'1\', \'2\')', 'f': 'a IN (SELECT a FROM air.flights WHERE a < 9)'}
SELECT a FROM air.flights LIMIT 9 SETTINGS additional_result_filter = 'a < 3'
SELECT 1 SETTINGS enable_analyzer = 1, short_circuit_function_evaluation = 'disable', date_time_overflow_behavior = 'throw'
SELECT 1 SETTINGS allow_experimental_correlated_subqueries = 1, function_json_value_return_type_allow_nullable = 1
SELECT 1 SETTINGS max_bytes_before_external_group_by = 10000000, max_recursive_cte_evaluation_depth = 100
SELECT table, sum(rows), sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'air' GROUP BY table
SELECT parts.rows, p.bytes FROM system.parts, system.parts AS p JOIN system.parts q USING (name) WHERE p.table = 'flights' LIMIT 1
SELECT * FROM system.parts WHERE database = 'air' AND table IN (SELECT table FROM system . "parts" GROUP BY table)
DESCRIBE system.parts
SELECT name, engine, comment FROM system.databases
SELECT system.tables.name, count() FROM system.tables WHERE database = 'air' GROUP BY system.tables.name
SELECT t.name, d.name FROM system.tables AS t JOIN system.databases d ON t.database = d.name
SELECT t.name, d.name FROM system.tables t JOIN system.databases AS `d` ON system.tables.database = system.databases.name WHERE `system`.tables.name IN (SELECT system.tables.name FROM system.tables WHERE system.tables.database = 'air') AND system.databases.name = 'air'
SELECT system.tables.name FROM system.tables AS a WHERE system.tables.database = 'air' UNION ALL SELECT system.tables.name FROM system.tables AS b
SHOW COLUMNS FROM system.tables
SHOW TABLES FROM air WHERE name IN (SELECT name FROM system.tables)
SHOW TABLES FROM air WHERE name != '' AND (SELECT count(*) FROM air.flights) >= 0
DESCRIBE system.databases
SELECT count() FROM system.dictionaries
