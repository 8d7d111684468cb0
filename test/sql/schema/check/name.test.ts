import test from 'ava'
import {
  checkAttributeName,
  checkLabel,
  checkName,
  checkSchemaName,
  checkStreamName,
} from '../../../../sql/schema/check/name.ts'

const long = 'a'.repeat(64)

test('a name is letters, digits and underscore, does not start with a digit, and has less than 64 bytes', (t) => {
  for (const good of ['a', 'A1', '_a', 'a__b', 'constructor', long.slice(1)]) t.is(checkName(good), undefined)
  t.is(checkName(''), 'must not be empty')
  t.is(checkName('a b'), "'a b' must be letters, digits and underscore")
  t.is(checkName('a\n'), "'a\\n' must be letters, digits and underscore")
  t.is(checkName('a.b'), "'a.b' must be letters, digits and underscore")
  t.is(checkName('é'), "'é' must be letters, digits and underscore")
  t.is(checkName('1a'), "'1a' must not start with a digit")
  t.is(checkName(long), `'${long}' must be shorter than 64 bytes`)
  t.is(checkName(`${long}!${long}`), `'${long.slice(0, 61)}...' must be letters, digits and underscore`)
})

test('an attribute may be the field of an OBJECT, and only _pk and _id start with an underscore', (t) => {
  for (const good of ['a', 'a.b', 'a.b_1.c', '_pk', '_id', 'a._b']) t.is(checkAttributeName(good), undefined)
  for (const bad of ['', '.', 'a.', '.a', 'a..b', 'a.1', '_v', '__proto__', 'a b.c', `a.${long}`]) {
    t.is(typeof checkAttributeName(bad), 'string', bad)
  }
})

test('a stream keeps clear of the tables and views that are derived from streams', (t) => {
  for (const good of ['visits', 'a_', '_a', 'by_60s', 'a_by_60', 'a_by_60s_']) t.is(checkStreamName(good), undefined)
  for (const bad of ['a__in', '__a', 'a_by_60s']) t.is(typeof checkStreamName(bad), 'string', bad)
})

test('a schema keeps clear of the databases of ClickHouse and of the service', (t) => {
  for (const good of ['shop', 'mydb', 'graphs']) t.is(checkSchemaName(good), undefined)
  for (const bad of ['system', 'SYSTEM', 'INFORMATION_SCHEMA', 'default', 'weir', 'graph']) {
    t.is(checkSchemaName(bad), `'${bad}' is reserved for a database of the service`)
  }
})

test('a label can be written in a graph query', (t) => {
  for (const good of ['VIEWS', 'has seen', 'größe', 'prod.name']) t.is(checkLabel(good), undefined)
  for (const bad of ['', 'a:b', 'a)', '*', 'a\n', long]) t.is(typeof checkLabel(bad), 'string', bad)
})
