/** The conditions of each transition of an edit from one state to the next. */
import { join } from 'node:path'
import test from 'ava'
import { createDrainGate } from '../../../../activities/registry/drain-gate.ts'
import { markedTables } from '../../../../activities/schemas/edit/places.ts'
import { createMove, type Edit, schemaStates } from '../../../../activities/schemas/edit/states.ts'
import { createSchemaTables } from '../../../../activities/schemas/event-columns.ts'
import type { SchemaRecord, SchemaState } from '../../../../infra/catalogue/catalogue.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { planEdit } from '../../../../sql/schema/ddl/edit/edit.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import { decodeSchema } from '../../../../sql/schema/decode.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: join(temporaryFolder(), 'clickhouse') })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

const wire = (stat: string) => ({
  schema: 'moved',
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'n', type: 9, stat: 'COUNT' },
        { name: 'x', type: 9, stat },
      ],
    },
  ],
})
const [from, to] = [wire('NONE'), wire('COUNT')].map((each) => JSON.stringify(each)) as [string, string]
const compiler = { decode: (body: string) => decodeSchema(JSON.parse(body)) }
const run = async (statements: readonly string[]) => {
  for (const statement of statements) await clickhouse.run(statement)
}

function opened(isShared = false) {
  const gate = createDrainGate()
  const written: SchemaRecord[] = []
  const registered = { schema: compiler.decode(from), body: from, gate, streams: new Map() }
  const move = createMove({
    clickhouse,
    catalogue: { putSchema: async (record) => void written.push(record) },
    compiler,
    registry: { find: () => registered },
    isShared,
  })
  return { gate, written, move }
}
const editAt = (state: SchemaState, record: object = {}): Edit => ({
  name: 'moved',
  record: { from, to, id: 'edit', ...record },
  state,
  isAttached: true,
  filled: 0,
})

test.serial('an edit enters no state that does not follow its own, and writes nothing then', async (t) => {
  const { move, gate, written } = opened()
  const states = Object.keys(schemaStates) as SchemaState[]
  await gate.shut(async () => {
    for (const state of states) {
      for (const next of states.filter((each) => !schemaStates[state].next.includes(each))) {
        const edit = editAt(state)
        await t.throwsAsync(move(edit, next), { message: `schema moved is ${state} and cannot become ${next}` })
        t.is(edit.state, state)
      }
    }
  })
  t.deepEqual(written, [])
  // Events that only the edited schema took may have come.
  t.false(schemaStates.filling.next.includes('editing'))
})

test.serial('while events flow no edit begins, and none goes on', async (t) => {
  const { move, gate, written } = opened()
  await t.throwsAsync(move(editAt('ready'), 'editing'), { message: /cannot become editing while its events flow/ })
  await t.throwsAsync(move(editAt('editing'), 'ready'), { message: /cannot become ready while its events flow/ })
  t.deepEqual(written, [])
  const edit = editAt('ready')
  await gate.shut(() => move(edit, 'editing'))
  t.deepEqual(written, [{ name: 'moved', body: JSON.stringify(edit.record), state: 'editing' }])
})

test.serial(
  'an edit is building, filling and ready only with the tables beside the schema that belong to it',
  async (t) => {
    const { move, gate, written } = opened()
    const change = { from: compiler.decode(from), to: compiler.decode(to) }
    const plan = planEdit(change, new Set(), 'edit')
    const enter = (state: SchemaState) => gate.shut(() => move(editAt('editing'), state))
    await run(createSchema(change.from))
    await t.throwsAsync(enter('building'), { message: /cannot be building: s__60___next is missing/ })
    await t.throwsAsync(enter('filling'), { message: /cannot be filling: s__60___next is missing/ })
    await run([...plan.dropFeeds, ...plan.prepare, ...plan.feedBoth])
    await t.throwsAsync(enter('filling'), {
      message: /moved\.s__60 is not the table that the edit of the schema has made/,
    })
    await t.throwsAsync(enter('ready'), { message: /cannot be ready: s__60___next is still there/ })
    t.deepEqual(written, [])
    await enter('building')
    await run([...plan.fill, ...plan.dropFeeds, ...plan.replace])
    await t.throwsAsync(enter('building'), { message: /moved\.s__60 is still the table that the edit of the schema/ })
    await t.throwsAsync(enter('ready'), { message: /cannot be ready: .* is still there/ })
    await enter('filling')
    await run(plan.dropFeeds)
    const marked = await markedTables(clickhouse, 'edit')
    t.deepEqual(marked, new Set(['moved.s__60']))
    await run(plan.giveBack(marked))
    t.deepEqual(await markedTables(clickhouse, 'edit'), new Set(['moved.s__60___next']))
    await run(plan.restore(await createSchemaTables(clickhouse).names('moved')))
    await enter('ready')
    t.deepEqual(
      written.map(({ state }) => state),
      ['building', 'filling', 'ready'],
    )
    t.is(written.at(-1)?.body, from, 'it was undone')
  },
)

test.serial('where the feeds stay only other processes have to read that the schema is at rest', async (t) => {
  const record = { to: from, feedsStay: true }
  for (const isShared of [false, true]) {
    const { move, gate, written } = opened(isShared)
    const edit = editAt('ready', record)
    await gate.shut(async () => {
      await move(edit, 'editing')
      await move(edit, 'ready')
    })
    t.deepEqual(
      written.map(({ state }) => state),
      isShared ? ['editing', 'ready'] : [],
    )
    t.is(edit.state, 'ready')
  }
})
