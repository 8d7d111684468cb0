/** Over Kafka: schemas that are edited and grow, lines that are none of Weir's. */
import test, { type ExecutionContext } from 'ava'
import { Kafka, logLevel } from 'kafkajs'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'
import { attr, createSchemas, joined, passing, shown, stream, where } from './acceptance.ts'

let broker: ReturnType<typeof brokerOfRun> | undefined
let starting: Promise<RunningService> | undefined
test.after.always(async () => (await starting)?.close())

/** One service for all tests of this file. */
async function opened(t: ExecutionContext, name: string) {
  t.timeout(700_000)
  broker ??= brokerOfRun()
  const { settings } = await broker
  starting ??= startService(settings)
  const { client } = await starting
  return { settings, ...createSchemas(client, name) }
}

const [car, v] = [attr('car', 5), attr('v', 11)]
const rising = (name: string, by: readonly string[], numt: number) => [
  stream(name, [car, v], {
    cepq: [
      {
        ...{ name: 'rising', type: 1, iatr: ['car', 'v'], rstm: name, ratr: ['v'], ostm: `${name}_rows` },
        jqry: { cond: [...by, 'v'], args: [...by, 'v'], cmp: [...by.map(() => 'EQ'), 'LT'] },
        cond: [{ name: 'NUMT', val: numt }],
      },
    ],
  }),
  joined(`${name}_rows`, [name]),
]

withKafka.serial('an edit of other streams takes nothing from what rules over Kafka remember', async (t) => {
  const { register, client } = await opened(t, 'edited')
  const [run, keyless] = [rising('run', ['car'], 3), rising('keyless', [], 3)]
  const { send, edit, rows } = await register([...run, ...keyless])
  const speeds = async (...values: number[]) => {
    for (const value of values) {
      await send(['run', 'keyless'].map((name) => [name, value, { car: 'a', v: value }] as const))
    }
  }
  await speeds(1)
  await client.ok(edit([...rising('another', ['car'], 1), ...run, ...keyless]))
  await speeds(2)
  await client.ok(edit([...keyless, ...run]))
  await speeds(3, 4)
  for (const name of ['run_rows', 'keyless_rows']) t.deepEqual(shown(await rows(name), 'v'), ['4'], name)
})

withKafka.serial('rules over Kafka go on in schemas of many streams with long names', async (t) => {
  const { register, client } = await opened(t, `schema${'s'.repeat(50)}`)
  const single = (name: string) => [
    stream(name, [car, v], {
      cepq: [
        {
          ...{ name: 'one', type: 6, iatr: ['v'], fqry: passing([where('v', 'GT', 0)]), ostm: `${name}r` },
        },
      ],
    }),
    joined(`${name}r`, [name]),
  ]
  const names = Array.from({ length: 26 }, (_, n) => `${'stream'.repeat(9)}${n}`)
  const { lines, schema } = await register(names.flatMap(single))
  // Each stream comes to all partitions.
  const events = Array.from({ length: 12 }, () => ({ car: 'a', v: 7 }))
  for (const name of names) await lines(name, events)
  for (const name of names) t.is(await client.count(`select count(*) from ${schema}.${name}r`), events.length, name)
})

withKafka.serial(
  'a foreign line among the turns of rules is set aside, and events before and behind it are taken',
  async (t) => {
    const { register, client, settings } = await opened(t, 'foreign')
    const { send, schema, rows } = await register(rising('run', ['car'], 1))
    await send([['run', 1, { car: 'a', v: 1 }]])
    const producer = new Kafka({ brokers: [settings.KAFKA_BROKERS], logLevel: logLevel.NOTHING }).producer()
    await producer.connect()
    const topic = `${settings.KAFKA_TOPIC_PREFIX}.${schema}.weir__turns`
    await producer.send({ topic, messages: [0, 1, 2].map((partition) => ({ partition, value: 'x' })) })
    await producer.disconnect()
    await send([['run', 2, { car: 'a', v: 2 }]])
    t.deepEqual(shown(await rows('run_rows'), 'v'), ['2'])
    const asked = `SELECT count() AS n FROM ${schema}.run__rejected WHERE line = 'x'`
    const { data } = await until('the lines to be set aside', async () => {
      const answer = await client.post('/sql', { sql: asked })
      return answer.status === 200 && answer.body.data[0].n >= 3 ? answer.body : undefined
    })
    t.is(Number(data[0].n), 3)
  },
)
