/** The statements of a cluster: each form is read by eye, and ClickHouse runs all of them on replicated tables. */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { Session } from 'chdb'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { statementsOf } from '../../../infra/clickhouse/migrate.ts'
import { onCluster, readOnCluster } from '../../../sql/cluster.ts'
import { planEdit } from '../../../sql/schema/ddl/edit/edit.ts'
import { planEditEnd } from '../../../sql/schema/ddl/edit/finish-edit.ts'
import { forgetCopiedTriples } from '../../../sql/schema/ddl/edit/past-triples.ts'
import { createRejectedTable } from '../../../sql/schema/ddl/events.ts'
import { dropGraph } from '../../../sql/schema/ddl/graph/graph.ts'
import { renew } from '../../../sql/schema/ddl/renew.ts'
import { createSchema, dropDatabase } from '../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../sql/schema/decode.ts'
import { addWordIndex, clearIndexes, createTable, dropTable } from '../../../sql/table/ddl.ts'
import { decodeTable } from '../../../sql/table/decode-table.ts'
import { compileRowBytes } from '../../../sql/table/select.ts'
import { matchesGolden } from '../../support/golden.ts'
import { sharedZooKeeper } from '../../support/parts/zookeeper.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const zookeeper = await sharedZooKeeper()

/** The first session of a process says what the server is. */
const config = join(temporaryFolder(), 'cluster.xml')
writeFileSync(
  config,
  `<clickhouse>
  <tcp_port>9000</tcp_port>
  <remote_servers>
    <events><shard><replica><host>127.0.0.1</host><port>9000</port></replica></shard></events>
  </remote_servers>
  <macros><shard>1</shard><replica>1</replica></macros>
  ${zookeeper ? `<zookeeper><node><host>127.0.0.1</host><port>${zookeeper.port}</port></node></zookeeper>` : ''}
</clickhouse>
`,
)
const path = join(temporaryFolder(), 'clickhouse')
const first = new Session(path, { connectionArgs: [`--config-file=${config}`] })
const clickhouse = createEmbeddedClickHouse({ path, connections: 2 })
test.after.always(async () => {
  // A process that ends while parts wait for others crashes.
  const parts = await clickhouse.rows<{ database: string }>({
    text: "SELECT DISTINCT database FROM system.tables WHERE endsWith(name, '___local')",
    params: {},
  })
  for (const { database } of parts) await clickhouse.run(`DROP DATABASE ${database} SYNC`)
  first.close()
  await clickhouse.close()
})

/** `ON CLUSTER` gives a table the UUID that is in its path in Keeper. chDB has Keeper's tables, and no queue of `ON CLUSTER`. */
const alone = (statement: string): string =>
  statement
    .replace(
      /^CREATE TABLE( IF NOT EXISTS)? (\S+) ON CLUSTER `events`/,
      (_, condition = '', name) => `CREATE TABLE${condition} ${name} UUID '${randomUUID()}'`,
    )
    .replace(' ON CLUSTER `events`', '')

