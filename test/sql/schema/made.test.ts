import test from 'ava'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { takersOf } from '../../../sql/schema/made.ts'

const attr = [
  { name: 'k', type: 5 },
  { name: 'n', type: 9, stat: 3 },
]
const passing = (val: unknown, qtype = 1) => ({ name: { query: [{ key: 'n', cmp_op: 0, val }], qtype } })
const to = (ostm: string, more: object = {}) => ({ name: `to_${ostm}`, ostm, fqry: passing(1), ...more })
const jqry = { cond: ['k'], args: ['k'] }
const row = { iatr: ['n'], ratr: ['n'], jqry, ostm: 'rows' }
const computed = { name: 'c', type: 9, opnm: 'ADD', iatr: ['n', 1] }
const entity = { opid: 1, ratr: ['seen'], iatr: ['n'], pkatr: [{ name: 'k' }], rstm: 'keys' }

/** `posted` feeds `first`, and that `second`. */
const chain = (posted: object, first: object, second: object, ...others: object[]) => ({
  schema: 's',
  streams: [
    { name: 'posted', type: 1, attr, fltr: [to('first')], ...posted },
    { name: 'first', type: 2, attr, fltr: [to('second')], ...first },
    { name: 'second', type: 2, attr, ...second },
    ...others,
  ],
})
const rows = { name: 'rows', type: 3 }
const keys = { name: 'keys', type: 4 }
const other = (more: object) => ({ name: 'other', type: 1, attr, ...more })
const refr = (rstm: string, ratr = 'n') => ({ refr: [{ name: 'r', iatr: ['got'], rstm, ratr: [ratr], jqry }] })

for (const [what, body, made] of [
  ['plain filters alone', chain({}, {}, {}), []],
  ['computed attributes of a derived stream', chain({}, {}, { catr: [computed] }), ['first', 'second']],
  ['a reference of a derived stream', chain({}, refr('posted'), {}), ['first']],
  ['a filter with computed attributes', chain({ fltr: [to('first', { catr: [computed] })] }, {}, {}), ['first']],
  [
    'a filter over a moving time',
    chain({ fltr: [to('first', { fqry: passing('avg(posted.n, m_5)', 3) })] }, {}, {}),
    ['first'],
  ],
  [
    'a filter over the moving time of another',
    chain({}, {}, {}, other({ fltr: [{ fqry: passing('sum(second.n, h_1)', 3), notf: 1 }] })),
    ['first', 'second'],
  ],
  ['a reference to a derived stream', chain({}, {}, {}, other(refr('first'))), ['first']],
  [
    'a reference to the entity of a derived stream',
    chain({}, { enty: [entity] }, {}, keys, other(refr('keys', 'seen.cnt'))),
    ['first'],
  ],
  ['an entity that nobody reads', chain({}, { enty: [entity] }, {}, keys), []],
  [
    'a pattern whose partner is derived',
    chain({}, {}, {}, other({ cepq: [{ name: 'p', type: 1, rstm: 'second', ...row }] }), rows),
    ['first', 'rows', 'second'],
  ],
  [
    'a pattern over a posted stream',
    chain({ cepq: [{ name: 'p', type: 1, rstm: 'posted', ...row }] }, {}, {}, rows),
    ['rows'],
  ],
  [
    'a filter out of rows',
    chain(
      {},
      {},
      {},
      other({ cepq: [{ name: 'p', type: 6, iatr: ['n'], fqry: passing(1), ostm: 'rows' }] }),
      { ...rows, fltr: [to('out')] },
      { name: 'out', type: 2 },
    ),
    ['rows'],
  ],
] as const) {
  test(`made by the rules, with ${what}: ${made.join(', ') || 'none'}`, (t) => {
    const streams = decodeSchema(body).streams.filter(({ isMade }) => isMade)
    t.deepEqual(streams.map(({ name }) => name).toSorted(), [...made])
  })
}

for (const [what, body, takers] of [
  ['copies alone', chain({}, {}, {}), []],
  [
    'rows of a pattern over a copy',
    chain({}, { cepq: [{ name: 'p', type: 1, rstm: 'first', ...row }] }, {}, rows),
    ['rows'],
  ],
  ['a reference to the events before', chain(refr('posted'), {}, {}), ['posted', 'first', 'second']],
  ['a reference of a copy to its source', chain({}, refr('posted'), {}), ['first', 'second']],
  ['a reference to a copy', chain({}, {}, {}, other(refr('second'))), ['other']],
  [
    'a reference to an entity of a copy',
    chain({}, { enty: [entity] }, {}, keys, other(refr('keys', 'seen.cnt'))),
    ['other'],
  ],
  [
    'a pattern whose partner is a copy',
    chain({}, {}, {}, other({ cepq: [{ name: 'p', type: 1, rstm: 'second', ...row }] }), rows),
    ['rows'],
  ],
] as const) {
  test(`streams that have values of a stream's events, without copies of them: ${what}`, (t) => {
    const schema = decodeSchema(body)
    const [posted] = schema.streams
    t.deepEqual(posted && takersOf(schema, posted).map(({ name }) => name), [...takers])
  })
}
