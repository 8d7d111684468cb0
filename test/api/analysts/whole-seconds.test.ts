/** `_time` beside whole seconds: an event within the second of a bound is on its right side, whatever parts hold it. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const second = 1_795_950_000
/** Four events in the second before, and four in the second of the bound, each in a part of its own. */
const times = Array.from({ length: 8 }, (_, n) => second * 1_000_000 - 800_000 + n * 250_000)

test.before(async () => {
  await client.ok(
    client.send('POST', '/stream', { schema: 's', streams: { e: { keep: 'forever', attributes: { n: 'integer' } } } }),
  )
  for (const [n, _pk] of times.entries()) {
    await client.ok(client.send('POST', '/stream/s/e', { _pk, n }))
    await client.ok(client.send('POST', '/sql', { sql: 'SELECT count() FROM s.e' }))
  }
})

const bounds: Readonly<Record<string, (at: number) => string>> = {
  'toDateTime(...)': (at) => `toDateTime(${at})`,
  'a DateTime and an interval': (at) => `toDateTime(${at - 60}) + INTERVAL 1 MINUTE`,
  'a number that is taken away': (at) => `toDateTime(${at + 60}) - 60`,
  'a parameter': (at) => `{at_${at}:DateTime}`,
  'a text': (at) => `'${new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')}'`,
  'toDateTime64(..., 3)': (at) => `toDateTime64(${at}, 3)`,
}
const operators: readonly [string, (time: number, at: number) => boolean][] = [
  ['>', (time, at) => time > at],
  ['<', (time, at) => time < at],
  ['>=', (time, at) => time >= at],
  ['<=', (time, at) => time <= at],
]
for (const [name, bound] of Object.entries(bounds)) {
  test(`a bound that is ${name}`, async (t) => {
    for (const at of [second - 1, second, second + 1]) {
      for (const [operator, holds] of operators) {
        const wanted = times.filter((time) => holds(time / 1_000_000, at)).length
        const params = name === 'a parameter' ? { params: { [`at_${at}`]: at } } : {}
        for (const condition of [`_time ${operator} ${bound(at)}`, `t ${operator} ${bound(at)}`]) {
          const sql = `SELECT count() AS c FROM (SELECT *, _time AS t FROM s.e) WHERE ${condition}`
          const { rows, data } = await client.ok(client.send('POST', '/sql', { sql, ...params }))
          t.is(Number((data ?? rows)[0].c), wanted, sql)
        }
      }
    }
  })
}

test('a bound on the other side, and within a filter of a panel', async (t) => {
  for (const [sql, wanted] of [
    [`SELECT count() AS c FROM s.e WHERE toDateTime(${second}) < _time`, 4],
    [`SELECT count() AS c FROM s.e WHERE toDateTime(${second}) > _time`, 4],
    [`SELECT count() AS c FROM s.e SETTINGS additional_table_filters = {'s.e': '_time > toDateTime(${second})'}`, 4],
    [`SELECT count() AS c FROM s.e WHERE _time > now() - INTERVAL 100 YEAR`, 8],
    [`WITH toDateTime(${second}) AS bound SELECT count() AS c FROM s.e WHERE _time > bound`, 4],
    [`SELECT count() AS c FROM s.e WHERE _time > ${second}`, 4],
  ] as const) {
    const { data } = await client.ok(client.send('POST', '/sql', { sql }))
    t.is(Number(data[0].c), wanted, sql)
  }
})
