/** Edits of schemas whose events Kafka brings. */
import test from 'ava'
import { Kafka, logLevel } from 'kafkajs'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { ClickHouseError } from '../../../infra/clickhouse/clickhouse.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { type RunningService, startService } from '../../support/service.ts'
import { differences } from '../streams/compare.ts'
import { events, type WireSchema } from '../streams/oracle.ts'

let fails: RegExp | undefined
/** After that failure nothing more is changed. */
let [staysAway, isAway] = [false, false]
let clickhouse: ClickHouse | undefined
/** One for all tests. */
let ofRun: Awaited<ReturnType<typeof brokerOfRun>> | undefined
let service: RunningService | undefined
test.after.always(() => service?.close())
const breakable = (part: ClickHouse): ClickHouse => {
  clickhouse = part
  return {
    ...part,
    async run(statement) {
      const text = typeof statement === 'string' ? statement : statement.text
      if (isAway) throw new ClickHouseError(999, 'it is away')
      if (fails?.test(text)) {
        fails = undefined
        isAway = staysAway
        throw new ClickHouseError(999, 'it fails here')
      }
      await part.run(statement)
    },
  }
}

async function running() {
  ofRun ??= await brokerOfRun()
  service ??= await startService(ofRun.settings, silentLogger(), { clickhouse: breakable })
  return { ...ofRun, client: service.client }
}

const names = async (text: string): Promise<string[]> =>
  ((await clickhouse?.rows<{ name: string }>({ text, params: {} })) ?? []).map(({ name }) => name)

/** With `more` a table gains a measure, another is new, and a stream comes. */
const schemaOf = (more: boolean, schema = 'grown'): WireSchema => {
  const measured = (name: string) => ({ name, type: 9, ...((more || name === 'n') && { stat: 'COUNT' }) })
  const attr = [{ name: 'who', type: 5 }, measured('n'), measured('x')]
  const gpby = more ? [{ gpat: ['who'], iatr: 'x', stat: 'COUNT' }] : []
  const other = { name: 'other', type: 1, swsz: 0, attr: [{ name: 'n', type: 9, stat: 'COUNT' }] }
  const streams = [{ name: 's', type: 1, swsz: 0, attr, gpby }, ...(more ? [other] : [])]
  return { schema, streams } as WireSchema
}

withKafka.serial(
  'over Kafka an edit that is undone leaves no consumer of the streams that it was to add, and counts no event twice',
  async (t) => {
    t.timeout(600_000)
    const { client } = await running()
    await client.register(schemaOf(false))
    const posted = events(0, 30)
    await client.lines('grown.s', posted)
    t.is(await client.count('select count(*) from grown.s'), 30)
    const left = () => names("SELECT name FROM system.tables WHERE database = 'grown' AND startsWith(name, 'other')")
    const consumers = () =>
      names("SELECT queue AS name FROM weir.consumers FINAL WHERE startsWith(queue, 'grown.') ORDER BY name")

    // By then consumers of both schemas have been made.
    fails = /^EXCHANGE TABLES/
    t.is((await client.send('PUT', '/stream', schemaOf(true))).status, 503)
    t.true(fails === undefined)
    t.deepEqual([await left(), await consumers()], [[], ['grown.s']])
    t.deepEqual(await differences(client, schemaOf(false), { s: posted }), [])

    // As if Kafka had forgotten what was committed: events of before the edit are delivered again while it builds.
    await clickhouse?.run('TRUNCATE TABLE weir.consumers')
    await client.ok(client.send('PUT', '/stream', schemaOf(true)))
    posted.push(...events(100, 5))
    const others = events(0, 4)
    await client.lines('grown.s', posted.slice(-5))
    await client.lines('grown.other', others)
    t.deepEqual(await differences(client, schemaOf(true), { s: posted, other: others }), [])
    t.deepEqual(await consumers(), ['grown.other', 'grown.s'])
  },
)

withKafka.serial('over Kafka a schema that goes amid an edit takes the topics of the edit with it', async (t) => {
  t.timeout(600_000)
  const { brokers, settings, client } = await running()
  const admin = new Kafka({ brokers: [brokers], logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  t.teardown(() => admin.disconnect())
  const topics = async () =>
    (await admin.listTopics()).filter((topic) => topic.startsWith(`${settings.KAFKA_TOPIC_PREFIX}.short.`)).length
  await client.register(schemaOf(false, 'short'))
  await client.lines('short.s', events(0, 30))
  ;[fails, staysAway] = [/^EXCHANGE TABLES/, true]
  t.is((await client.send('PUT', '/stream', schemaOf(true, 'short'))).status, 503)
  t.is(await topics(), 2, 'the edit is half-done')
  ;[staysAway, isAway] = [false, false]
  await client.ok(client.send('DELETE', '/stream/short'))
  t.is(await topics(), 0)
})