/** A part takes rows and changes once other replicas can reach it, for which chDB has no port: these are parsed alone. */
const ofActiveParts = /^(INSERT INTO|DELETE FROM|ALTER TABLE \S+___local`?) /

/** Parses what statements become, and runs it on replicated tables. */
async function runs(t: ExecutionContext, statements: readonly string[]): Promise<void> {
  for (const statement of statements.flatMap((each) => onCluster(each, 'events'))) {
    await t.notThrowsAsync(clickhouse.read({ text: `EXPLAIN AST ${statement}`, params: {} }, 'TSVRaw'), statement)
    if (zookeeper === undefined || ofActiveParts.test(statement)) continue
    await t.notThrowsAsync(clickhouse.run(alone(statement)), statement)
  }
}

const examples = new URL('../schema/ddl/examples/', import.meta.url)
const schemas = readdirSync(examples)
  .filter((name) => name.endsWith('.json'))
  .map((file) => ({
    name: file.replace('.json', ''),
    wire: JSON.parse(readFileSync(new URL(file, examples), 'utf8')),
  }))

/** The static objects. A column that a later file adds stands in its table from the beginning: parts take no changes here. */
function staticObjects(): string[] {
  const folder = new URL('../../../sql/migrations/', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const statements = files.sort().flatMap((name) => statementsOf(readFileSync(new URL(name, folder), 'utf8')))
  const added = statements.flatMap((statement) => {
    const [, table, column] = /^ALTER TABLE (\S+) ADD COLUMN IF NOT EXISTS (.*)$/s.exec(statement) ?? []
    return table === undefined ? [] : [{ head: `CREATE TABLE IF NOT EXISTS ${table} (`, column }]
  })
  return statements.map((statement) =>
    added.reduce((text, { head, column }) => text.replace(head, `${head}\n  ${column},`), statement),
  )
}

test.serial('the static objects', async (t) => {
  await runs(t, ['CREATE DATABASE IF NOT EXISTS weir', ...staticObjects()])
})

const dropSchema = (name: string): string[] => [dropDatabase(name), ...dropGraph(`${name}_graph`)]

for (const { name, wire } of schemas) {
  const schema = decodeSchema(wire)
  test.serial(`the schema ${name}`, async (t) => {
    await runs(t, [...createSchema(schema), ...dropSchema(schema.name)])
  })
  test.serial(`the schema ${name} where Kafka brings its events`, async (t) => {
    const rejected = createRejectedTable(schema.name, schema.streams[0]?.name ?? '')
    await runs(t, [...createSchema({ ...schema, redelivered: true }), rejected, ...dropSchema(schema.name)])
  })
}

test.serial('what brings a schema of an earlier version to its present form', async (t) => {
  const found = flights.streams
    .filter(({ kind }) => kind !== 'entity')
    .flatMap(({ name: table, attributes }) =>
      ['_pk', '_v', '_time', '_rest', ...attributes.map(({ name }) => name)].map((name) => ({
        ...{ table, name, type: '', comment: '' },
      })),
    )
  const statements = renew(flights, found)
  t.true(statements.some((statement) => statement.startsWith('ALTER TABLE')))
  await runs(t, [...createSchema(flights), ...statements, ...dropSchema(flights.name)])
})

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

const flights = decodeSchema(schemas.find(({ name }) => name === 'flights')?.wire)
const fewer = {
  ...flights,
  streams: flights.streams.map((stream) => ({
    ...stream,
    groupBys: [],
    attributes: stream.attributes.map(({ statistics: _, ...attribute }, i) => ({
      ...attribute,
      ...(i === 0 && _ && { statistics: _ }),
    })),
  })),
}

for (const [title, change] of Object.entries({
  'adds statistics': { from: fewer, to: flights },
  'takes statistics away': { from: flights, to: fewer },
  'adds relations': { from: related([]), to: related(['source', 'copies']) },
})) {
  test.serial(`an edit that ${title}`, async (t) => {
    const edit = planEdit(change, new Set(), 'edit')
    const end = planEditEnd(change)
    const begun = [...edit.dropFeeds, ...edit.prepare, ...edit.feedBoth, ...edit.fill, ...edit.dropFeeds]
    const ended = [...end.graph, ...forgetCopiedTriples(change, new Set()), ...end.clean]
    await runs(t, [
      ...createSchema(change.from),
      ...[...begun, ...edit.restore(new Set(edit.beside.building))],
      ...[...begun, ...edit.replace, ...edit.dropFeeds],
      ...edit.giveBack(new Set(edit.replaced.map((table) => `${change.to.name}.${table}`))),
      ...edit.restore(new Set(edit.beside.filling)),
      ...[...edit.dropFeeds, ...begun, ...edit.replace, ...ended],
      ...dropSchema(change.from.name),
    ])
  })
}

const records = {
  ...decodeTable('shop', { table_name: 'orders', table_type: 1, key_type: 1 }),
  storage: 'shop__orders__1',
}

function isGolden(t: ExecutionContext, name: string, statements: readonly string[]): void {
  matchesGolden(
    t,
    statements.map((statement) => `${statement};\n`).join('\n'),
    new URL(`./${name}.sql`, import.meta.url),
  )
}

test.serial('a table of records, with its indexes and its end', async (t) => {
  const statements = [
    ...createTable(records),
    ...addWordIndex({ ...records, words: ['town'] }),
    clearIndexes({ ...records, nextIndex: 3 }),
    ...dropTable(records),
  ]
  await runs(t, statements)
})

test.serial('statements of each form: read by eye in forms.sql', async (t) => {
  const statements = [
    'CREATE DATABASE `a`',
    'CREATE TABLE `a`.`b` (x Int64, y Int64) ENGINE = ReplacingMergeTree(y) ORDER BY (x) SETTINGS non_replicated_deduplication_window = 1000',
    'CREATE TABLE IF NOT EXISTS `a`.`heap` (x Int64, y Int64) ENGINE = MergeTree ORDER BY tuple()',
    'CREATE TABLE `a`.`b__in` (x Int64) ENGINE = Null',
    'CREATE TABLE `a`.`copy` CLONE AS `a`.`b`',
    'CREATE TABLE `a`.`like` AS `a`.`b`',
    'CREATE MATERIALIZED VIEW IF NOT EXISTS `a`.`b__from__b`\nTO `a`.`b` AS SELECT x, x AS y FROM `a`.`b__in`',
    'CREATE MATERIALIZED VIEW `a`.`feed` TO `a`.`like` AS SELECT * FROM `a`.`b`',
    'CREATE OR REPLACE VIEW `a`.`seen` AS SELECT x FROM `a`.`b` FINAL',
    "CREATE OR REPLACE VIEW `a`.`told` (\n  `x` Int64 COMMENT 'an x'\n) AS SELECT x FROM `a`.`b`\nCOMMENT 'rows'",
    'ALTER TABLE `a`.`copy` ADD COLUMN IF NOT EXISTS z Int64',
    "ALTER TABLE `a`.`copy` MODIFY COMMENT 'x'",
    'ALTER TABLE `a`.`copy` ATTACH PARTITION tuple() FROM `a`.`like`',
    'ALTER TABLE `a`.`b__from__b` MODIFY QUERY SELECT x, 2 AS y FROM `a`.`b__in`',
    'DROP VIEW IF EXISTS `a`.`feed` SYNC',
    'EXCHANGE TABLES `a`.`b` AND `a`.`copy`',
    'RENAME TABLE `a`.`b` TO `a`.`c`',
    'RENAME TABLE `a`.`like` TO `a`.`b`',
    'CREATE TABLE `a`.`like` AS `a`.`c`',
    'CREATE DATABASE IF NOT EXISTS `weir_kept_1`',
    'RENAME TABLE `a`.`like` TO `weir_kept_1`.`like`',
    'RENAME TABLE `weir_kept_1`.`like` TO `a`.`like`',
    'CREATE TABLE IF NOT EXISTS `a`.`like` (x Int64, y Int64) ENGINE = MergeTree ORDER BY x',
    'DROP DATABASE IF EXISTS `weir_kept_1` SYNC',
    'DELETE FROM `a`.`b` WHERE x = 1',
    "KILL QUERY WHERE query LIKE 'a%' SYNC",
    'INSERT INTO `a`.`b` SELECT * FROM `a`.`c`',
    'DROP TABLE IF EXISTS `a`.`b__in` SYNC',
    'DROP TABLE IF EXISTS `a`.`c` SYNC',
    'DROP DATABASE IF EXISTS `a` SYNC',
  ]
  isGolden(
    t,
    'forms',
    statements.flatMap((statement) => onCluster(statement, 'events')),
  )
  await runs(t, statements)
})

test('what tables hold is asked of all shards, and no value becomes part of the question', async (t) => {
  const questions = [
    compileRowBytes(records).text,
    "SELECT total_rows AS rows FROM system.tables WHERE name = 'a'",
    "SELECT concat(database, '.', name) AS at FROM system.tables WHERE comment = 'a'",
    "SELECT name FROM system.tables WHERE database = 'a'",
    "SELECT 'x FROM system.parts' AS value FROM system.one",
  ].map((text) => readOnCluster(text, 'events'))
  isGolden(t, 'reads', questions)
  for (const text of questions)
    await t.notThrowsAsync(clickhouse.read({ text: text.replace(/\{\w+:String\}/g, "''"), params: {} }, 'TSVRaw'))
})

test('a statement of an unknown form is refused', (t) => {
  t.throws(() => onCluster('OPTIMIZE TABLE a.b', 'events'), { message: /no form on a cluster for OPTIMIZE/ })
})
