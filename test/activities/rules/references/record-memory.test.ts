/** Remembered answers about records, beside the answers that ClickHouse has at each moment. */
import { join } from 'node:path'
import test from 'ava'
import fc from 'fast-check'
import { compileReferences } from '../../../../activities/rules/references/compile.ts'
import { type Ask, createOutside } from '../../../../activities/rules/references/outside.ts'
import { createRecordMemory, type RecordMemory } from '../../../../activities/rules/references/record-memory.ts'
import { createRecordWriter } from '../../../../activities/tables/record-writer.ts'
import { runAll } from '../../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { createClock } from '../../../../infra/clock.ts'
import { createParams } from '../../../../sql/query/compile/condition.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { compileRemoval } from '../../../../sql/table/change.ts'
import { createTable } from '../../../../sql/table/ddl.ts'
import { mainRows } from '../../../../sql/table/records.ts'
import type { Table } from '../../../../sql/table/table.ts'
import { createPlainState } from '../../../support/plain-state.ts'
import { rounds } from '../../../support/random/seed.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => clickhouse.run('CREATE DATABASE weir_records'))
test.after.always(() => clickhouse.close())

const clock = createClock(0)
let tables = 0

const byKey = { name: 'by_key', cond: ['_pk'], args: ['k'], ratr: ['n', 'c'], iatr: ['kn', 'kc'] }
const byPath = { name: 'by_path', cond: ['c'], args: ['k'], ratr: ['n', '_pk'], iatr: ['pn', 'pk'] }
const byNumber = {
  name: 'by_number',
  cond: ['_pk', 'n'],
  args: ['k', 'x'],
  ratr: ['c'],
  iatr: ['nc'],
  cmp: ['EQ', 'GT'],
}
const schema = decodeSchema({
  schema: 's',
  streams: [
    {
      ...{ name: 'main', type: 1 },
      attr: [
        { name: 'k', type: 'STRING' },
        { name: 'x', type: 'LONG' },
      ],
      refr: [byKey, byPath, byNumber].map(({ name, cond, args, ratr, iatr, ...cmp }) => ({
        ...{ name, rstm: 'd.t', jqry: { cond, args, ...cmp }, ratr, iatr },
      })),
    },
  ],
})
const references = compileReferences(schema)

async function open(records: RecordMemory) {
  const table: Table = {
    ...{ database: 'd', name: 't', storage: `d__t__${++tables}`, kind: 'WIDE', keyKind: 'NORMAL_KEY', keyBytes: 24 },
    ...{ duplicates: false, versioned: false, words: [], indexes: [], nextIndex: 1 },
  }
  await runAll(clickhouse, createTable(table))
  const { isShared } = records
  const writers = [0, 1].map((process) =>
    createRecordWriter({
      ...{ clickhouse, clock, isShared, table: () => table },
      // The memory is that of the first process, and without others the only one.
      ...((process === 0 || !isShared) && { writing: (keys) => records.writing(table.storage, keys) }),
    }),
  )
  return { table, writers: isShared ? writers : writers.slice(0, 1) }
}

const events = ['a', 'b', 'c', 'd'].flatMap((k) => [1, 5].map((x) => ({ k, x })))

/** The values that the events of one turn get, and how many statements were run for it. */
async function turn(table: Table, records?: RecordMemory) {
  let asked = 0
  const rows: Ask['clickhouse']['rows'] = (statement) => {
    asked++
    return clickhouse.rows(statement)
  }
  const outside = createOutside({
    ...{ clickhouse: { rows }, caughtUp: async () => {}, tableOf: () => table },
    ...(records && { records }),
  })
  for (;;) {
    const { state } = createPlainState()
    const found = events.map((event, seq) => {
      const one = { event: { ...event }, pk: '1700000000000000', seq }
      references.resolve('main', one, state, outside)
      return one.event
    })
    if (!outside.lacks()) return { found, asked }
    await outside.fetch()
  }
}

const key = fc.constantFrom('a', 'b', 'c', 'd')
const document = fc
  .record({ n: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant('x')), c: key })
  .map((written) => JSON.stringify(written))
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('put' as const), key, document, by: fc.nat(1) }) },
  fc.record({ kind: fc.constant('remove' as const), key, by: fc.nat(1) }),
  fc.record({ kind: fc.constant('update' as const), key, by: fc.nat(1) }),
  { weight: 2, arbitrary: fc.constant({ kind: 'look' as const }) },
)
type Step = typeof step extends fc.Arbitrary<infer Of> ? Of : never

