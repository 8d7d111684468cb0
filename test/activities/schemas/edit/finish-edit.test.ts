import { join } from 'node:path'
import test from 'ava'
import { createEditFinish } from '../../../../activities/schemas/edit/finish-edit.ts'
import { createMove, editOf } from '../../../../activities/schemas/edit/states.ts'
import type { SchemaRecord } from '../../../../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { planEdit } from '../../../../sql/schema/ddl/edit/edit.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const attr = [
  { name: 'a', type: 5 },
  { name: 'n', type: 9 },
]
const copying = (name: string, least: number) => ({
  name,
  fqry: { name: `{"query":[{"key":"n","cmp_op":1,"val":${least}}]}`, type: 1 },
  fatr: ['a', 'n'],
  ostm: 'c',
})
const rels = [{ sub: 'a', obj: 'n', rel: 'R' }]
const wireOf = (schema: string, fltr: readonly object[], more: object = {}) => ({
  schema,
  streams: [
    { name: 's', type: 1, swsz: 0, attr: [...attr, { name: 'text', type: 5 }], fltr },
    { name: 'c', type: 2, inpt: ['s'], swsz: 0, attr, ...more },
  ],
})

const number = async (text: string): Promise<number> =>
  Number((await clickhouse.rows<{ n: string }>({ text: `SELECT count() AS n FROM ${text}`, params: {} }))[0]?.n)

/** Brings an edit to the point where it stands; `finish` goes on with it as its record says. */
async function standing(from: { readonly schema: string }, to: object, events: readonly string[]) {
  const change = { from: decodeSchema(from), to: decodeSchema(to) }
  for (const statement of [...createSchema(change.from), ...events]) await clickhouse.run(statement)
  const plan = planEdit(change, new Set(), 'edit')
  const steps = [...plan.dropFeeds, ...plan.prepare, ...plan.feedBoth, ...plan.fill, ...plan.dropFeeds, ...plan.replace]
  for (const statement of steps) await clickhouse.run(statement)
  const record = { from: JSON.stringify(from), to: JSON.stringify(to), id: 'edit' }
  let kept: SchemaRecord = { name: from.schema, body: JSON.stringify(record), state: 'filling' }
  const compiler = { decode: (body: string) => decodeSchema(JSON.parse(body)) }
  const catalogue = {
    putSchema: async (put: SchemaRecord) => {
      kept = put
    },
    completeSince: async () => undefined,
    putCompleteSince: async () => {},
    putSessionsSince: async () => {},
  }
  const registry = { find: () => undefined }
  const finishing = (by: ClickHouse) =>
    createEditFinish({
      rules: { forgetUnused: async () => {} },
      clickhouse: by,
      catalogue,
      compiler,
      states: { offStreams: () => new Set(), forget: async () => {} },
      feeder: { forget: async () => {} },
      deletions: { write: async (thing) => thing },
      move: createMove({ clickhouse, catalogue, compiler, registry, isShared: false }),
    })
  return { resume: (by: ClickHouse) => finishing(by).finish(editOf(kept)), state: () => kept.state }
}

test('an edit that brings a relation and copies to one stream may be cut off at any insert', async (t) => {
  const edit = await standing(
    wireOf('cut', [copying('f', 1_000)]),
    wireOf('cut', [copying('f', 1_000), copying('g', 0)], { rels }),
    [
      "INSERT INTO cut.s (_pk, _seq, a, n, text) SELECT number, number + 1, 'a', number, repeat('x', 20000) FROM numbers(1500)",
      'INSERT INTO cut.c (_pk, _seq, a, n) SELECT _pk, _seq, a, n FROM cut.s WHERE n >= 1000',
    ],
  )
  let inserts = 0
  const breaking: ClickHouse = {
    ...clickhouse,
    async insert(insertion) {
      inserts++
      if (inserts % 3 === 1) throw new Error('cut off before')
      await clickhouse.insert(insertion)
      if (inserts % 3 === 2) throw new Error('cut off after')
    },
  }
  for (let tries = 0; edit.state() === 'filling'; tries++) {
    t.true(tries < 100)
    await edit.resume(breaking).catch(() => {})
  }
  t.true(inserts > 6, 'the copies are several runs')
  t.deepEqual([await number('cut.c'), await number('graph.cut_graph_rel')], [2_000, 2_000])
})

test('a relation that comes back leaves the triples of events that have expired', async (t) => {
  const edit = await standing(wireOf('older', []), wireOf('older', [], { rels }), [
    "INSERT INTO older.c (_pk, _seq, a, n) VALUES (100, 2, 'a', 2), (200, 3, 'a', 3)",
  ])
  await clickhouse.run(
    [
      'INSERT INTO graph.older_graph_rel (subject_label, subject, relation, object_label, object, _at, _seq, _source)',
      "SELECT 'a', 'a', 'R', 'n', toString(_seq), _at, _seq, 'older.c:a:n' FROM",
      "values('_at Int64, _seq Int64', (50, 1), (100, 2), (200, 3))",
    ].join(' '),
  )
  await edit.resume(clickhouse)
  const triples = { text: 'SELECT object FROM graph.older_graph_rel ORDER BY object', params: {} }
  t.deepEqual(
    (await clickhouse.rows<{ object: string }>(triples)).map(({ object }) => object),
    ['1', '2', '3'],
  )
})
