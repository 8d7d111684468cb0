import test from 'ava'
import { earlyBoundsIn, refuseEarlyBounds, refuseSmallTimes, smallTimesIn } from '../../../sql/query/compared.ts'
import { parse, parseWhere } from '../../../sql/query/index.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'

const sentences = (condition: string) => {
  const statement = parse(`select * from s.st where ${condition}`)
  return statement.kind === 'rows' && statement.where
    ? smallTimesIn(statement.where).map(({ sentence }) => sentence)
    : []
}

for (const [condition, told] of [
  ['st >= 1795659120000', [/^st is .*; 1795659120000 looks like milliseconds: write 1795659120000000, or/]],
  ['et <= 1795659120', [/^et is .*looks like seconds: write 1795659120000000, or/]],
  ['n = 1 and (_pk > 1795659120000 or a = 2)', [/^_pk is .*milliseconds/]],
  ['st >= 1795659120000000', []],
  ['st >= 0 and et <= 9223372036854775807', []],
  ['st >= "2026-11-01"', []],
  ['amount >= 1795659120000', []],
] as const) {
  test(`times of ${condition} are ${told.length === 0 ? 'those that it means' : 'told to be in another unit'}`, (t) => {
    const found = sentences(condition)
    t.is(found.length, told.length)
    for (const [i, pattern] of told.entries()) t.regex(found[i] ?? '', pattern)
  })
}

for (const [condition, told] of [
  ['st >= 1795659120000', [/^st is .*looks like milliseconds: write 1795659120000000/]],
  ['n = 1 and (et <= 1795659120 or a = 2)', [/^et is .*looks like seconds/]],
  ['st >= 2 and et <= 99999999999999', [/^st is in microseconds .* got 2$/, /^et is/]],
  ['st >= 0 and et <= 1', []],
  ['st >= 100000000000000 and et <= "2026-11-01"', []],
  ['st >= "1971-01-01T00:00:00Z"', [/^st: "1971-01-01T00:00:00Z" is before 1973-03-03T09:46:40Z/]],
  ['et < "1969-12-31" or et < "1973-03-03T09:46:39.999999Z"', [/^et: "1969/, /^et: "1973/]],
  ['st >= "1970-01-01" and et <= "1973-03-03T09:46:40Z"', []],
  ['st >= "soon"', []],
  ['_pk > 20', []],
] as const) {
  test(`bounds of ${condition} are ${told.length === 0 ? 'taken' : 'refused'}`, (t) => {
    const statement = parse(`select * from s.st where ${condition}`)
    const found = statement.kind === 'rows' && statement.where ? earlyBoundsIn(statement.where, () => false) : []
    t.is(found.length, told.length)
    for (const [i, pattern] of told.entries()) t.regex(found[i]?.sentence ?? '', pattern)
  })
}

test('an attribute called st is no bound of events, but one of intervals; an entity has no bounds', (t) => {
  const { streams } = decodeSchema({
    schema: 's',
    streams: [
      { name: 'named', type: 1, attr: [{ name: 'st', type: 9, stat: 'COUNT' }] },
      {
        name: 'plain',
        type: 1,
        attr: [{ name: 'a', type: 9 }],
        enty: [
          { name: 'e', rstm: 'own', opid: 1, iatr: ['a'], ratr: ['a'], pkatr: [{ name: 'et', type: 9, iatr: ['a'] }] },
        ],
      },
      { name: 'own', type: 4, inpt: ['plain'], attr: [] },
    ],
  })
  const [named, plain, own] = streams
  if (!named || !plain || !own) throw new Error('a stream is missing')
  for (const refuse of [refuseEarlyBounds, refuseSmallTimes]) {
    t.notThrows(() => refuse(named, parseWhere('st >= 1795659120 and et <= "2026-11-01"')))
    t.throws(() => refuse(named, parseWhere('ST >= 1795659120')), { message: /^ST is in microseconds/ })
    t.throws(() => refuse(plain, parseWhere('st >= 5')), { message: /got 5$/ })
    t.notThrows(() => refuse(own, parseWhere('et >= 1795659120')))
  }
  t.throws(() => refuseEarlyBounds(named, parseWhere('st >= 5'), 'intervals'), { message: /got 5$/ })
  t.throws(() => refuseSmallTimes(named, parseWhere('_pk >= 1795659120')), { message: /^_pk is in microseconds/ })
  t.notThrows(() => refuseEarlyBounds(named, parseWhere('_pk >= 1795659120')))
})
