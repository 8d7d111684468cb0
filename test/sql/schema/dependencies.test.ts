import test from 'ava'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { dependenciesOf } from '../../../sql/schema/dependencies.ts'

const attr = ['a', 'b'].map((name) => ({ name, type: 5 }))
const filter = (name: string, ostm: string) => {
  const query = '{"query":[{"key":"a","cmp_op":4,"val":"x"}],"qtype":1}'
  return { name, fqry: { name: query, type: 1 }, fatr: ['a', 'b'], ostm }
}
const entity = (name: string, ratr: string) => ({
  name,
  opid: 1,
  ratr: [ratr],
  iatr: ['b'],
  pkatr: [{ name: 'key', type: 5, opid: 1, iatr: ['a'] }],
  rstm: 'people',
})

test('a stream has for parents those that feed it by filters and entities, each once', (t) => {
  const schema = decodeSchema({
    schema: 's',
    streams: [
      { name: 'people', type: 4, inpt: ['source'], attr: [] },
      { name: 'alone', type: 1, inpt: [], attr },
      {
        name: 'source',
        type: 1,
        inpt: [],
        attr,
        fltr: [filter('f', 'some'), filter('g', 'others')],
        enty: [entity('e1', 'n1'), entity('e2', 'n2')],
      },
      { name: 'some', type: 2, inpt: ['source'], attr, enty: [entity('e3', 'n3')] },
      { name: 'others', type: 2, inpt: ['source'], attr },
    ],
  })
  t.deepEqual(
    [...dependenciesOf(schema)],
    [
      ['people', { parents: ['source', 'some'], children: [] }],
      ['alone', { parents: [], children: [] }],
      ['source', { parents: [], children: ['some', 'others', 'people'] }],
      ['some', { parents: ['source'], children: ['people'] }],
      ['others', { parents: ['source'], children: [] }],
    ],
  )
})

test('streams that rules look at, and those that get their rows, hang together', (t) => {
  const jqry = { cond: ['a'], args: ['a'] }
  const numbers = [
    { name: 'a', type: 5 },
    { name: 'n', type: 9, stat: 3 },
  ]
  const join = (rstm: string, type: number) => ({ name: 'j', type, iatr: ['a'], rstm, ratr: ['a'], jqry, ostm: 'rows' })
  const moving = { name: { query: [{ key: 'n', cmp_op: 0, val: 'avg(looked.n, m_5)' }], qtype: 3 } }
  const schema = decodeSchema({
    schema: 's',
    streams: [
      { name: 'left', type: 1, attr: numbers, join: [join('right', 2)], fltr: [{ fqry: moving, ostm: 'some' }] },
      {
        name: 'right',
        type: 1,
        attr: numbers,
        join: [join('left', 4)],
        refr: ['right', 'rows', 'mydb.t'].map((rstm, at) => ({
          name: `r${at}`,
          iatr: [`b${at}`],
          rstm,
          ratr: ['a'],
          jqry,
        })),
      },
      { name: 'looked', type: 1, attr: numbers },
      { name: 'some', type: 2 },
      { name: 'rows', type: 3 },
    ],
  })
  t.deepEqual(
    [...dependenciesOf(schema)],
    [
      ['left', { parents: ['looked'], children: ['some', 'rows'] }],
      ['right', { parents: ['rows'], children: ['rows'] }],
      ['looked', { parents: [], children: ['left'] }],
      ['some', { parents: ['left'], children: [] }],
      ['rows', { parents: ['left', 'right'], children: ['right'] }],
    ],
  )
})
