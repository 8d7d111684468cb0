import { readFileSync } from 'node:fs'
import test from 'ava'
import { decodeTraining } from '../../../activities/training/decode/decode-request.ts'
import type { Json } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import { decodeNotification } from '../../../sql/notification/decode.ts'
import { createNotes, type Notes } from '../../../sql/schema/check/notes.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'

type Wire = { [member: string]: Json }

const read = (file: string): Wire => JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8'))

const isObject = (value: Json | undefined): value is Wire =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Each object of a request with its path. */
function objectsIn(value: Json, path = ''): [object: Wire, path: string][] {
  if (Array.isArray(value)) return value.flatMap((each, index) => objectsIn(each, `${path}[${index}]`))
  if (!isObject(value)) return []
  const within = Object.entries(value).flatMap(([name, each]) =>
    objectsIn(each, path === '' ? name : `${path}.${name}`),
  )
  return [[value, path], ...within]
}

/** The query of a filter as an object, which the text of one says as well. */
function withOpenQueries(schema: Wire): Wire {
  const open = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(open)
    if (!isObject(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => {
        const isQuery = name === 'name' && typeof each === 'string' && each.startsWith('{')
        return [name, isQuery ? JSON.parse(each) : open(each)]
      }),
    )
  }
  const { comment: _, ...known } = schema
  return open(known) as Wire
}

const schema = withOpenQueries(read('whole-posted.json'))
const ruled = withOpenQueries(read('rules-posted.json'))
const training: Wire = {
  'schema-name': 's',
  model_name: 'm',
  algo_type: 'LIN',
  algo_param: {},
  attr_type: 'NUM',
  scale: 1,
  tune_params: 0,
  attr_list: [
    { name: 'a', position: 0, type: 9 },
    { name: 'b', position: 1 },
  ],
  training_details: {
    training_source_type: 1,
    training_source: 'f',
    file_size_mb: 1,
    is_src_global: 0,
    bucket_name: 'ml_bucket_info',
    input_format: 'CSV',
    expected_format: 'SVM',
    target_idx: 1,
    train_speed: 3,
    'stream-name': 'st',
  },
}
const notification: Wire = {
  notifid: 1,
  name: 'n',
  rule: '',
  subject: 's',
  msg: 'm',
  freq: 1,
  pri: 1,
  mailto: ['a@example.org'],
  endpoints: ['https://example.org/hook'],
  tags: ['t'],
  mailfrom: 'b@example.org',
  secret: null,
}

const requests: readonly [what: string, wire: Wire, decode: (wire: Wire, notes: Notes) => unknown, open: RegExp][] = [
  ['schema', schema, decodeSchema, /^$/],
  ['schema of rules with memory', ruled, decodeSchema, /^(udfs|cvar)\[0\]$/],
  // Its members are checked by the algorithm's own table.
  ['training request', training, decodeTraining, /^algo_param$/],
  ['notification', notification, (wire, notes) => decodeNotification(wire, '', notes), /^$/],
]

const told = (decode: (wire: Wire, notes: Notes) => unknown, wire: Wire): string[] => {
  const notes = createNotes()
  decode(wire, notes)
  return notes.list()
}

for (const [what, wire, decode, isOpen] of requests) {
  test(`of a ${what} that has known members alone nothing is unknown`, (t) => {
    t.deepEqual(
      told(decode, wire).filter((note) => note.includes('unknown')),
      [],
    )
  })

  test(`a member of a ${what} that is unknown is told with its path, in each object at each depth`, (t) => {
    const count = objectsIn(wire).length
    for (let at = 0; at < count; at++) {
      const changed = structuredClone(wire)
      const [object, path] = objectsIn(changed)[at] ?? [changed, '']
      if (path !== '' && isOpen.test(path)) continue
      object.zzqqxxyy = [1]
      const place = path === '' ? 'zzqqxxyy' : `${path}.zzqqxxyy`
      const unknown = told(decode, changed).filter((note) => note.includes('unknown'))
      t.is(unknown.length, 1, place)
      t.true(unknown[0]?.startsWith(`${place} is unknown and does nothing`), unknown[0])
    }
  })
}

