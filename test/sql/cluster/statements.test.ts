/** What Weir's statements become on a cluster: read by eye in the files beside this one, and parsed by ClickHouse. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/embedded.ts'
import { statementsOf } from '../../../infra/clickhouse/migrate.ts'
import { readOnCluster } from '../../../sql/cluster/reads.ts'
import { onCluster } from '../../../sql/cluster/statements.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { planEditEnd } from '../../../sql/schema/ddl/edit/finish-edit.ts'
import { forgetCopiedTriples } from '../../../sql/schema/ddl/edit/past-triples.ts'
import { createRejectedTable } from '../../../sql/schema/ddl/events.ts'
import { dropGraph } from '../../../sql/schema/ddl/graph/graph.ts'
import { createSchema, dropDatabase } from '../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { addWordIndex, clearIndexes, createTable, dropTable } from '../../../sql/table/ddl.ts'
import { decodeTable } from '../../../sql/table/decode-table.ts'
import { compileRowBytes } from '../../../sql/table/select.ts'
import { matchesGolden } from '../../support/golden.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse'), connections: 2 })
test.after.always(() => clickhouse.close())

async function check(t: ExecutionContext, name: string, statements: readonly string[]): Promise<void> {
  const written = statements.flatMap((statement) => onCluster(statement, 'events'))
  matchesGolden(t, written.map((statement) => `${statement};\n`).join('\n'), new URL(`./${name}.sql`, import.meta.url))
  for (const statement of written) {
    await t.notThrowsAsync(clickhouse.read({ text: `EXPLAIN AST ${statement}`, params: {} }, 'TSVRaw'), statement)
  }
}

const examples = new URL('../schema/ddl/examples/', import.meta.url)
const schemas = readdirSync(examples)
  .filter((name) => name.endsWith('.json'))
  .map((file) => ({
    name: file.replace('.json', ''),
    wire: JSON.parse(readFileSync(new URL(file, examples), 'utf8')),
  }))

for (const { name, wire } of schemas) {
  const schema = decodeSchema(wire)
  test(`the schema ${name}`, (t) => check(t, name, createSchema(schema)))
  test(`the schema ${name} where Kafka brings its events`, (t) =>
    check(t, `${name}-redelivered`, createSchema({ ...schema, redelivered: true })))
  test(`the end of ${name}`, (t) =>
    check(t, `${name}-dropped`, [
      createRejectedTable(schema.name, schema.streams[0]?.name ?? ''),
      dropDatabase(schema.name),
      ...dropGraph(`${schema.name}_graph`),
    ]))
}

/** A stream, and one of copies of its events, those of these names with a relation. */
const related = (names: readonly string[]) => {
  const attr = [
    { name: 'a', type: 5 },
    { name: 'n', type: 9 },
  ]
  const rels = (name: string) => (names.includes(name) ? [{ sub: 'a', obj: 'n', rel: 'R' }] : [])
  const fqry = { name: '{"query":[{"key":"n","cmp_op":1,"val":0}]}', type: 1 }
  const isCopied = names.includes('copies')
  return decodeSchema({
    schema: 'related',
    streams: [
      {
        ...{ name: 'source', type: 1, swsz: 0, attr, rels: rels('source') },
        fltr: isCopied ? [{ name: 'f', fqry, fatr: ['a', 'n'], ostm: 'copies' }] : [],
      },
      ...(isCopied ? [{ name: 'copies', type: 2, inpt: ['source'], swsz: 0, attr, rels: rels('copies') }] : []),
    ],
  })
}

test('an edit that adds statistics, one that takes streams away, and one that adds relations', async (t) => {
  const after = decodeSchema(schemas.find(({ name }) => name === 'flights')?.wire)
  const before = {
    ...after,
    streams: after.streams.map((stream) => ({
      ...stream,
      groupBys: [],
      attributes: stream.attributes.map(({ statistic: _, ...attribute }, i) => ({
        ...attribute,
        ...(i === 0 && _ && { statistic: _ }),
      })),
    })),
  }
  for (const [name, change] of Object.entries({
    more: { from: before, to: after },
    less: { from: after, to: before },
    related: { from: related([]), to: related(['source', 'copies']) },
  })) {
    const edit = planEdit(change, new Set())
    const end = planEditEnd(change)
    await check(t, `edit-${name}`, [
      ...edit.dropFeeds,
      ...edit.prepare,
      ...edit.feedBoth,
      ...edit.fill,
      ...edit.replace,
      ...edit.restore(new Set(['flights__60___before'])),
      ...end.graph,
      ...forgetCopiedTriples(change, new Set()),
      ...end.clean,
    ])
  }
})

const records = {
  ...decodeTable('shop', { table_name: 'orders', table_type: 1, key_type: 1 }),
  storage: 'shop__orders__1',
}

test('a table of records, with its indexes and its end', async (t) => {
  const table = records
  await check(t, 'records', [
    ...createTable(table),
    ...addWordIndex({ ...table, words: ['town'] }),
    clearIndexes({ ...table, nextIndex: 3 }),
    ...dropTable(table),
  ])
})

test('the static objects', async (t) => {
  const folder = new URL('../../../sql/migrations/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  await check(
    t,
    'migrations',
    files.sort().flatMap((name) => statementsOf(readFileSync(new URL(name, folder), 'utf8'))),
  )
})

test('statements of other forms: copies, exchanges, deletions, and what passes as it is', (t) =>
  check(t, 'forms', [
    'CREATE TABLE `a`.`copy` CLONE AS `a`.`b`',
    'CREATE TABLE `a`.`like` AS `a`.`b`',
    'CREATE TABLE `a`.`heap` (x String) ENGINE = MergeTree ORDER BY tuple()',
    'CREATE MATERIALIZED VIEW `a`.`feed` TO `a`.`like` AS SELECT * FROM `a`.`b`',
    'ALTER TABLE `a`.`copy` ATTACH PARTITION tuple() FROM `a`.`like`',
    "ALTER TABLE `a`.`copy` MODIFY COMMENT 'x'",
    'EXCHANGE TABLES `a`.`b` AND `a`.`copy`',
    'RENAME TABLE `a`.`b` TO `a`.`c`, `a`.`d` TO `a`.`b`',
    "DELETE FROM weir.pivots WHERE stream = 'a'",
    "KILL QUERY WHERE query LIKE 'a%' SYNC",
    'INSERT INTO `a`.`b` SELECT * FROM `a`.`c`',
  ]))

test('what tables hold is asked of all shards, and no value becomes part of the question', async (t) => {
  const asked = [
    compileRowBytes(records).text,
    "SELECT total_rows AS rows FROM system.tables WHERE name = 'a'",
    "SELECT concat(database, '.', name) AS at FROM system.tables WHERE comment = 'a'",
    "SELECT name FROM system.tables WHERE database = 'a'",
    "SELECT 'x FROM system.parts' AS value FROM system.one",
  ].map((text) => readOnCluster(text, 'events'))
  matchesGolden(t, asked.map((text) => `${text};\n`).join('\n'), new URL('./reads.sql', import.meta.url))
  for (const text of asked)
    await t.notThrowsAsync(
      clickhouse.read({ text: `EXPLAIN AST ${text.replace(/\{\w+:String\}/g, "''")}`, params: {} }, 'TSVRaw'),
    )
})

test('a statement of a form that nobody has thought of is refused', (t) => {
  t.throws(() => onCluster('OPTIMIZE TABLE a.b', 'events'), { message: /no form on a cluster for OPTIMIZE/ })
})
