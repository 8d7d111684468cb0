import test from 'ava'
import { createPool } from '../../base/pool.ts'

test('a thing serves one at a time, and who comes while all are lent waits in line', async (t) => {
  const pool = createPool(['a', 'b'])
  const seen: string[] = []
  const held = new Map<string, () => void>()
  const hold = (name: string) =>
    pool.use(async (thing) => {
      seen.push(`${name} ${thing}`)
      await new Promise<void>((resolve) => held.set(name, resolve))
      return name
    })
  const uses = ['first', 'second', 'third', 'fourth'].map(hold)
  await Promise.resolve()
  t.is(seen.length, 2)
  held.get('first')?.()
  t.is(await uses[0], 'first')
  t.is(seen[2]?.split(' ')[0], 'third')
  t.is(seen[2]?.split(' ')[1], seen[0]?.split(' ')[1])
  for (const name of ['second', 'third']) held.get(name)?.()
  await Promise.all(uses.slice(1, 3))
  held.get('fourth')?.()
  t.is(await uses[3], 'fourth')
})

test('a thing comes back when its use fails', async (t) => {
  const pool = createPool(['only'])
  await t.throwsAsync(
    pool.use(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  )
  t.is(await pool.use(async (thing) => thing), 'only')
})

const line = { max: 1, patience_ms: 50, refuse: (why: string) => new Error(why) }

test('a line has an end, and patience', async (t) => {
  const pool = createPool(['only'], line)
  const only = await pool.acquire()
  const second = pool.acquire()
  await t.throwsAsync(pool.acquire(), { message: 'full' })
  await t.throwsAsync(second, { message: 'late' })
  const third = pool.acquire()
  pool.release(only)
  t.is(await third, 'only')
})

test('who gives up leaves the line, and takes nothing', async (t) => {
  const pool = createPool(['only'])
  const only = await pool.acquire()
  const gone = new AbortController()
  const second = pool.acquire(gone.signal)
  const third = pool.acquire()
  gone.abort(new Error('gone'))
  await t.throwsAsync(second, { message: 'gone' })
  await t.throwsAsync(pool.acquire(gone.signal), { message: 'gone' })
  pool.release(only)
  t.is(await third, 'only')
})
