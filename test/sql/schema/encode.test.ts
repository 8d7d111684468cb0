import { readFileSync } from 'node:fs'
import test from 'ava'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import {
  encodeComputed,
  encodeFilter,
  encodeNode,
  encodeReference,
  encodeRelation,
  encodeRule,
} from '../../../sql/schema/encode.ts'
import type { Schema } from '../../../sql/schema/schema.ts'

const visits = (more: object) => ({
  schema: 's',
  streams: [
    {
      name: 'visits',
      type: 1,
      attr: [
        { name: 'who', type: 5 },
        { name: 'price', type: 11 },
        { name: 'paid', type: 11 },
        { name: 'large', type: 9 },
        { name: 'isNew', type: 12 },
      ],
      ...more,
    },
    { name: 'some', type: 2 },
  ],
})
const filtered = (fqry: object): Schema => decodeSchema(visits({ fltr: [{ name: 'f', ostm: 'some', fqry }] }))
const filterOf = ({ streams }: Schema) => streams[0]?.filters[0]

const price = { key: 'price', cmp_op: 1, val: 10.5 }
const who = { key: 'who', cmp_op: 4, val: 'a "b" $c' }
const [and, or] = [{ joinop: 0 }, { joinop: 1 }]

for (const query of [
  [price],
  [price, and, who],
  [price, or, who],
  [
    price,
    and,
    who,
    or,
    { key: 'isNew', cmp_op: 5, val: true },
    or,
    price,
    and,
    { key: 'large', cmp_op: 2, val: '9007199254740993' },
  ],
]) {
  test(`a filter is written as it was sent: ${JSON.stringify(query)}`, (t) => {
    const filter = filterOf(filtered({ name: { query }, type: 1 }))
    if (filter === undefined) return t.fail()
    const { fqry } = encodeFilter(filter)
    t.deepEqual(fqry, { name: { query, qtype: 1 } })
    t.deepEqual(filterOf(filtered(fqry)), filter)
  })
}

test('a filter that compares attributes is written as it was sent', (t) => {
  const name = { query: [{ key: 'price', cmp_op: 3, val: '$paid' }], qtype: 2 }
  const filter = filterOf(filtered({ name }))
  t.deepEqual(filter && encodeFilter(filter).fqry, { name })
})

test('the parts of a whole schema that are written anew are the parts again', (t) => {
  const posted = JSON.parse(readFileSync(new URL('whole-posted.json', import.meta.url), 'utf8'))
  const schema = decodeSchema(posted)
  const { length } = schema.streams.flatMap(({ computed, relations, filters }) => [
    ...computed,
    ...relations,
    ...filters,
  ])
  t.true(length > 3)
  for (const stream of schema.streams) {
    const sent = posted.streams.find(({ name }: { name: string }) => name === stream.name)
    const anew = {
      ...sent,
      catr: stream.computed.map(({ name, ...computed }) => ({
        ...sent.catr.find((each: { name: string }) => each.name === name),
        opid: undefined,
        ...encodeComputed(computed),
      })),
      rels: stream.relations.map(({ subject, relation, object, subjectLabel, objectLabel, ...rest }) => ({
        ...{ sub: subject, rel: relation, obj: object, sub_label: subjectLabel, obj_label: objectLabel },
        ...encodeRelation(rest),
      })),
      fltr: sent.fltr?.map((filter: { name?: string; ostm?: string }) => {
        const decoded = stream.filters.find(({ target }) => target === filter.ostm)
        return decoded ? { ...filter, ...encodeFilter(decoded) } : filter
      }),
    }
    const streams = posted.streams.map((each: { name: string }) => (each.name === stream.name ? anew : each))
    t.deepEqual(decodeSchema({ ...posted, streams }), schema)
  }
})

test('a prediction from last values is written as it was sent', (t) => {
  const sent = {
    name: 'next',
    type: 11,
    opnm: 'PRED',
    model: 'm',
    iatr: ['price'],
    lag: 3,
    uid: 'who',
    algo: 'PROJ_LIN',
  }
  const decoded = (catr: readonly object[]) => decodeSchema(visits({ catr })).streams[0]?.computed[0]
  const computed = decoded([sent])
  if (computed === undefined) return t.fail()
  t.like(encodeComputed(computed), { lag: 3, uid: 'who', algo: 'PROJ_LIN' })
  t.deepEqual(decoded([{ name: 'next', ...encodeComputed(computed) }]), computed)
})

test('rules that are written anew are the rules again', (t) => {
  const posted = JSON.parse(readFileSync(new URL('rules-posted.json', import.meta.url), 'utf8'))
  const schema = decodeSchema(posted)
  const streams = posted.streams.map((sent: { name: string; refr?: { iatr: string[]; stat: unknown }[] }) => {
    const stream = schema.streams.find(({ name }) => name === sent.name)
    if (stream === undefined) return sent
    const rulesOf = (wanted: string) =>
      stream.rules.filter(({ kind }) => kind === wanted).map(({ name, ...rule }) => ({ name, ...encodeRule(rule) }))
    const copies = [...stream.movingFilters, ...stream.filters].map(({ name, target, ...filter }) => ({
      ...{ name, ostm: target, notf: 'notification' in filter ? filter.notification : undefined },
      ...encodeFilter(filter),
    }))
    return {
      ...sent,
      refr: stream.references.map(({ name, ...reference }, index) => ({
        name,
        ...encodeReference(reference),
        stat: sent.refr?.[index]?.stat,
      })),
      join: rulesOf('join'),
      cepq: rulesOf('pattern'),
      fltr: copies,
      node: stream.nodes.map(({ subject, label, ...node }) => ({ sub: subject, label, ...encodeNode(node) })),
    }
  })
  t.deepEqual(decodeSchema({ ...posted, streams }), schema)
})
