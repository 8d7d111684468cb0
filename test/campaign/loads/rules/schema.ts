/** The kinds of rules with memory, over two streams of events and the streams that rules make. */

import { alone, silent } from './silence.ts'
import { visited, visits } from './visits.ts'

const sameKey = { cond: ['k'], args: ['k'] }
const rising = (more: object = {}) => ({ cond: ['k', 'v'], args: ['k', 'v'], cmp: ['EQ', 'LT'], ...more })
const numt = (val: number) => ({ name: 'NUMT', val })
const compare = (key: string, cmp_op: string, val: unknown) => ({ key, cmp_op, val })
const where = (qtype: number, ...query: object[]) => ({ type: 1, name: { query, qtype } })

const join = (name: string, type: number, rstm: string, jqry: object, more: object = {}) => ({
  name,
  type,
  iatr: ['id', 'k', 'v'],
  rstm,
  ratr: ['id', 'c'],
  jqry,
  ostm: `${name}s`,
  ...more,
})
const run = (name: string, jqry: object, more: object = {}) => ({
  name,
  type: 1,
  iatr: ['id', 'k'],
  rstm: 'a',
  ratr: ['id'],
  jqry,
  ostm: `${name}s`,
  ...more,
})
/** Both sides have the same attributes, so a definition is its own mirror but for its type and partner. */
const both = (name: string, types: readonly [number, number], jqry: object, more: object = {}) => ({
  a: { ...join(name, types[0], 'b', jqry, more), iatr: ['id', 'k', 'v'], ratr: ['id', 'c'] },
  b: { ...join(name, types[1], 'a', jqry, more), iatr: ['id', 'c'], ratr: ['id', 'k', 'v'] },
})

const pair = both('pair', [1, 1], sameKey)
const latest = both('latest', [2, 4], { cond: ['c'], args: ['c'] })
const matching = both('matching', [3, 5], rising(), { tloc: 3 })
const counted = both('counted', [3, 5], sameKey, { cond: [numt(2)] })

/** The pattern that events of one epoch alone meet: each edit of the schema puts another one in its place. */
const ofEpoch = (name: string, epoch: number) =>
  run(name, sameKey, { fqry: where(1, compare('e', 'EQ', epoch)), cond: [numt(2)], ostm: 'epochs' })

/** A window by key. A clock that is set ahead by hours is within it, and over some of its hops, each a sixtieth of it. */
const day_s = 86_400
export const [window_us, hop_us] = [day_s * 1e6, (day_s / 60) * 1e6]

/** Parts that no rule has anything to do with, and that edits take away and give back. */
export type Extra = { readonly isCounted: boolean; readonly isFiltered: boolean; readonly hasOther: boolean }

/** A stream with rules of its own, before all others: what those remember stays as it is while it comes and goes. */
const other = [
  {
    name: 'other',
    type: 1,
    swsz: 0,
    attr: [
      { name: 'id', type: 9 },
      { name: 'c', type: 5 },
    ],
    cepq: [{ ...run('again', { cond: ['c'], args: ['c'] }), iatr: ['id'], rstm: 'other', ostm: 'agains' }],
  },
  { name: 'agains', type: 3, swsz: 0, inpt: ['other'], attr: [] },
]

export const madeStreams = [
  'pairs',
  'latests',
  'matchings',
  'counteds',
  'risings',
  'nexts',
  'keyeds',
  'epochs',
  'tops',
  'aboves',
  'chains',
] as const
/** Streams that filters fill. */
const filled: ReadonlySet<string> = new Set(['tops', 'aboves'])
/** Stream of the matches of a single event, which goes OFF and ON. */
export const switched = 'singles'

