/** Answers in lines that break off: by a part behind the service, and by their reader. */
import { request } from 'node:http'
import test from 'ava'
import type { ClickHouse } from '../../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../../infra/logger.ts'
import { at } from '../../../support/era.ts'
import { startService } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'

const lines = 'application/x-ndjson'
const parts = { asked: 0, failing: Number.POSITIVE_INFINITY }
const watched = (part: ClickHouse): ClickHouse => ({
  ...part,
  read(statement, format) {
    if (format === 'TabSeparatedRaw' && ++parts.asked >= parts.failing) throw new Error('the disk is on fire')
    return part.read(statement, format)
  },
})
const { client, close, url } = await startService({}, silentLogger(), { clickhouse: watched })
test.after.always(close)

const count = 40_000
test.before(async () => {
  const attr = [{ name: 'i', type: 9 }]
  await client.register({ schema: 'many', streams: [{ name: 's', type: 1, swsz: 0, attr }] })
  for (let from = 0; from < count; from += 8_000) {
    const events = Array.from({ length: 8_000 }, (_, i) => ({ _pk: at(from + i), i, text: 'x'.repeat(2_500) }))
    await client.lines('many.s', events)
  }
  await until('all are there', async () => (await client.count('select count(*) from many.s')) === count)
})

const sql = 'select * from many.s'

test.serial('a failure in the middle is the last line, and the answer ends there', async (t) => {
  Object.assign(parts, { asked: 0, failing: 3 })
  const { status, text } = await client.post('/db/mydb/query', { sql }, { accept: lines })
  parts.failing = Number.POSITIVE_INFINITY
  t.is(status, 200)
  const told = text.trimEnd().split('\n')
  t.true(told.length > 1_000 && told.length < count)
  t.deepEqual(JSON.parse(told.at(-1) ?? ''), { errcode: -7, error: ['the service could not answer; try again'] })
  t.true(told.slice(0, -1).every((line) => JSON.parse(line)._pk > 0))
})

test.serial(
  'a reader that goes away ends the asking, and one that reads nothing is asked for no more than two parts',
  async (t) => {
    Object.assign(parts, { asked: 0 })
    await client.post('/db/mydb/query', { sql }, { accept: lines })
    const all = parts.asked
    t.true(all >= 6, String(all))
    parts.asked = 0
    const asking = request(`${url}/db/mydb/query`, { method: 'POST', headers: { accept: lines } })
    asking.on('error', () => {})
    asking.end(JSON.stringify({ sql }))
    await new Promise((resolve) => asking.once('response', resolve))
    await until('the first parts are asked for', async () => parts.asked >= 2)
    // Nothing is read: the parts that the connection does not take are not asked for, however many other questions come and go.
    for (let i = 0; i < 20; i++) await client.count('select count(*) from many.s')
    const held = parts.asked
    t.true(held < all, `${held} of ${all}`)
    asking.destroy()
    for (let i = 0; i < 20; i++) await client.count('select count(*) from many.s')
    t.true(parts.asked <= held + 1)
  },
)
