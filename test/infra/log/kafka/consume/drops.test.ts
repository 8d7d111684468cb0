import test from 'ava'
import { createDrops } from '../../../../../infra/log/kafka/consume/consumers.ts'

test('a DROP that does not end is refused in time, is begun once however often it is asked for, and again once it has ended', async (t) => {
  const begun: string[] = []
  let end = (): void => {}
  const run = ([first = '']: readonly string[]): Promise<void> => {
    begun.push(first)
    return new Promise((resolve) => {
      end = resolve
    })
  }
  const drop = createDrops(run, 20)
  const refused = { message: /^ClickHouse does not end its consumer of s\.a, .* restart ClickHouse$/ }
  await t.throwsAsync(drop('s', 'a'), refused)
  await t.throwsAsync(drop('s', 'a'), refused)
  t.is(begun.length, 1)
  const waiting = drop('s', 'a')
  end()
  await waiting
  const again = drop('s', 'a')
  t.is(begun.length, 2)
  t.regex(begun[0] ?? '', /^DROP TABLE IF EXISTS/)
  end()
  await again
})

test('a DROP that fails is told, and is begun anew by the next who asks', async (t) => {
  let tries = 0
  const drop = createDrops(async () => {
    if (++tries === 1) throw new Error('no ClickHouse')
  })
  await t.throwsAsync(drop('s', 'a'), { message: 'no ClickHouse' })
  await drop('s', 'a')
  t.is(tries, 2)
})
