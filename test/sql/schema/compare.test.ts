import { readFileSync } from 'node:fs'
import test from 'ava'
import { compareSchemas } from '../../../sql/schema/compare.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'

const text = readFileSync(new URL('rules-posted.json', import.meta.url), 'utf8')
const schema = decodeSchema(JSON.parse(text))
const hasMemory = ({ what }: { what: string }) =>
  ['reference', 'join', 'pattern', 'moving filter', 'node'].includes(what)

test('rules that an edit adds are told, each with where it begins, and are filled from nothing', (t) => {
  const bare = {
    ...schema,
    streams: schema.streams.map((stream) => ({ ...stream, references: [], rules: [], nodes: [], movingFilters: [] })),
  }
  const { added, filled } = compareSchemas(bare, schema)
  const detail = 'begins with the events that come after the edit'
  t.deepEqual(
    added.filter(({ stream, ...part }) => stream === 'temp' && hasMemory(part)),
    [
      { what: 'node', name: '(place:point) of temp', stream: 'temp' },
      ...['last', 'usual', 'place'].map((name) => ({
        what: 'reference',
        name: `temp.${name}`,
        stream: 'temp',
        detail,
      })),
      { what: 'moving filter', name: 'temp.sudden', stream: 'temp', detail },
      ...['both', 'warm'].map((name) => ({ what: 'join', name: `temp.${name}`, stream: 'temp', detail })),
      { what: 'pattern', name: 'temp.rising', stream: 'temp', detail },
    ],
  )
  t.deepEqual(
    filled.filter(hasMemory).map(({ what }) => what),
    ['node'],
  )
  const { dropped } = compareSchemas(schema, bare)
  t.is(dropped.filter(hasMemory).length, added.filter(hasMemory).length)
  t.true(dropped.every((part) => part.detail !== detail))
})

test('a rule that an edit changes is told as it was and as it is, in the words of the schema', (t) => {
  const edited = decodeSchema(
    JSON.parse(text.replace('"val": "3"', '"val": "5"').replace('"tloc": 1000', '"tloc": 1001')),
  )
  const { changed, added, dropped } = compareSchemas(schema, edited)
  t.deepEqual([added, dropped], [[], []])
  const [rule] = changed
  t.like(rule, { what: 'pattern', name: 'temp.rising' })
  t.regex(rule?.from ?? '', /"tloc":1000,.*\{"name":"NUMT","val":3\}/)
  t.regex(rule?.to ?? '', /"tloc":1001,.*\{"name":"NUMT","val":5\}/)
  t.is(changed.length, 1)
})

test('of a schema that is new each stream is told, and behind it all that is derived of its events', (t) => {
  const attr = [
    { name: 'price', type: 11, stat: 3, gran: 300 },
    { name: 'country', type: 5 },
  ]
  const gpby = [{ gpat: ['country'], iatr: 'price', stat: 1 }]
  const enty = [{ rstm: 'buyers', pkatr: [{ name: 'country' }], opid: 1, iatr: ['price'], ratr: ['n'] }]
  const fresh = decodeSchema({
    schema: 'new',
    streams: [
      { name: 'orders', type: 1, attr, gpby, enty, rels: [{ sub: 'country', rel: 'PAID', obj: 'price' }] },
      {
        name: 'buyers',
        type: 4,
        attr: [
          { name: 'country', type: 5, pk: 1 },
          { name: 'n', type: 9 },
        ],
      },
    ],
  })
  const { added, changed, filled, dropped } = compareSchemas({ ...fresh, streams: [] }, fresh)
  t.deepEqual(
    added.map(({ what, name, detail }) => [what, name, detail]),
    [
      ['stream', 'orders', 'input'],
      ['statistic', 'orders.price', 'RSTAT every 300 s'],
      ['group-by', 'aggr(price) from orders groupby country', 'COUNT every 60 s'],
      ['entity', 'buyers.n', 'COUNT of orders.price by country'],
      ['relation', '(country:country)-[PAID]->(price:price) of orders', undefined],
      ['stream', 'buyers', 'entity'],
    ],
  )
  t.deepEqual([changed, filled, dropped], [[], [], []])
})
