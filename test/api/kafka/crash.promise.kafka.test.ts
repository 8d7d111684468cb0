import { execFileSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import test, { type ExecutionContext } from 'ava'
import { brokerOfRun, withKafka } from '../../support/parts/kafka.ts'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { loader, pathOf } from '../../support/program.ts'
import { rounds, seed } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { differences } from '../streams/compare.ts'
import { next, sentAt, whole } from '../streams/crash-schema.ts'
import type { Event } from '../streams/oracle.ts'

const schema = whole('load')
const kills = rounds(10, 2)
/** Acknowledged before every other kill, however slow the machine is. */
const amid = 40
let service: ServiceProcess | undefined
test.after.always(() => service?.end('SIGKILL'))

type Load = { readonly acknowledged: Set<number>; stop(): Promise<void> }

/** Posts until it is stopped; an event is posted once, whatever becomes of it, or again and again under one key. */
function load(clients: number): Load {
  const acknowledged = new Set<number>()
  let stopped = false
  const repeat = async (event: Event): Promise<void> => {
    const headers = { 'idempotency-key': `key ${event._pk}` }
    for (;;) {
      const answer = await service?.client.send('POST', '/stream/load/s', event, headers).catch(() => undefined)
      if (answer?.status === 200) break
      await sleep(10)
    }
    acknowledged.add(Number(event._pk))
  }
  const running = Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      while (!stopped) {
        if (index === 0) {
          await Promise.all(Array.from({ length: 8 }, () => repeat(next())))
          continue
        }
        const events = Array.from({ length: index === 1 ? 1 : 20 }, next)
        const answer = await service?.client.lines('load.s', events).catch(() => undefined)
        if (answer) for (const { _pk } of events) acknowledged.add(_pk)
        await sleep(answer ? 5 : 20)
      }
    }),
  )
  return {
    acknowledged,
    async stop() {
      stopped = true
      await running
    },
  }
}

/** Each acknowledged event is there, no event is there twice, and all aggregates agree with the events that are there. */
async function isWhole(t: ExecutionContext, acknowledged: ReadonlySet<number>): Promise<void> {
  if (!service) throw new Error('no service')
  const documents = await service.client.documents('select * from load.s')
  const times = new Set(documents.map(({ _pk }) => Number(_pk)))
  t.is(times.size, documents.length, 'an event is there twice')
  t.deepEqual(
    [...acknowledged].filter((time) => !times.has(time)),
    [],
    'an acknowledged event is lost',
  )
  t.true(documents.length >= (kills * amid) / 2, `${documents.length} events`)
  t.deepEqual(await differences(service.client, schema, { s: sentAt(times) }), [])
}

/** In a process of its own: chDB opens one folder in a process. */
function forgetConsumers(folder: string): void {
  const script = `
    import { createEmbeddedClickHouse } from ${JSON.stringify(pathOf('infra/clickhouse/embedded/client.ts'))}
    const clickhouse = createEmbeddedClickHouse({ path: process.argv[1] })
    await clickhouse.run('TRUNCATE TABLE weir.consumers')
    process.exit(0)`
  const options = [...loader, '--input-type=module', '-e', script, `${folder}/clickhouse`]
  execFileSync(process.execPath, options, { stdio: 'pipe', timeout: 60_000 })
}

withKafka.serial(
  'over Kafka every acknowledged event is in everything exactly once, after several kill -9 under load',
  async (t) => {
    t.timeout(700_000)
    const settings = {
      DATA_DIR: temporaryFolder(),
      ...(await brokerOfRun()).settings,
      CLICKHOUSE_HTTP_PORT: '0',
    }
    service = await spawnService(settings)
    await service.client.register(schema)
    const loading = load(4)
    for (let round = 0; round < kills; round++) {
      const before = loading.acknowledged.size
      await sleep([400, 250, 600, 150, 900][(seed + round) % 5])
      while (round % 2 === 0 && loading.acknowledged.size < before + amid) await sleep(5)
      await service.end('SIGKILL')
      service = await spawnService(settings)
    }
    await sleep(300)
    await loading.stop()
    await isWhole(t, loading.acknowledged)

    // As if no offset had ever been committed: everything is delivered again, under other groups.
    for (let round = 0; round < rounds(3, 2); round++) {
      await service.end(round === 1 ? 'SIGTERM' : 'SIGKILL')
      forgetConsumers(settings.DATA_DIR)
      service = await spawnService(settings)
      await service.client.lines('load.s', [next()])
    }
    await isWhole(t, loading.acknowledged)
  },
)
