/** Saved questions of two processes on one ClickHouse, each following the other's versions. */
import test from 'ava'
import { createSaved, type Told } from '../../../activities/saved/saved.ts'
import { createMutex } from '../../../base/mutex.ts'
import { createSavedCatalogue } from '../../../infra/catalogue/saved.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { decodeQuestion } from '../../../sql/saved/definition.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
test.after.always(() => clickhouse.close())

const exclusively = createMutex()
let version = 0
let now = 1_000

/** A process; it follows what others wrote since it did so last. */
async function processOf(maxGone?: number) {
  const catalogue = createSavedCatalogue(clickhouse, () => ++version)
  const saved = createSaved({ catalogue, exclusively, now_us: () => ++now, ...(maxGone !== undefined && { maxGone }) })
  let seen = version
  await saved.follower.load()
  return {
    ...saved,
    async follow(): Promise<void> {
      const since = seen
      seen = version
      await saved.follower.apply(since)
    },
    put: (name: string, more: object = {}) =>
      saved.save({
        name,
        question: decodeQuestion({ sql: 'SELECT 1 AS v', ...more }),
        places: [],
        author: 'a',
      }),
  }
}

const question = decodeQuestion({ sql: 'SELECT 1 AS v' })
const at = { cron: '5 * * * *', notf: 1 }
const hasSchedule = ({ schedule }: Told['question']): boolean => schedule.length > 0

test.serial(
  'a question has had its schedule since the version that brought it, over other changes of it',
  async (t) => {
    const saved = await processOf()
    await saved.put('sales')
    await saved.put('sales', { schedule: [at] })
    const begun = saved.find('sales').at
    await saved.put('sales', { schedule: [at], sql: 'SELECT 2 AS v' })
    t.is(await saved.since(saved.find('sales'), hasSchedule), begun)

    await saved.put('sales', {})
    await saved.put('sales', { schedule: [at] })
    t.is(await saved.since(saved.find('sales'), hasSchedule), saved.find('sales').at, 'it was taken away in between')

    await saved.remove('sales', 'a')
    await saved.put('sales', { schedule: [at] })
    const again = await processOf()
    t.is(
      await again.since(again.find('sales'), hasSchedule),
      saved.find('sales').at,
      'its question was deleted in between',
    )
  },
)

test.serial('a question whose deleted name another process has forgotten is there in each process', async (t) => {
  const here = await processOf()
  await here.put('week')
  await here.put('week', { sql: 'SELECT 3 AS v' })
  await here.remove('week', 'a')
  await createSavedCatalogue(clickhouse, () => ++version).forget('week', 3)
  const elsewhere = await processOf()
  t.is((await elsewhere.put('week')).version, 1)
  await here.follow()
  t.is(here.present('week')?.number, 1)
})

test.serial(
  'names that other processes delete are forgotten past a bound, and none begins below its latest version',
  async (t) => {
    const [here, elsewhere] = [await processOf(2), await processOf()]
    const names = ['one', 'two', 'three', 'four']
    for (const name of names) await elsewhere.put(name)
    for (const name of names) await elsewhere.remove(name, 'a')
    await here.follow()
    t.deepEqual(
      names.map((name) => here.wouldSave({ name, question, places: [], author: 'a' }).version),
      [1, 1, 3, 3],
      'the latest two are remembered',
    )
    t.is((await here.put('one')).version, 3)
    t.is((await processOf()).present('one')?.number, 3, 'a process that starts finds it')
  },
)
