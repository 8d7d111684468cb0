import type { Event, Stat, WireSchema, WireStream } from '../streams/oracle.ts'

const start_us = 1_700_000_000_000_000
let posted = 0
export const nextEvent = (): Event => {
  const i = posted++
  return {
    _pk: start_us + i * 3_000_000,
    who: ['a', 'b:c', '', 'ü'][i % 4],
    n: (i * 7) % 23,
    x: (i % 11) / 4,
    late: `l${i % 5}`,
  }
}

const entity = (name: string, result: string, input: string, opid: Stat) => ({
  name,
  opid,
  ratr: [result],
  iatr: [input],
  pkatr: [{ name: 'id', type: 5, iatr: ['who', 'late'] }],
  rstm: 'people',
})

/** Every kind of aggregate: two granularities, groups, entities that two streams feed, triples that two streams bring. */
const attr = [
  { name: 'who', type: 5 },
  { name: 'n', type: 9, stat: 'RSTAT' },
  { name: 'x', type: 11, stat: ['RSTAT', 'QUANTILES', 'LAST'], gran: 300 },
  { name: 'late', type: 5, stat: ['UCOUNT', 'FIRST', 'TOPK'] },
]
const s: WireStream = {
  name: 's',
  type: 1,
  swsz: 0,
  attr,
  gpby: [
    { gpat: ['who'], iatr: 'n', stat: 'RSTAT' },
    { gpat: ['late', 'who'], iatr: 'x', stat: 'COUNT', gran: 300 },
  ],
  rels: [{ sub: 'who', obj: 'late', rel: 'CAME' }],
  enty: [entity('e', 'rn', 'n', [3, 7])],
  fltr: [
    { name: 'f', fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":5}]}', type: 1 }, fatr: ['n'], ostm: 'copy' },
  ],
}
const copy: WireStream = { name: 'copy', type: 2, inpt: ['s'], swsz: 0, attr: [{ name: 'n', type: 9, stat: 'RSTAT' }] }
const other: WireStream = {
  name: 'other',
  type: 1,
  swsz: 0,
  attr,
  rels: [{ sub: 'who', obj: 'late', rel: 'CAME' }],
  enty: [entity('o', 'rx', 'x', ['COUNT', 'TOPK'])],
}
const people: WireStream = { name: 'people', type: 4, inpt: ['s', 'other'], attr: [] }

export const everyKind = (schema: string): WireSchema => ({ schema, streams: [s, copy, other, people] })

/** Spoils what stream `s` of such a schema keeps, each aggregate in a way of its own. */
export const spoil = (schema: string): string[] => [
  `INSERT INTO ${schema}.s__60 (_interval, _cnt_n) VALUES (1700000000000000, 1000), (0, 5)`,
  `TRUNCATE TABLE ${schema}.s__300`,
  `TRUNCATE TABLE ${schema}.s__60___top__late`,
  `INSERT INTO ${schema}.people__keys___top__rn (id, _value, _cnt_rn) VALUES ('a:l0', 5, 500)`,
  `TRUNCATE TABLE ${schema}.s__300__late__who`,
  `INSERT INTO ${schema}.s__60__who (who, _interval, _cnt_n) VALUES ('rubbish', 0, 7)`,
  `INSERT INTO ${schema}.people__keys (id, _cnt_rn) VALUES ('a:l0', 500)`,
  `INSERT INTO graph.${schema}_graph_rel SELECT * FROM graph.${schema}_graph_rel WHERE startsWith(_source, '${schema}.s:')`,
]
