import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { ensureKafka, startKafka } from '../../scripts/parts/kafka.js'
import { ensureKafkaStreams } from '../../scripts/parts/kafka-streams.js'
import { createLoader, type Loader } from '../load/load.ts'
import { median } from '../quantile.ts'
import { type Figure, ratio, spread, whole } from '../report.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'
import { openBatches } from './batches.ts'
import { startStreamsPeer } from './kafka-streams/peer.ts'
import { pattern, plain, twoStreams } from './workloads.ts'

/** Over Kafka a service asks for what is new all the time, and does not come to rest. */
const restSeconds = 3

type Place = { readonly folder: string; readonly brokers: string; readonly streams: string | undefined }
type Streams = Parameters<typeof openBatches>[1]

/** Nothing where there is no Kafka. */
const measureKafka =
  (what: 'pattern' | 'join') =>
  async (folder: string, loader: Loader, size: Size): Promise<Figure[]> => {
    const jars = await ensureKafka()
    if (jars === undefined) return []
    const streams = await ensureKafkaStreams()
    mkdirSync(folder, { recursive: true })
    const broker = await startKafka({ jars, folder })
    const second = createLoader()
    try {
      const place = { folder, brokers: broker.brokers, streams }
      const one = (workload: typeof plain): Streams => [{ loader, workload }]
      const two = (isJoined: boolean): Streams => {
        const [workload, other] = twoStreams(isJoined)
        return [...one(workload), { loader: second, workload: other }]
      }
      const compared =
        what === 'pattern' ? { without: one(plain), having: one(pattern) } : { without: two(false), having: two(true) }
      return [await measure(place, size, { what, ...compared })]
    } finally {
      await second.close()
      await broker.kill()
    }
  }

export const measurePatternOverKafka = measureKafka('pattern')
export const measureJoinOverKafka = measureKafka('join')

const sentences = {
  pattern: 'over Kafka: the pattern, events a second until all can be queried',
  join: 'over Kafka: the join of two streams, events a second of each until all rows can be queried',
} as const

const peers = {
  pattern: 'a processor with a store',
  join: 'its own join of two tables',
} as const

/** Rules in turn with the same streams without them, and with Kafka Streams where it runs. */
async function measure(
  { folder, brokers, streams }: Place,
  size: Size,
  { what, without, having }: { readonly what: 'pattern' | 'join'; readonly without: Streams; readonly having: Streams },
): Promise<Figure> {
  const open = (name: string, of: Streams) =>
    openBatches(
      join(folder, `${what}-${name}`),
      of,
      { ...size, restSeconds: Math.min(size.restSeconds, restSeconds) },
      {
        KAFKA_BROKERS: brokers,
        KAFKA_TOPIC_PREFIX: `${what}-${name}.`,
      },
    )
  const services = { without: await open('without', without), having: await open('having', having) }
  const state = join(folder, `${what}-streams`)
  const peer =
    streams === undefined
      ? undefined
      : await startStreamsPeer({ jars: streams, brokers, what, folder: state, batch: size.batch })
  const found = await inTurn(size.rounds, {
    without: async () => (await services.without.round()).rate,
    having: async () => (await services.having.round()).rate,
    peer: peer?.round ?? (async () => 0),
  })
  await services.without.close()
  await services.having.close()
  await peer?.close()
  const share = median(found.having) / median(found.without)
  const beside = `without the rule ${spread(found.without, whole)}: ${ratio(share)}`
  return {
    part: '',
    what: sentences[what],
    weir: spread(found.having, whole),
    beside: peer
      ? `${beside}; Kafka Streams (${peers[what]}; from produced records to committed rows) ${spread(found.peer, whole)}`
      : beside,
    target: '0.5',
    isMet: share >= 0.5,
  }
}
