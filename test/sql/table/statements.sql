-- select * from airports
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 ORDER BY _index, _text, _number, _pk, _seq LIMIT 11 SETTINGS max_threads = 1, max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- select * from airports where _pk >= "k:D" and _pk like "k:*"
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 AND (_pk >= 'k:D' AND startsWith(_pk, 'k:')) ORDER BY _index, _text, _number, _pk, _seq LIMIT 11 SETTINGS max_threads = 1, max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- select * from airports where state = "TX" and runways > 2
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE ((_index = 4 AND _text = 'TX' AND _number = 0)) AND ((JSONType(doc, 'state') = 'String' AND JSONExtractString(doc, 'state') = 'TX') AND multiIf(JSONType(doc, 'runways') = 'Int64', JSONExtractInt(doc, 'runways') > 2, JSONType(doc, 'runways') = 'UInt64', JSONExtractUInt(doc, 'runways') > 2, JSONType(doc, 'runways') = 'Double', JSONExtractFloat(doc, 'runways') > toFloat64('2'), false)) ORDER BY _index, _text, _number, _pk, _seq LIMIT 11 SETTINGS max_threads = 1, max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- select * from airports where state = "TX" or state = "CA"
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE ((_index = 4 AND _text = 'TX' AND _number = 0) OR (_index = 4 AND _text = 'CA' AND _number = 0)) AND ((JSONType(doc, 'state') = 'String' AND JSONExtractString(doc, 'state') = 'TX') OR (JSONType(doc, 'state') = 'String' AND JSONExtractString(doc, 'state') = 'CA')) ORDER BY _pk, _seq LIMIT 11 SETTINGS max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- select * from airports where at.lat >= 30 and at.lat < 40.5
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE ((_index = 13 AND _text = '' AND _number >= toFloat64('30')) AND (_index = 13 AND _text = '' AND _number <= toFloat64('40.5'))) AND (multiIf(JSONType(doc, 'at', 'lat') = 'Int64', JSONExtractInt(doc, 'at', 'lat') >= 30, JSONType(doc, 'at', 'lat') = 'UInt64', JSONExtractUInt(doc, 'at', 'lat') >= 30, JSONType(doc, 'at', 'lat') = 'Double', JSONExtractFloat(doc, 'at', 'lat') >= toFloat64('30'), false) AND multiIf(JSONType(doc, 'at', 'lat') = 'Int64', JSONExtractInt(doc, 'at', 'lat') < toFloat64('40.5'), JSONType(doc, 'at', 'lat') = 'UInt64', JSONExtractUInt(doc, 'at', 'lat') < toFloat64('40.5'), JSONType(doc, 'at', 'lat') = 'Double', JSONExtractFloat(doc, 'at', 'lat') < toFloat64('40.5'), false)) ORDER BY _pk, _seq LIMIT 11 SETTINGS max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- select * from airports where city = "Reno"
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 AND (JSONType(doc, 'city') = 'String' AND JSONExtractString(doc, 'city') = 'Reno') ORDER BY _index, _text, _number, _pk, _seq LIMIT 11 SETTINGS max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- select * from airports where name = "dallas, FORT"
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 AND _pk IN (SELECT _pk
FROM `weir_records`.`geo__airports__1700000000000000` WHERE _index = 0 AND hasAllTokens(if(_index = 0, lowerUTF8(replaceRegexpAll(doc, '\\\\(u[0-9a-f]{4}|.)', ' ')), ''), ['dallas', 'fort'])) AND hasAllTokens(lowerUTF8(JSONExtractString(doc, 'name')), ['dallas', 'fort']) ORDER BY _index, _text, _number, _pk, _seq LIMIT 11 SETTINGS max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- select count(*) from airports where state = "TX" and name = "dallas"
SELECT count() AS count
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE ((_index = 4 AND _text = 'TX' AND _number = 0)) AND _pk IN (SELECT _pk
FROM `weir_records`.`geo__airports__1700000000000000` WHERE _index = 0 AND (hasAllTokens(if(_index = 0, lowerUTF8(replaceRegexpAll(doc, '\\\\(u[0-9a-f]{4}|.)', ' ')), ''), ['dallas']))) AND ((JSONType(doc, 'state') = 'String' AND JSONExtractString(doc, 'state') = 'TX') AND hasAllTokens(lowerUTF8(JSONExtractString(doc, 'name')), ['dallas']))

