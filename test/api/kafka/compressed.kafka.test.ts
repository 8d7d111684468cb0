/** Topics that an operator has the brokers pack. */
import test from 'ava'
import { Kafka, logLevel } from 'kafkajs'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test.after.always(killServices)

const codecs = ['gzip', 'snappy', 'lz4', 'zstd']
const ofTopic = 2

/** A schema with a rule over its events: values of a key that rise. */
function rising(schema: string) {
  const attr = [
    { name: 'k', type: 'STRING' },
    { name: 'n', type: 'LONG' },
  ]
  const pattern = {
    ...{ name: 'rising', type: 1, iatr: ['k', 'n'], rstm: 'st', ratr: ['n'], ostm: 'rises' },
    jqry: { cond: ['k', 'n'], args: ['k', 'n'], cmp: ['EQ', 'LT'] },
    cond: [{ name: 'NUMT', val: 2 }],
  }
  return {
    schema,
    streams: [
      { name: 'st', type: 1, swsz: 0, attr, cepq: [pattern] },
      { name: 'rises', type: 3, inpt: ['st'], attr },
    ],
  }
}

withKafka('events of topics that brokers pack are read, and so are those that rules look at', async (t) => {
  t.timeout(300_000)
  const { brokers, settings } = await brokerOfRun()
  const prefix = settings.KAFKA_TOPIC_PREFIX
  const { client } = await spawnService({ ...settings, DATA_DIR: temporaryFolder() })
  const attr = [
    { name: 'n', type: 9, stat: 'RSTAT' },
    { name: 'text', type: 5 },
  ]
  await client.register({ schema: 'packed', streams: codecs.map((name) => ({ name, type: 1, swsz: 0, attr })) })
  for (const schema of ['turned', 'plain']) await client.register(rising(schema))
  const admin = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  t.teardown(() => admin.disconnect())
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      ...codecs.map((codec): [string, string] => [`packed.${codec}`, codec]),
      ...['weir__turns', 'weir__memory', 'st', 'rises'].map((topic): [string, string] => [`turned.${topic}`, 'zstd']),
    ].map(([topic, value]) => ({
      type: ofTopic,
      name: `${prefix}.${topic}`,
      configEntries: [{ name: 'compression.type', value }],
    })),
  })
  const events = Array.from({ length: 3_000 }, (_, n) => ({ n, text: `event ${n} ${'of many '.repeat(n % 7)}` }))
  for (const codec of codecs) {
    await client.lines(`packed.${codec}`, events)
    t.is(await client.count(`select count(*) from packed.${codec}`), events.length, codec)
    const [row] = await client.rows(`select aggr(n) from packed.${codec} rollup 1`)
    t.like(JSON.parse(String(row?.v)).aggr_val, { cnt: 3_000, min: 0, max: 2_999 }, codec)
  }
  const found = []
  for (const schema of ['turned', 'plain']) {
    await client.lines(
      `${schema}.st`,
      events.slice(0, 500).map(({ n }) => ({ k: `k${n % 10}`, n })),
    )
    t.is(await client.count(`select count(*) from ${schema}.st`), 500)
    found.push(await client.count(`select count(*) from ${schema}.rises`))
  }
  t.true((found[0] ?? 0) > 0)
  t.is(found[0], found[1])
})