test('a word that is nearly a member, or one that other systems have for it, is told the member', (t) => {
  const stream = { name: 'st', type: 1, attr: [{ name: 'a', type: 5 }] }
  const noted = (more: Wire) => told(decodeSchema, { schema: 's', streams: [{ ...stream, ...more }] })
  t.deepEqual(noted({ gropby: [] }), ['streams[0].gropby is unknown and does nothing; did you mean gpby?'])
  t.deepEqual(noted({ retention: 7 }), ['streams[0].retention is unknown and does nothing; did you mean swsz?'])
  t.deepEqual(noted({ attr: [{ name: 'a', type: 5, stats: 1, granularity: 300 }] }), [
    'streams[0].attr[0].stats is unknown and does nothing; did you mean stat?',
    'streams[0].attr[0].granularity is unknown and does nothing; did you mean gran?',
  ])
  t.deepEqual(noted({ 'a "b"': 1 }), [
    `streams[0].'a "b"' is unknown and does nothing; known are name, type, swsz, inpt, attr, catr, gpby, enty, rels, fltr and 7 more`,
  ])
})

test('members of published schemas that are empty, or about sizes, are told to nobody', (t) => {
  const attr = [{ name: 'a', type: 5, kysz: 24, sidx: 1, ridx: 1 }]
  const stream = { name: 'st', type: 1, swsz: 1, attr, cvar: [{}], udfs: [{ name: 'f' }], refr: [], join: [], cepq: [] }
  t.deepEqual(told(decodeSchema, { schema: 's', streams: [stream], udfs: [], cvar: [{}] }), [])
})

test('the query that a filter has as a text is looked into', (t) => {
  const fqry = { name: '{"query":[{"key":"a","cmp_op":4,"vall":"x","val":"800"}],"qtyp":2}', type: 1 }
  const streams = [
    { name: 'st', type: 1, attr: [{ name: 'a', type: 11 }], fltr: [{ fqry, ostm: 'out' }] },
    { name: 'out', type: 2 },
  ]
  t.deepEqual(told(decodeSchema, { schema: 's', streams }), [
    'streams[0].fltr[0].fqry.name.qtyp is unknown and does nothing; did you mean qtype?',
    'streams[0].fltr[0].fqry.name.query[0].vall is unknown and does nothing; did you mean val?',
    "streams[0].fltr[0].fqry.name.query[0].val is the text '800' and is read as the number 800, since the attribute is DOUBLE",
  ])
})

test('so many notes are listed, and the rest is counted', (t) => {
  const attr = Array.from({ length: 130 }, (_, n) => ({ name: `a${n}`, type: 5, oddity: 1 }))
  const notes = told(decodeSchema, { schema: 's', streams: [{ name: 'st', type: 1, attr }] })
  t.is(notes.length, 101)
  t.is(notes.at(-1), 'and 30 more')
})

test('a refusal of unknown members names each of them', (t) => {
  const notes = createNotes()
  decodeSchema({ schema: 's', streams: [{ name: 'st', type: 1, gropby: 1, fltrs: 1 }] }, notes)
  const error = t.throws(() => notes.refuseUnknown(), { instanceOf: Refusal })
  t.deepEqual(error?.problems.length, 2)
})

test('a statistic of an attribute of an entity stream is told to do nothing', (t) => {
  const attr = [
    { name: 'k', type: 5, pk: 1 },
    { name: 'n', type: 9, stat: 3 },
  ]
  const notes = createNotes()
  const schema = {
    schema: 'web',
    streams: [
      { name: 'users', type: 4, attr },
      {
        name: 'visits',
        type: 1,
        swsz: 0,
        attr: [
          { name: 'k', type: 5 },
          { name: 'v', type: 9 },
        ],
        enty: [
          { name: 'e', opid: 3, ratr: ['n'], iatr: ['v'], pkatr: [{ name: 'k', type: 5, iatr: ['k'] }], rstm: 'users' },
        ],
      },
    ],
  }
  decodeSchema(schema, notes)
  t.true(
    notes.list().some((note) => /^streams\[0\]\.attr\[1\]\.stat does nothing: an entity stream/.test(note)),
    notes.list().join(),
  )
})