-- select * from airports where _pk = "k:DFW" and state = "TX"
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 AND (_pk = 'k:DFW' AND (JSONType(doc, 'state') = 'String' AND JSONExtractString(doc, 'state') = 'TX')) ORDER BY _index, _text, _number, _pk, _seq LIMIT 11 SETTINGS max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- delete from airports where state = "TX"
INSERT INTO `weir_records`.`geo__airports__1700000000000000` (_index, _text, _number, _pk, _seq, doc, _v, _version, _deleted) SELECT entry.1, entry.2, entry.3, _pk, _seq, '', _v, 1700000000000002, 1
FROM (SELECT _pk, _seq, _v, doc
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE (_index = 4 AND _text = 'TX' AND _number = 0) AND (JSONType(doc, 'state') = 'String' AND JSONExtractString(doc, 'state') = 'TX')) ARRAY JOIN arrayConcat([(toUInt32(0), '', 0.)], arrayConcat(CAST([], 'Array(Tuple(UInt32, String, Float64))'), multiIf(JSONType(doc, 'state') = 'String', CAST([tuple(4, substringUTF8(JSONExtractString(doc, 'state'), 1, 64), 0.)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'state') IN ('Int64', 'UInt64', 'Double'), CAST([tuple(5, '', JSONExtractFloat(doc, 'state') + 0)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'state') = 'Bool', CAST([tuple(6, '', toFloat64(JSONExtractBool(doc, 'state')))], 'Array(Tuple(UInt32, String, Float64))'), CAST([], 'Array(Tuple(UInt32, String, Float64))')), multiIf(JSONType(doc, 'at', 'lat') = 'String', CAST([tuple(12, substringUTF8(JSONExtractString(doc, 'at', 'lat'), 1, 64), 0.)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'at', 'lat') IN ('Int64', 'UInt64', 'Double'), CAST([tuple(13, '', JSONExtractFloat(doc, 'at', 'lat') + 0)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'at', 'lat') = 'Bool', CAST([tuple(14, '', toFloat64(JSONExtractBool(doc, 'at', 'lat')))], 'Array(Tuple(UInt32, String, Float64))'), CAST([], 'Array(Tuple(UInt32, String, Float64))')), multiIf(JSONType(doc, 'city') = 'String', CAST([tuple(16, substringUTF8(JSONExtractString(doc, 'city'), 1, 64), 0.)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'city') IN ('Int64', 'UInt64', 'Double'), CAST([tuple(17, '', JSONExtractFloat(doc, 'city') + 0)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'city') = 'Bool', CAST([tuple(18, '', toFloat64(JSONExtractBool(doc, 'city')))], 'Array(Tuple(UInt32, String, Float64))'), CAST([], 'Array(Tuple(UInt32, String, Float64))')))) AS entry SETTINGS max_insert_threads = 1

-- update airports set val = {"state":"CA","at":{"lat":1.5}} where _pk = "k:DFW"
INSERT INTO `weir_records`.`geo__airports__1700000000000000` (_index, _text, _number, _pk, _seq, doc, _v, _version, _deleted) SELECT row.1, row.2, row.3, _pk, _seq, if(row.4 = 0, '{"state":"CA","at":{"lat":1.5}}', '') , _v + 1, 1700000000000002, row.4
FROM (SELECT _pk, _seq, _v, doc
FROM `weir_records`.`geo__airports__1700000000000000` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 AND _pk = 'k:DFW') ARRAY JOIN arrayConcat([(toUInt32(0), '', 0., 0)], arrayMap(entry -> (entry.1, entry.2, entry.3, 0), CAST([(4, 'CA', toFloat64('0')), (13, '', toFloat64('1.5'))], 'Array(Tuple(UInt32, String, Float64))')), arrayMap(entry -> (entry.1, entry.2, entry.3, 1), arrayFilter(entry -> NOT has(CAST([(4, 'CA', toFloat64('0')), (13, '', toFloat64('1.5'))], 'Array(Tuple(UInt32, String, Float64))'), entry), arrayConcat(CAST([], 'Array(Tuple(UInt32, String, Float64))'), multiIf(JSONType(doc, 'state') = 'String', CAST([tuple(4, substringUTF8(JSONExtractString(doc, 'state'), 1, 64), 0.)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'state') IN ('Int64', 'UInt64', 'Double'), CAST([tuple(5, '', JSONExtractFloat(doc, 'state') + 0)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'state') = 'Bool', CAST([tuple(6, '', toFloat64(JSONExtractBool(doc, 'state')))], 'Array(Tuple(UInt32, String, Float64))'), CAST([], 'Array(Tuple(UInt32, String, Float64))')), multiIf(JSONType(doc, 'at', 'lat') = 'String', CAST([tuple(12, substringUTF8(JSONExtractString(doc, 'at', 'lat'), 1, 64), 0.)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'at', 'lat') IN ('Int64', 'UInt64', 'Double'), CAST([tuple(13, '', JSONExtractFloat(doc, 'at', 'lat') + 0)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'at', 'lat') = 'Bool', CAST([tuple(14, '', toFloat64(JSONExtractBool(doc, 'at', 'lat')))], 'Array(Tuple(UInt32, String, Float64))'), CAST([], 'Array(Tuple(UInt32, String, Float64))')), multiIf(JSONType(doc, 'city') = 'String', CAST([tuple(16, substringUTF8(JSONExtractString(doc, 'city'), 1, 64), 0.)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'city') IN ('Int64', 'UInt64', 'Double'), CAST([tuple(17, '', JSONExtractFloat(doc, 'city') + 0)], 'Array(Tuple(UInt32, String, Float64))'), JSONType(doc, 'city') = 'Bool', CAST([tuple(18, '', toFloat64(JSONExtractBool(doc, 'city')))], 'Array(Tuple(UInt32, String, Float64))'), CAST([], 'Array(Tuple(UInt32, String, Float64))')))))) AS row SETTINGS max_insert_threads = 1

-- select * from hits where doc > 5 and _pk < 100
SELECT toString(_pk) AS k, toString(_seq) AS s, toString(_v) AS n, doc AS d
FROM `weir_records`.`geo__hits__1700000000000001` FINAL WHERE _index = 0 AND _text = '' AND _number = 0 AND (toInt64(doc) > 5 AND _pk < 100) ORDER BY _index, _text, _number, _pk, _seq LIMIT 11 SETTINGS max_block_size = 1024, max_result_bytes = 4194304, result_overflow_mode = 'break'

-- delete from hits
INSERT INTO `weir_records`.`geo__hits__1700000000000001` (_index, _text, _number, _pk, _seq, doc, _v, _version, _deleted) SELECT entry.1, entry.2, entry.3, _pk, _seq, '', _v, 1700000000000002, 1
FROM (SELECT _pk, _seq, _v, doc
FROM `weir_records`.`geo__hits__1700000000000001` FINAL WHERE _index = 0 AND _text = '' AND _number = 0) ARRAY JOIN arrayConcat([(toUInt32(0), '', 0.)], arrayConcat(CAST([], 'Array(Tuple(UInt32, String, Float64))'))) AS entry SETTINGS max_insert_threads = 1