async function take(one: Step, { table, writers }: Awaited<ReturnType<typeof open>>): Promise<void> {
  if (one.kind === 'look') return
  const writer = writers[one.by % writers.length]
  if (one.kind === 'put') await writer?.write({ kind: 'put', key: one.key, document: one.document })
  if (one.kind === 'remove') await writer?.write({ kind: 'remove', key: one.key })
  if (one.kind !== 'update') return
  const at = { offset: 0, line: 1, column: 1 }
  const where = { kind: 'compare', path: '_pk', operator: '=', at, value: { kind: 'string', value: one.key } } as const
  await writer?.alone((_, version) =>
    clickhouse.run(
      compileRemoval(
        table,
        { scope: { sql: mainRows, inOrder: true, maxMatch: true }, params: createParams() },
        where,
        version,
      ),
    ),
  )
}

for (const isShared of [false, true]) {
  const of = isShared ? 'of several processes' : 'of this process'
  test(`after each write ${of} a turn gets what ClickHouse has, whatever is remembered`, async (t) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.boolean(), async (steps, isSmall) => {
        const records = createRecordMemory({ isShared, ...(isSmall && { maxAnswers: 8 }) })
        const opened = await open(records)
        for (const one of steps) {
          // A turn may be under way while records are written.
          const under = turn(opened.table, records)
          await take(one, opened)
          await under
          t.deepEqual((await turn(opened.table, records)).found, (await turn(opened.table)).found)
        }
      }),
      { numRuns: rounds(12, 5) },
    )
    t.pass()
  })
}

test('a turn asks for what no turn before it has asked, or what was written since', async (t) => {
  const records = createRecordMemory({ isShared: false })
  const { table, writers } = await open(records)
  const [writer] = writers
  const put = (key: string, n: number) => writer?.write({ kind: 'put', key, document: `{"n":${n}}` })
  await put('a', 1)
  const asked = async () => (await turn(table, records)).asked
  t.is(await asked(), 3)
  t.is(await asked(), 0)
  await put('z', 1)
  t.is(await asked(), 1, 'any record may be that of the path')
  await put('a', 2)
  t.is(await asked(), 3)
  t.is(await asked(), 0)
  records.forget(table.storage)
  t.is(await asked(), 3, 'a table that was away')
})

test('where several processes write, a turn looks once at each table, and asks for all after an insert', async (t) => {
  const records = createRecordMemory({ isShared: true })
  const { table, writers } = await open(records)
  const [first, second] = writers
  const asked = async () => (await turn(table, records)).asked
  t.is(await asked(), 1 + 3)
  t.is(await asked(), 1 + 3, 'a table without parts says nothing of its inserts')
  await first?.write({ kind: 'put', key: 'a', document: '{"n":1}' })
  t.is(await asked(), 1 + 3)
  t.is(await asked(), 1)
  await second?.write({ kind: 'put', key: 'a', document: '{"n":2}' })
  t.is(await asked(), 1 + 3)
  t.is(await asked(), 1)
})

test('answers about a table that is spread over nodes are not remembered', async (t) => {
  const records = createRecordMemory({ isShared: true })
  const { table, writers } = await open(records)
  await writers[0]?.write({ kind: 'put', key: 'a', document: '{"n":1}' })
  const spread = { ...table, storage: `${table.storage}_spread` }
  await clickhouse.run(
    `CREATE TABLE weir_records.${spread.storage} AS weir_records.${table.storage} ENGINE = Merge('weir_records', '^${table.storage}$')`,
  )
  const asked = async () => (await turn(spread, records)).asked
  t.is(await asked(), 1 + 3)
  t.is(await asked(), 1 + 3)
})

test('what is remembered is bounded, in answers and in bytes', async (t) => {
  for (const bound of [{ maxAnswers: 1_000 }, { maxBytes: 1_000 * 300 }]) {
    const records = createRecordMemory({ isShared: false, ...bound })
    const question = {}
    const remember = records.asked(question, 'd__t__1')
    for (let n = 0; n < 100_000; n++) remember(`${n}`, `${n}`, ['x'.repeat(20)])
    let remembered = 0
    for (let n = 0; n < 100_000; n++) if (records.recall(question, `${n}`, 'd__t__1')) remembered++
    t.true(remembered >= 450 && remembered <= 1_001, `${remembered}`)
  }
})
