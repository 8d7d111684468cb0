import type { Event, WireSchema, WireStream } from './oracle.ts'

const start_us = 1_700_000_000_000_000
let posted = 0
/** Another event at each call. */
export const next = (): Event => eventAt(posted++)

function eventAt(i: number): Event {
  const [who, what] = [`w${i % 17}`, `t${i % 5}:${i % 3}`]
  return {
    _pk: start_us + i * 100_000,
    who,
    what,
    where: `p${i % 3}`,
    n: (i * 7) % 101,
    x: ((i * 13) % 97) / 8,
    m: i % 9,
  }
}

/** The events among all that `next` ever made that bear these times: as they were sent, whatever came back. */
export const sentAt = (times: ReadonlySet<number>): Event[] =>
  Array.from({ length: posted }, (_, i) => eventAt(i)).filter(({ _pk }) => times.has(_pk))

/** As in the tour: six statistics, three group-bys, four entities, a relation, a filter. */
const input: WireStream = {
  name: 's',
  type: 1,
  swsz: 0,
  attr: [
    { name: 'who', type: 5, stat: 'UCOUNT' },
    { name: 'what', type: 5, stat: 'COUNT' },
    { name: 'where', type: 5, stat: ['UCOUNT', 'LAST', 'FIRST', 'TOPK'], k: 2, gran: 300 },
    { name: 'n', type: 9, stat: 'RSTAT' },
    { name: 'x', type: 11, stat: ['RSTAT', 'QUANTILES', 'LAST'], gran: 300 },
    { name: 'm', type: 9, stat: 'COUNT' },
  ],
  gpby: [
    { gpat: ['where'], iatr: 'n', stat: 'RSTAT' },
    { gpat: ['who', 'what'], iatr: 'x', stat: ['RSTAT', 'QUANTILES'], gran: 300 },
    { gpat: ['what'], iatr: 'who', stat: ['UCOUNT', 'TOPK'], k: 20, gran: 300 },
  ],
  enty: [
    {
      name: 'a',
      opid: 3,
      // Hops are kept for half a day from the arrival of their events, longer than any test takes.
      window: [21_600, 86_400],
      ratr: ['n'],
      iatr: ['n'],
      pkatr: [{ name: 'id', type: 5, iatr: ['who'] }],
      rstm: 'people',
    },
    { name: 'b', opid: 1, ratr: ['m'], iatr: ['m'], pkatr: [{ name: 'id', type: 5, iatr: ['who'] }], rstm: 'people' },
    {
      name: 'c',
      opid: 2,
      ratr: ['who'],
      iatr: ['who'],
      pkatr: [{ name: 'id', type: 5, iatr: ['what'] }],
      rstm: 'things',
    },
    {
      name: 'd',
      opid: [3, 4, 5, 7],
      ratr: ['x'],
      iatr: ['x'],
      pkatr: [{ name: 'id', type: 5, iatr: ['where', 'what'] }],
      rstm: 'places',
    },
  ],
  rels: [{ sub: 'who', obj: 'what', rel: 'TOOK', rel_props: ['n'] }],
  fltr: [
    {
      name: 'f',
      fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":50}]}', type: 1 },
      fatr: ['who', 'n'],
      ostm: 'large',
    },
  ],
}
const large: WireStream = {
  name: 'large',
  type: 2,
  inpt: ['s'],
  swsz: 0,
  attr: [{ name: 'n', type: 9, stat: 'RSTAT' }],
  gpby: [{ gpat: ['who'], iatr: 'n', stat: 'COUNT' }],
}
const targets: WireStream[] = ['people', 'things', 'places'].map((name) => ({ name, type: 4, inpt: ['s'], attr: [] }))
export const whole = (schema: string): WireSchema => ({ schema, streams: [input, large, ...targets] })
export const bare = (schema: string): WireSchema => ({
  schema,
  streams: [{ name: 's', type: 1, swsz: 0, attr: input.attr.map(({ name, type }) => ({ name, type })) }],
})
