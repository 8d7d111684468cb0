import test from 'ava'
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { at } from '../../../support/era.ts'
import { differenceOf } from '../../../support/oracle.ts'
import { randomFor } from '../../../support/random/seed.ts'
import { startService } from '../../../support/service.ts'

let clickhouse: ClickHouse
const { client, close } = await startService({}, silentLogger(), {
  clickhouse: (part) => {
    clickhouse = part
    return part
  },
})
test.after.always(close)

const minute_us = 60_000_000

type Usage = {
  readonly fromts: number
  readonly tots: number
  readonly aggr_val: Record<'cnt' | 'sum' | 'min' | 'max' | 'avg' | 'stdd' | 'skew' | 'kurt', number>
}

const usage = async (): Promise<Usage> => {
  const [row] = await client.rows('select usage from weir_stream')
  return JSON.parse(String(row?.v))
}

/** Events of each minute from `fromts` to `tots`, those without any included. */
const byMinute = ({ fromts, tots }: Usage, events: ReadonlyMap<number, number>): number[] =>
  Array.from(
    { length: Math.floor((tots - fromts) / minute_us) + 1 },
    (_, at) => events.get(fromts + at * minute_us) ?? 0,
  )

const schema = { schema: 'used', streams: [{ name: 's', type: 1, swsz: 0, attr: [{ name: 'n', type: 9 }] }] }

test.serial('nothing was used before the first event', async (t) => {
  const { cnt, sum } = (await usage()).aggr_val
  t.deepEqual([cnt, sum], [0, 0])
})

test.serial('events count in the minute in which they came', async (t) => {
  await client.register(schema)
  const before_us = Date.now() * 1000
  // The events' own times do not count.
  await client.lines(
    'used.s',
    Array.from({ length: 7 }, (_, n) => ({ _pk: at(n * minute_us), n })),
  )
  const after_us = Date.now() * 1000
  const told = await usage()
  t.true(told.fromts >= before_us - (before_us % minute_us) && told.fromts <= after_us && told.fromts % minute_us === 0)
  t.is(differenceOf(told.aggr_val, byMinute(told, new Map([[told.fromts, 7]]))), undefined)
})

test.serial('usage is what the oracle says of every minute since the first event, empty ones included', async (t) => {
  const random = randomFor(t)
  const { fromts } = await usage()
  const events = new Map([[fromts, 7]])
  // Until a minute ago no event came: a minute has one row a feed, some have several.
  for (let before = 1; before <= 60; before++) {
    if (before < 60 && random.whole(0, 2) === 0) continue
    const minute = fromts - before * minute_us
    for (let feed = random.whole(1, 3); feed > 0; feed--) {
      const count = random.whole(1, 100_000)
      await clickhouse.run({
        text: 'INSERT INTO weir.usage (minute, events) VALUES ({minute:Int64}, {count:UInt64})',
        params: { minute, count },
      })
      events.set(minute, (events.get(minute) ?? 0) + count)
    }
  }
  const told = await usage()
  t.is(told.fromts, fromts - 60 * minute_us)
  t.is(differenceOf(told.aggr_val, byMinute(told, events)), undefined)
})
