import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureKafka, startKafka } from '../../scripts/parts/kafka.js'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { connections, measureRounds, rates } from '../load/rounds.ts'
import { orders } from '../load/workload.ts'
import { median, quantile } from '../quantile.ts'
import { type Figure, milliseconds, ratio, spread, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import { visits } from '../shop/visits.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'
import { inTurnAtOnce } from '../turns.ts'
import { bareProducer } from './producer.ts'

/** The log in a real Kafka on the same machine. */
export async function kafka(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const jars = await ensureKafka()
  if (jars === undefined) return []
  mkdirSync(join(folder, 'kafka'), { recursive: true })
  const broker = await startKafka({ jars, folder: join(folder, 'kafka') })
  const settings = { KAFKA_BROKERS: broker.brokers }
  try {
    console.error('Kafka: single events, in turn with an echo ...')
    const single = await measureRounds(join(folder, 'single'), loader, orders, size, settings)
    const share = median(rates(single.weir)) / median(rates(single.echo))
    console.error('Kafka: batches, in turn with a bare producer; publish to queryable; reconcile ...')
    const service = await startService(join(folder, 'batches'), { ...settings, KAFKA_TOPIC_PREFIX: 'batches.' })
    await service.register(orders.schemaBody)
    await service.register(visits.schemaBody)
    const batches = await measureBatches(service, broker.brokers, loader, size)
    const shop = await measureShop(service, loader, size)
    const waits_ms = await publishToQueryable(service, size)
    const reconcile_ms = await timed(async () => {
      const response = await fetch(`${service.base}/reconcile`, { method: 'POST', body: '{}' })
      if (!response.ok) throw new Error(await response.text())
      await response.text()
    })
    await service.close()
    const batchShare = median(batches.weir) / median(batches.bare)
    return [
      {
        part: 'Kafka',
        what: `single events a second, ${connections} connections`,
        weir: spread(rates(single.weir), whole),
        beside: `bare Koa ${spread(rates(single.echo), whole)}: ${ratio(share)}`,
        target: '0.4',
        isMet: share >= 0.4,
      },
      {
        part: '',
        what: 'NDJSON, events a second acknowledged',
        weir: spread(batches.weir, whole),
        beside: `bare kafkajs producer of ready bytes ${spread(batches.bare, whole)}: ${ratio(batchShare)}`,
        target: '0.6',
        isMet: batchShare >= 0.6,
      },
      {
        part: '',
        what: 'the same until they can be queried',
        weir: spread(batches.queryable, whole),
        beside: '',
        target: '',
      },
      {
        part: '',
        what: 'the same into the schema of the tour',
        weir: whole(shop),
        beside: '',
        target: '',
      },
      {
        part: '',
        what: 'publish to queryable, p50 / p95',
        weir: `${milliseconds(median(waits_ms))} / ${milliseconds(quantile(waits_ms, 0.95))}`,
        beside: '',
        target: 'p95 under 400 ms, aim 250',
        isMet: quantile(waits_ms, 0.95) < 400,
      },
      {
        part: '',
        what: `reconcile over ${whole(size.events)} events`,
        weir: milliseconds(reconcile_ms),
        beside: '',
        target: 'under 60 s for 1,000,000',
        isMet: reconcile_ms < 60_000,
      },
    ]
  } finally {
    await broker.kill()
  }
}

async function measureBatches(service: ServiceProcess, brokers: string, loader: Loader, size: Size) {
  const { bare, weir } = await inTurnAtOnce(Math.ceil(size.events / size.batch), {
    bare: async () => ({ acknowledged: await bareProducer(brokers, orders, size.batch), rate: 0 }),
    async weir(round) {
      const loaded = await postBatches(loader, service, orders, round * size.batch, size.batch)
      await service.rests(size.restSeconds)
      return loaded
    },
  })
  return {
    bare: bare.map(({ acknowledged }) => acknowledged),
    weir: weir.map(({ acknowledged }) => acknowledged),
    queryable: weir.map(({ rate }) => rate),
  }
}

/** Events a second until they can be queried, in the schema of the tour. */
async function measureShop(service: ServiceProcess, loader: Loader, size: Size): Promise<number> {
  const rates: number[] = []
  for (const first of [0, size.batch]) {
    rates.push((await postBatches(loader, service, visits, first, size.batch)).rate)
  }
  return median(rates)
}

/** From the moment an event is posted until a query that does not wait sees it. */
async function publishToQueryable(service: ServiceProcess, size: Size): Promise<number[]> {
  const query = { method: 'POST', body: JSON.stringify({ sql: 'select count(*) from shop.visits' }) }
  const count = async (): Promise<number> => {
    const response = await fetch(`${service.base}/db/mydb/query?consistency=eventual`, query)
    return ((await response.json()) as { retval: number }).retval
  }
  const waits: number[] = []
  for (let i = 0; i < size.asks; i++) {
    const before = await count()
    const body = JSON.stringify(visits.event(i))
    waits.push(
      await timed(async () => {
        await fetch(`${service.base}/stream/${visits.path}`, { method: 'POST', body })
        while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 2))
      }),
    )
  }
  return waits
}
