import test, { registerCompletionHandler } from 'ava'
import { createQueryPlaces } from '../../../infra/clickhouse/query-places.ts'

// Queries that still wait when all is tested would keep the process for a minute.
registerCompletionHandler(() => process.exit())

const here = new AbortController().signal

function placesOf(most: number, patience_ms = 60_000) {
  let now = 0
  const places = createQueryPlaces({ max: most, patience_ms, refuse: () => new Error('refused'), now_ms: () => now })
  /** In the order in which they were served. */
  const served: { readonly user: string; readonly end: () => void }[] = []
  return {
    served,
    users: (): string[] => served.map(({ user }) => user),
    ask: async (user: string, signal = here): Promise<void> => {
      served.push({ user, end: await places.acquire(user, signal) })
    },
    pass: (time_ms: number): void => {
      now += time_ms
    },
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('one user that is alone may have all places', async (t) => {
  const { ask, users } = placesOf(16)
  for (let i = 0; i < 20; i++) void ask('a')
  await turn()
  t.is(users().length, 16)
})

test('beside others a user leaves them places, and they need not wait', async (t) => {
  const { ask, users, pass } = placesOf(16)
  await ask('b')
  for (let i = 0; i < 20; i++) void ask('a')
  await turn()
  t.is(users().filter((user) => user === 'a').length, 12)
  await ask('c')
  t.is(users().filter((user) => user === 'c').length, 1)
  pass(11 * 60_000)
  void ask('a')
  await turn()
  t.is(users().filter((user) => user === 'a').length, 14, 'they were not there for long: all free places are its own')
})

test('a place that comes free goes to the user with the fewest, then to the one that was not served for longest', async (t) => {
  const { ask, served, users } = placesOf(4)
  for (let i = 0; i < 10; i++) void ask('a')
  await turn()
  for (const user of ['b', 'b', 'b', 'c']) void ask(user)
  for (let i = 0; i < 4; i++) {
    served[i]?.end()
    await turn()
  }
  t.deepEqual(users().slice(4), ['b', 'c', 'a', 'b'])
})

test('the queries of one user are served in their order, and who gives up takes nothing', async (t) => {
  const { ask, served, users } = placesOf(1)
  const gone = new AbortController()
  await ask('a')
  const given = t.throwsAsync(ask('b', gone.signal), { message: 'gone' })
  void ask('b')
  gone.abort(new Error('gone'))
  await given
  served[0]?.end()
  await turn()
  t.deepEqual(users(), ['a', 'b'])
  served[1]?.end()
  await ask('a')
  t.is(users().length, 3)
})

test('waiting has an end, in time and in number', async (t) => {
  const { ask } = placesOf(1, 50)
  await ask('a')
  await t.throwsAsync(ask('b'), { message: 'refused' })
  const of = (user: string, most: number) => Array.from({ length: most }, () => ask(user).catch(() => {}))
  const many = of('b', 750)
  await t.throwsAsync(placesAreFull(ask, 'b'), { message: 'refused' })
  // A quarter of the line is left to others.
  const more = of('c', 250)
  await t.throwsAsync(placesAreFull(ask, 'd'), { message: 'refused' })
  await Promise.all([...many, ...more])
})

/** Refused at once: it takes no time. */
const placesAreFull = async (ask: (user: string) => Promise<void>, user: string): Promise<void> => {
  const began = performance.now()
  await ask(user).catch((error: unknown) => {
    if (performance.now() - began > 45) throw new Error('it waited')
    throw error
  })
}
