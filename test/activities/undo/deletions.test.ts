/** The time of kept things, their number, and the steps of several kinds. */
import test from 'ava'
import { createDeletions, type Restorer } from '../../../activities/undo/deletions.ts'
import { createMutex } from '../../../base/mutex.ts'
import { createDeletionCatalogue } from '../../../infra/catalogue/deletions.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createDeletionRemoval } from '../../../jobs/removal-of-deleted.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
test.before(() => migrate(clickhouse))
test.after.always(() => clickhouse.close())

let version = 0
const hour_us = 3_600e6

function open() {
  const steps: string[] = []
  let now_us = 1e15
  let fails = 0
  const step = (name: string) => async (thing: { readonly name: string }) => {
    if (fails-- > 0) throw new Error('ClickHouse is away')
    steps.push(`${name} ${thing.name}`)
  }
  const keeper: Restorer = {
    exclusively: createMutex(),
    setAside: step('set aside'),
    checkFree: async () => {},
    bringBack: step('bring back'),
    remove: step('remove'),
  }
  const deletions = createDeletions({
    catalogue: createDeletionCatalogue(clickhouse, () => ++version),
    restorers: () => ({ schema: keeper, stream: keeper, graph: keeper, table: keeper, bucket: keeper }),
    logger: silentLogger(),
    now_us: () => now_us,
  })
  return {
    deletions,
    steps,
    pass: (hours: number) => {
      now_us += hours * hour_us
    },
    fail: (times: number) => {
      fails = times
    },
  }
}

const graph = (name: string) => ({ kind: 'graph', name, body: '' }) as const

test.serial('a thing whose time is over is removed for good, once, and comes back no more', async (t) => {
  const { deletions, steps, pass } = open()
  await deletions.setAside(graph('short'), { hours: 1 })
  await deletions.setAside(graph('long'), { hours: 3 })
  t.deepEqual(await deletions.removeOld(), [])
  pass(1)
  await t.throwsAsync(deletions.undelete('graph', 'short'), { message: /its time is over/ })
  t.deepEqual(
    (await deletions.list()).map(({ name }) => name),
    ['long'],
  )
  t.deepEqual(
    (await deletions.removeOld()).map(({ name }) => name),
    ['short'],
  )
  t.deepEqual(await deletions.removeOld(), [])
  await deletions.undelete('graph', 'long')
  t.deepEqual(steps, ['set aside short', 'set aside long', 'remove short', 'bring back long'])
  t.deepEqual(await deletions.list(), [])
})

test.serial('a thing that has gone leaves nothing behind, once every process has had a day to follow', async (t) => {
  const { deletions, pass } = open()
  const { id } = await deletions.setAside(graph('brief'), { hours: 1 })
  const rows = async () => {
    const text = 'SELECT count() AS n FROM weir.kept WHERE id = {id:String}'
    return Number((await clickhouse.rows<{ n: string }>({ text, params: { id } }))[0]?.n)
  }
  pass(2)
  await deletions.removeOld()
  t.true((await rows()) > 0)
  pass(24)
  await deletions.removeOld()
  t.is(await rows(), 0)
})

test.serial('a removal for good is in the record of changes', async (t) => {
  const { deletions, pass } = open()
  const changes: object[] = []
  const audit = { record: async (change: object) => void changes.push(change) }
  const removal = createDeletionRemoval({ deletions, audit, logger: silentLogger(), look_ms: 5 })
  await deletions.setAside(graph('old'), { hours: 2 })
  pass(2)
  removal.open()
  await until('it is removed', () => Promise.resolve(changes.length > 0))
  await removal.close()
  const detail = 'removed for good: its time to be undeleted is over'
  t.deepEqual(changes, [{ by: 'weir', what: 'graph', name: 'old', detail }])
})

test.serial('a step that fails is a 503 and is made up for before the name is used again', async (t) => {
  const { deletions, steps, fail } = open()
  fail(1)
  await t.throwsAsync(deletions.setAside(graph('half'), { hours: 1 }), { message: /is being deleted, and kept/ })
  t.is(deletions.unfinished().length, 1)
  t.deepEqual(await deletions.list(), [])
  await deletions.settle('graph', 'half')
  t.deepEqual(steps, ['set aside half'])
  t.is((await deletions.list()).length, 1)
  fail(1)
  await t.throwsAsync(deletions.undelete('graph', 'half'), { message: /is coming back/ })
  await deletions.settle('graph', 'half')
  t.deepEqual(steps, ['set aside half', 'bring back half'])
  t.deepEqual(deletions.unfinished(), [])
  deletions.close()
})

test.serial('a process follows the half-done deletions of another one, and ends them', async (t) => {
  const [one, other] = [open(), open()]
  const before = version
  one.fail(1)
  await t.throwsAsync(one.deletions.setAside(graph('left'), { hours: 1 }))
  await other.deletions.follower.apply(before)
  t.true(other.deletions.follower.hasLeftOvers())
  await other.deletions.follower.repair()
  t.false(other.deletions.follower.hasLeftOvers())
  t.deepEqual(other.steps, ['set aside left'])
  await one.deletions.settle('graph', 'left')
  t.deepEqual(one.steps, [], 'the first finds it ended')
  await other.deletions.undelete('graph', 'left')
  one.deletions.close()
})

test.serial('a thousand things are kept at once, no more', async (t) => {
  const { deletions } = open()
  await clickhouse.run(
    "INSERT INTO weir.kept SELECT toString(number), 'graph', 'many', '', 'kept', 1, 9000000000000000, 1 FROM numbers(1000)",
  )
  await t.throwsAsync(deletions.setAside(graph('more'), { hours: 1 }), {
    message: /1000 deleted things are kept already/,
  })
})