/** `epochs`: those whose pattern is there; the service has one at a time. */
export function rulesSchema(
  name: string,
  epochs: readonly number[],
  notifid: number,
  { isCounted, isFiltered, hasOther }: Extra,
) {
  const attr = [
    { name: 'id', type: 9 },
    { name: 'c', type: 5 },
    { name: 'k', type: 9 },
    { name: 'v', type: 9, stat: 3, gran: 60 },
    { name: 'e', type: 9, ...(isCounted ? { stat: 3 } : {}) },
  ]
  const [epoch = 0] = epochs
  const patterns = epochs.length === 1 ? [ofEpoch('epoch', epoch)] : epochs.map((one) => ofEpoch(`epoch${one}`, one))
  const copies = { name: 'large', fqry: where(1, compare('v', 'GT', 80)), fatr: ['id'], ostm: 'larges' }
  return {
    schema: name,
    streams: [
      ...(hasOther ? other : []),
      {
        name: 'a',
        type: 1,
        swsz: 0,
        attr,
        refr: [
          { name: 'before', iatr: ['before'], rstm: 'a', ratr: ['id'], jqry: sameKey },
          {
            name: 'total',
            iatr: ['seen', 'sum', 'seen_1d', 'sum_1d'],
            rstm: 'ks',
            ratr: ['v.cnt', 'v.sum', 'v.1d.cnt', 'v.1d.sum'],
            jqry: sameKey,
          },
        ],
        gpby: [visited],
        join: [pair.a, latest.a, matching.a],
        cepq: [
          counted.a,
          run('rising', rising(), { cond: [numt(2), { name: 'DUR', val: 600 }], tloc: 600, notf: notifid }),
          run('next', { cond: ['v'], args: ['v'], cmp: ['LT'], seq: 1 }),
          run('keyed', rising({ seq: 2 }), { fqry: where(1, compare('v', 'LT', 90)) }),
          { name: 'single', type: 6, fqry: where(1, compare('v', 'GT', 50)), iatr: ['id', 'v'], ostm: switched },
          ...patterns,
          alone,
        ],
        fltr: [
          {
            name: 'top',
            fqry: where(3, compare('v', 'GT', 'max(b.v, m_5, absless_7.5)')),
            fatr: ['id', 'v'],
            ostm: 'tops',
          },
          {
            name: 'above',
            fqry: where(3, compare('v', 'GT', 'avg(a.v by k, d_1)')),
            fatr: ['id', 'v'],
            ostm: 'aboves',
          },
          ...(isFiltered ? [copies] : []),
        ],
        enty: [
          {
            name: 'ofk',
            opid: 'RSTAT',
            window: [day_s],
            iatr: ['v'],
            ratr: ['v'],
            pkatr: [{ name: 'k', type: 9, iatr: ['k'] }],
            rstm: 'ks',
          },
        ],
      },
      {
        name: 'b',
        type: 1,
        swsz: 0,
        attr,
        refr: [{ name: 'last', iatr: ['last'], rstm: 'a', ratr: ['id'], jqry: { cond: ['c'], args: ['c'] } }],
        join: [pair.b, latest.b, matching.b],
        cepq: [counted.b],
      },
      {
        name: 'pairs',
        type: 3,
        swsz: 0,
        inpt: ['a', 'b'],
        attr: [{ name: 'k', type: 9, stat: 3 }],
        cepq: [
          {
            name: 'chain',
            type: 1,
            iatr: ['id'],
            rstm: 'pairs',
            ratr: ['id'],
            jqry: { cond: ['c'], args: ['c'] },
            ostm: 'chains',
          },
        ],
      },
      ...madeStreams
        .filter((stream) => stream !== 'pairs')
        .map((stream) => ({ name: stream, type: filled.has(stream) ? 2 : 3, swsz: 0, inpt: ['a'], attr: [] })),
      { name: switched, type: 3, swsz: 0, inpt: ['a'], attr: [] },
      { name: silent, type: 3, swsz: 0, inpt: ['a'], attr: [] },
      { name: visits, type: 3, swsz: 0, inpt: ['a'], attr: [] },
      {
        name: 'ks',
        type: 4,
        inpt: ['a'],
        attr: [
          { name: 'k', type: 9, pk: 1 },
          { name: 'v', type: 9 },
        ],
      },
      ...(isFiltered ? [{ name: 'larges', type: 2, swsz: 0, inpt: ['a'], attr: [] }] : []),
    ],
    notifs: [],
  }
}
