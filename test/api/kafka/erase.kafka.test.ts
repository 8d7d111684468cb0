import test from 'ava'
import { Kafka, logLevel } from 'kafkajs'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

test.after.always(killServices)

/** As brokers do some days after the last member of a group has gone. */
async function forgetGroups(brokers: string, prefix: string): Promise<void> {
  const admin = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING, retry: { retries: 0 } }).admin()
  await admin.connect()
  await until(
    'the end of all groups',
    async () => {
      const { groups } = await admin.listGroups()
      const own = groups.map(({ groupId }) => groupId).filter((id) => id.startsWith(prefix))
      for (const id of own) await admin.deleteGroups([id]).catch(() => {})
      return own.length === 0 ? true : undefined
    },
    60_000,
  )
  await admin.disconnect()
}

const attr = [
  { name: 'who', type: 5 },
  { name: 'n', type: 9, stat: 'COUNT' },
]
const fqry = { name: JSON.stringify({ query: [{ key: 'n', cmp_op: 1, val: 0 }], qtype: 1 }), type: 1 }
const schema = {
  schema: 'erased',
  streams: [
    {
      name: 's',
      type: 1,
      swsz: 0,
      attr,
      fltr: [{ name: 'f', fqry, fatr: ['who', 'n'], ostm: 'copies' }],
    },
    { name: 'copies', type: 2, swsz: 0, inpt: ['s'], attr },
  ],
}

withKafka('erased events are taken again by no consumer, though it has lost its place in the topic', async (t) => {
  t.timeout(600_000)
  const { brokers, settings: ofBroker } = await brokerOfRun()
  const folder = temporaryFolder()
  const settings = { ...ofBroker, DATA_DIR: folder }
  let service = await spawnService(settings)
  await service.client.register(schema)
  const events = Array.from({ length: 300 }, (_, n) => ({ who: n < 100 ? 'bob' : 'ann', n }))
  // A message has one place in the topic, however many events it brings.
  await service.client.lines('erased.s', events.slice(0, 100))
  for (let at = 100; at < 300; at += 20) await service.client.lines('erased.s', events.slice(at, at + 20))
  const sql = 'delete from erased.s where who = "ann"'
  const erase = async () => (await service.client.ok(service.client.post('/db/mydb/query', { sql }))).retval
  t.is(await erase(), 200)
  t.is(await erase(), 0)

  await service.end('SIGTERM')
  await forgetGroups(brokers, ofBroker.KAFKA_TOPIC_PREFIX)
  service = await spawnService(settings)
  const { client } = service
  await client.event('erased.s', { who: 'cid', n: 1 })
  for (const stream of ['s', 'copies']) {
    t.is(await client.count(`select count(*) from erased.${stream}`), 101)
    t.is(await client.count(`select count(*) from erased.${stream} where who = "ann"`), 0)
  }
  const counted = async () => {
    const [row] = await client.rows('select aggr(n) from erased.s rollup 1')
    return JSON.parse(String(row?.v)).aggr_val.cnt
  }
  t.is(await counted(), 301)
  const { streams } = await client.ok(client.post('/reconcile', { schema: 'erased' }))
  t.deepEqual(
    streams.filter(({ wrong }: { wrong: number }) => wrong > 0),
    [],
  )
  t.is(await counted(), 301)
})
