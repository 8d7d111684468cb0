/** Over Kafka: live streams of rows, notifications of single patterns, a key's bound. */
import test, { type ExecutionContext } from 'ava'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { attr, createSchemas, joined, passing, same, shown, stream, where } from './acceptance.ts'

let starting: Promise<RunningService> | undefined
test.after.always(async () => (await starting)?.close())

/** One service for all tests of this file. */
async function opened(t: ExecutionContext) {
  t.timeout(700_000)
  starting ??= brokerOfRun().then(({ settings }) => startService(settings))
  const { client, url } = await starting
  return { url, ...createSchemas(client, `kinds${t.title.length}x`) }
}

const [point, temp, pres] = [attr('point', 9), attr('temp', 11), attr('pres', 11)]
const side = (rstm: string, iatr: string[], ratr: string[]) => ({
  join: [{ name: 'pair', type: 1, iatr, rstm, ratr, jqry: same('point'), ostm: 'tp' }],
})
const sides = [
  stream('t', [point, temp], side('p', ['temp'], ['pres'])),
  stream('p', [point, pres], side('t', ['pres'], ['temp'])),
  joined('tp', ['t', 'p']),
]

withKafka.serial('a live stream of rows that rules make over Kafka has each of them once', async (t) => {
  const { client, url, register } = await opened(t)
  const { schema } = await register(sides)
  const live = await openEventStream(url, `/stream/${schema}/tp/live`)
  t.is(live.status, 200)
  const points = Array.from({ length: 50 }, (_, n) => n)
  await client.lines(
    `${schema}.t`,
    points.map((n) => ({ point: n, temp: n })),
  )
  await client.lines(
    `${schema}.p`,
    points.map((n) => ({ point: n, pres: n })),
  )
  await live.until('all rows', points.length)
  t.deepEqual(shown(live.data(), 'temp', 'pres').sort(), points.map((n) => `${n} ${n}`).sort())
  live.close()
})

withKafka.serial('a single pattern over Kafka notifies of each event that passes, once', async (t) => {
  const { client, register } = await opened(t)
  const notifid = 8701
  await client.ok(client.post('/db/notification/register', { notifid, name: 'hot', freq: 0 }))
  const one = { name: 'one', type: 6, iatr: ['point', 'temp'], fqry: passing([where('temp', 'GT', 10)]), notf: notifid }
  const { schema, lines } = await register([stream('t', [point, temp], { cepq: [one] })])
  await lines(
    't',
    Array.from({ length: 30 }, (_, n) => ({ point: n, temp: n })),
  )
  t.is(await client.count(`select count(*) from ${schema}.t`), 30)
  const asked = `from notif where notifid = ${notifid}`
  await until('all matches are sent', async () => (await client.count(`select count(*) ${asked}`)) >= 19, 60_000)
  const told = (await client.documents(`select * ${asked}`)).map(({ notif_event }) => notif_event)
  t.deepEqual(
    shown(told, 'temp')
      .map(Number)
      .sort((a, b) => a - b),
    Array.from({ length: 19 }, (_, n) => n + 11),
  )
})

withKafka.serial('of 10,000 free events of a key over Kafka the oldest go, and info counts them', async (t) => {
  const { client, register } = await opened(t)
  const { schema, lines, rows } = await register(sides)
  await lines(
    't',
    Array.from({ length: 10_005 }, (_, n) => ({ point: 1, temp: n })),
  )
  await lines('p', [
    { point: 1, pres: 1 },
    { point: 1, pres: 2 },
  ])
  t.deepEqual(shown(await rows('tp'), 'temp', 'pres'), ['5 1', '6 2'])
  t.is((await client.ok(client.get(`/stream/${schema}/info`))).streams[0].rule_state.dropped, 5)
})
