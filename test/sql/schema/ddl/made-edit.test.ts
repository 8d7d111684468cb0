/** Edits by which streams become those that rules make, or stop to be, on a ClickHouse with events. */
import test from 'ava'
import { copyPasts } from '../../../../activities/schemas/edit/past-copies.ts'
import { createEmbeddedClickHouse } from '../../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../../infra/clickhouse/migrate.ts'
import { planEdit } from '../../../../sql/schema/ddl/edit/edit.ts'
import { planEditEnd } from '../../../../sql/schema/ddl/edit/finish-edit.ts'
import { freshFilters } from '../../../../sql/schema/ddl/edit/schema-diff.ts'
import { createSchema } from '../../../../sql/schema/ddl/schema.ts'
import type { Schema, Stream } from '../../../../sql/schema/schema.ts'
import { plant, streamOf } from '../../../support/made-schema.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
test.after.always(() => clickhouse.close())

const run = async (statements: readonly string[]): Promise<void> => {
  for (const statement of statements) await clickhouse.run(statement)
}
const none: ReadonlySet<string> = new Set()

let edits = 0

/** All that an edit runs, in its order; `meanwhile` is called while tables of both schemas are fed. */
async function edit(from: Schema, to: Schema, meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  const change = { from, to }
  const id = `e${edits++}`
  const plan = planEdit(change, none, id)
  const isFilled = plan.fill.length > 0
  if (isFilled) {
    await run([...plan.dropFeeds, ...plan.prepare, ...plan.feedBoth])
    await meanwhile()
    await run(plan.fill)
  }
  await run([...plan.dropFeeds, ...(isFilled ? [] : plan.prepare), ...plan.replace])
  const { graph, clean } = planEditEnd(change)
  await run(graph)
  await copyPasts({ clickhouse, note: async () => {} }, to, freshFilters(change), id, { done: 0 })
  await run(clean)
}

let batches = 0
const insert = (name: string, stream: string, lines: readonly object[]): Promise<void> =>
  clickhouse.insert({
    table: `${name}.${stream}__in`,
    rows: Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    token: `batch ${batches++}`,
  })

const texts = async (text: string): Promise<string> =>
  (await clickhouse.rows<Record<string, unknown>>({ text, params: {} }))
    .map((row) => Object.values(row).join(' '))
    .join(', ')

const change = (schema: Schema, changes: Readonly<Record<string, (stream: Stream) => Stream | undefined>>): Schema => ({
  ...schema,
  streams: schema.streams.flatMap((stream) => {
    const changed = changes[stream.name]
    return changed ? (changed(stream) ?? []) : [stream]
  }),
})

/** The schema as it might have been before any rule: what is made then is what a view copies. */
const plain = (name: string): Schema =>
  change(
    { ...plant, name },
    {
      temps: ({ rules: _, nodes: __, ...stream }) => ({ ...stream, rules: [], nodes: [] }),
      presses: (stream) => ({ ...stream, rules: [] }),
      readings: () => undefined,
      high: () => undefined,
      points: () => undefined,
      rising: () => undefined,
      hot: ({ isMade: _, ...stream }) => ({ ...stream, computed: [], movingFilters: [], nodes: [] }),
    },
  )

const twice = {
  name: 'twice',
  type: 'DOUBLE',
  operation: 'ADD',
  inputs: ['temp', 'temp'],
  order: 1,
  whenPresent: 'replace',
} as const

const temp = (pk: number, value: number) => ({ _pk: pk, _seq: pk, temp: value, point: 'a', _pivot_temp: 0 })

test.before(() => migrate(clickhouse))

test('a stream of copies that rules come to make gets no more of them by a view, and keeps its own', async (t) => {
  const [before, after] = [plain('become'), { ...plant, name: 'become' }]
  await run(createSchema(before))
  await insert('become', 'temps', [temp(1, 71)])
  await edit(before, after)
  await insert('become', 'temps', [temp(2, 72)])
  await insert('become', 'hot', [{ ...temp(2, 72), twice: 144 }])
  await insert('become', 'weir__matches', [{ _pk: 2, _seq: 3, _notifid: 7, _event: '{}' }])
  t.is(await texts('SELECT _pk, twice FROM become.hot ORDER BY _pk'), '1 , 2 144')
  t.is(await texts('SELECT temp_cnt FROM become.hot_by_60s'), '2')
  t.is(await texts('SELECT name, properties FROM graph.become_graph'), 'a {"temp":72,"twice":144}')
  t.is(await texts("SELECT _notifid FROM weir.notification_matches WHERE _schema = 'become'"), '7')

  await edit(after, before)
  await insert('become', 'temps', [temp(4, 74), temp(5, 60)])
  t.is(await texts('SELECT _pk FROM become.hot ORDER BY _pk'), '1, 2, 4')
  t.is(await texts("SELECT name FROM system.tables WHERE database = 'become' AND position(name, 'matches') > 0"), '')
})

test('a statistic and a node on a stream that rules make are filled from its events', async (t) => {
  const before = { ...plant, name: 'filled' }
  const after = change(before, {
    readings: (stream) => ({
      ...stream,
      attributes: stream.attributes.map((each) =>
        each.name === 'press' ? { ...each, statistics: { kinds: ['RSTAT'] } } : each,
      ),
      nodes: [{ subject: 'press', label: 'press', properties: ['temp'], update: false }],
    }),
  })
  await run(createSchema(before))
  const reading = (pk: number, press: number) => ({ ...temp(pk, 70), press, _pivot_press: 0 })
  await insert('filled', 'readings', [reading(1, 10), reading(2, 11)])
  await edit(before, after, () => insert('filled', 'readings', [reading(3, 12)]))
  await insert('filled', 'readings', [reading(4, 13)])
  t.is(await texts('SELECT press_cnt, press_sum, temp_cnt FROM filled.readings_by_60s'), '4 46 4')
  t.is(
    await texts("SELECT name, properties FROM graph.filled_graph WHERE label = 'press' ORDER BY name"),
    [10, 11, 12, 13].map((press) => `${press} {"temp":70}`).join(', '),
  )
})

test('a new filter into a stream that rules make copies kept events where SQL says all of its copies', async (t) => {
  const before = { ...plant, name: 'copied' }
  const target = (name: string, more: Partial<Stream> = {}): Stream => ({
    ...streamOf(plant, 'warm'),
    name,
    isMade: true,
    ...more,
  })
  const after: Schema = {
    ...before,
    streams: [
      ...change(before, {
        temps: (stream) => ({
          ...stream,
          filters: stream.filters.flatMap((filter) =>
            filter.name === 'plain'
              ? [
                  filter,
                  { ...filter, name: 'said', target: 'said' },
                  { ...filter, name: 'unsaid', target: 'unsaid' },
                  { ...filter, name: 'more', target: 'more', computed: stream.computed.concat(twice) },
                ]
              : [filter],
          ),
        }),
      }).streams,
      target('said'),
      target('unsaid', { computed: [twice] }),
      target('more'),
    ],
  }
  await run(createSchema(before))
  await insert('copied', 'temps', [temp(1, 71), temp(2, 40)])
  await edit(before, after)
  await insert('copied', 'temps', [temp(3, 71)])
  t.is(await texts('SELECT _pk FROM copied.said'), '1')
  t.is(await texts('SELECT count() FROM copied.unsaid'), '0')
  t.is(await texts('SELECT count() FROM copied.more'), '0')
})
