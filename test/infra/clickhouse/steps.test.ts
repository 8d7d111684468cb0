import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { runSteps } from '../../../infra/clickhouse/clickhouse.ts'

/** A ClickHouse that lists the statements that began and ended, and counts how many ran at once. */
function createTeller(took_ms: (statement: string) => number) {
  const told: string[] = []
  let running = 0
  let most = 0
  return {
    told,
    most: () => most,
    async run(statement: unknown): Promise<void> {
      const text = String(statement)
      most = Math.max(most, ++running)
      told.push(`+${text}`)
      await sleep(took_ms(text))
      told.push(`-${text}`)
      running--
      if (text.includes('bad')) throw new Error(`no ${text}`)
    },
  }
}

const names = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)

test('the statements of a step run four at a time, and none before all of the step before have ended', async (t) => {
  const teller = createTeller((text) => (text === 'a2' ? 60 : 5))
  await runSteps(teller, [names('a', 6), [], names('b', 9), ['c']])
  t.is(teller.most(), 4)
  t.is(teller.told.length, 2 * 16)
  const place = (entry: string) => teller.told.indexOf(entry)
  for (const a of names('a', 6)) for (const b of names('b', 9)) t.true(place(`-${a}`) < place(`+${b}`))
  for (const b of names('b', 9)) t.true(place(`-${b}`) < place('+c'))
})

test('after a statement that fails none begins, and the failure is told when none runs any more', async (t) => {
  const teller = createTeller((text) => (text === 'bad' ? 5 : 40))
  const error = await t.throwsAsync(runSteps(teller, [['a0', 'bad', 'a1', 'a2', 'a3', 'a4'], ['b']]))
  t.is(error?.message, 'no bad')
  t.deepEqual([...teller.told].sort(), ['+a0', '+a1', '+a2', '+bad', '-a0', '-a1', '-a2', '-bad'])
})
