/** Which schemas a question names, as `weir plan --prune` needs to know it. */
import test from 'ava'
import { asksOf } from '../../../clients/node/cli/project/asks.ts'

const naming = [
  'SELECT n FROM s.e',
  'select count(*) from s.e',
  'SELECT s.e.n FROM x.y, s.e',
  'SELECT n FROM(s.e)',
  'SELECT n FROM `s`.`e`',
  'SELECT n FROM "s"."e"',
  'SELECT n FROM `s`.e',
  'SELECT n FROM s . e',
  'SELECT n FROM s /* the one */ . -- here\n e',
  'SELECT n FROM "s".e_by_60s',
  "SELECT 'it''s', '\\'', 'a\\\\' FROM s.e",
  'SELECT $$ a $$, $x$ b $$ $x$ FROM s.e',
  '/* a */ SELECT 1 -- b\nFROM s.e',
  '# a\nSELECT 1 FROM s.e',
  'SELECT `a``b` FROM s.e',
  'SELECT `ö`, ö FROM s.e',
]
const others = [
  'SELECT n FROM t.e',
  'SELECT n FROM ss.e',
  'SELECT n FROM s_.e',
  'SELECT n FROM _s.e',
  'SELECT n FROM $s.e',
  'SELECT n FROM ös.e',
  'SELECT n FROM x.s.e',
  'SELECT n FROM x . s . e',
  'SELECT s FROM x.e',
  'SELECT n AS s FROM x.e',
  'SELECT n FROM x.e -- as s.e has it',
  'SELECT n FROM x.e # as s.e has it',
  'SELECT n FROM x.e /* s.e */',
  'SELECT n FROM x.e /* s.e',
  "SELECT 's.e' FROM x.e",
  "SELECT 'it''s', '\\' s.e', 's.e\\\\' FROM x.e",
  "SELECT 's.e",
  'SELECT $$ s.e $$, $x$ $$ s.e $x$ FROM x.e',
  'SELECT $$ s.e',
  'SELECT "s.e" FROM x.e',
  'SELECT `s.e`, `a``s`.e FROM x.e',
  'SELECT S.e FROM x.e',
]
for (const sql of naming) test(`${JSON.stringify(sql)} asks of schema s`, (t) => t.true(asksOf({ sql }, 's')))
for (const sql of others) test(`${JSON.stringify(sql)} does not ask of schema s`, (t) => t.false(asksOf({ sql }, 's')))

test('in Weir’s language both quotes make a text, and a database says where the names are', (t) => {
  t.false(asksOf({ sql: 'select * from x.e where a = "s".e', language: 'weir' }, 's'))
  t.true(asksOf({ sql: 'select * from s.e where a = "b"', language: 'weir' }, 's'))
  t.true(asksOf({ sql: 'SELECT n FROM e', db: 's' }, 's'))
  t.false(asksOf({ sql: 'SELECT n FROM e', db: 'x' }, 's'))
})

for (const part of ['/*', "'", '`', '"', '\\', '$a$', '$', '``', '-', '#!', 's', 's ', '.', "'\\", 'ö'])
  test(`a megabyte of ${JSON.stringify(part)} is read once`, (t) => {
    const began = process.cpuUsage()
    for (const language of ['sql', 'weir']) asksOf({ sql: part.repeat(1_000_000 / part.length), language }, 's')
    const { user, system } = process.cpuUsage(began)
    t.true(user + system < 10_000_000, `${user + system} us`)
  })
