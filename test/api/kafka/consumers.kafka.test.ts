/** Several processes on one Kafka and one ClickHouse server, and the Kafka tables that they share. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { killServices, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'
import { bare, next } from '../streams/crash-schema.ts'

test.after.always(killServices)

/** Watches, past Weir, which Kafka tables of a schema there are; a table that is made anew has another id. */
function watchTables(url: string, schema: string) {
  const seen = new Set<string>()
  let isOver = false
  const query = `SELECT toString(uuid) FROM system.tables WHERE database = '${schema}' AND engine = 'Kafka' FORMAT TSV`
  const watching = (async () => {
    while (!isOver) {
      const text = await fetch(url, { method: 'POST', body: query })
        .then((answer) => (answer.ok ? answer.text() : ''))
        .catch(() => '')
      for (const id of text.split('\n').filter((line) => line !== '')) seen.add(id)
      await sleep(100)
    }
  })()
  return {
    made: (): number => seen.size,
    async stop(): Promise<void> {
      isOver = true
      await watching
    },
  }
}

withKafka(
  'processes that ask nothing leave the consumers alone that one of them made, and mend what is gone',
  async (t) => {
    t.timeout(700_000)
    const folder = temporaryFolder()
    const server = await startTestClickHouse({ folder: join(folder, 'server') })
    t.teardown(() => server.kill())
    const kafka = await brokerOfRun()
    const settings = { DATA_DIR: join(folder, 'weir'), CLICKHOUSE_URL: server.url, ...kafka.settings }
    const a = await spawnService({ ...settings, ROLE: 'api' })
    const b = await spawnService({ ...settings, ROLE: 'api' })
    const tables = watchTables(server.url, 'alone')
    t.teardown(tables.stop)
    const events = Array.from({ length: 60 }, next)
    const schema = bare('alone')
    const [stream] = schema.streams
    if (!stream) throw new Error('no stream')

    await a.client.register(schema)
    await a.client.lines('alone.s', events.slice(0, 20))
    await sleep(8_000)
    t.is(tables.made(), 1, 'Kafka tables made for a registration')

    const attr = stream.attr.map((each) => (each.name === 'n' ? { ...each, stat: 'RSTAT' } : each))
    t.is((await a.client.send('PUT', '/stream', { ...schema, streams: [{ ...stream, attr }] })).status, 200)
    const edited = tables.made()
    t.true(edited <= 3, `${edited} Kafka tables made for an edit`)
    await b.client.lines('alone.s', events.slice(20, 40))
    await sleep(12_000)
    t.is(tables.made(), edited, 'Kafka tables made while nothing happens')

    // Whichever of them looked after the consumers, the other does now.
    await a.end('SIGKILL')
    await fetch(server.url, { method: 'POST', body: 'DROP TABLE alone.s__topic SYNC' })
    await until('the consumer is made anew', () => tables.made() > edited, 12_000)
    await b.client.lines('alone.s', events.slice(40))
    await until(
      'every event is there once',
      async () => {
        const answer = await b.client.query('select count(*) from alone.s')
        return answer.body?.retval === events.length
      },
      30_000,
    )
    const documents = await b.client.documents('select * from alone.s')
    t.deepEqual(
      documents.map(({ _pk }) => Number(_pk)).toSorted((x, y) => x - y),
      events.map(({ _pk }) => Number(_pk)),
    )
    t.is(tables.made(), edited + 1)
  },
)
