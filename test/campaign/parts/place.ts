import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { ensureKafka, startKafka } from '../../../scripts/parts/kafka.js'
import { quickJava } from '../../../scripts/parts/kafka-quick.js'
import { ensureTemporal, startTemporal } from '../../../scripts/parts/temporal.js'
import { canTrace } from '../../infra/log/embedded/synced.ts'
import { startTestClickHouse } from '../../support/clickhouse/clickhouse-server.ts'
import { createWeir, type Weir } from './weir.ts'

/** A server that Weir needs, or one of its own processes. */
export type Part = {
  readonly name: string
  kill(): Promise<void>
  /** Starts it again and waits until it answers. */
  start(): Promise<void>
  /** Lets it stand still, with its connections as they are, and go on. */
  readonly pause?: () => Promise<void>
  readonly resume?: () => void
}

type Servers = { readonly parts: readonly Part[]; readonly settings: Readonly<Record<string, string>> }

export type Place = {
  readonly weirs: readonly Weir[]
  /** The servers that Weir uses. */
  readonly servers: readonly Part[]
  /** Whether an event may be delivered to ClickHouse more than once, and is set right afterwards. */
  readonly isKafka: boolean
  readonly brokers?: string
  /** Whether a power cut can be told from a kill: all that Weir stands on is in its own process, which can be traced. */
  readonly isCuttable: boolean
  /** The parts of a service's folder without which it refuses to start. */
  readonly folders: readonly ('log' | 'clickhouse')[]
}

const nothing: Servers = { parts: [], settings: {} }

async function kafka(folder: string): Promise<Servers> {
  const jars = await ensureKafka()
  if (jars === undefined) throw new Error('there is no Kafka here')
  const broker = await startKafka({ jars, folder: join(folder, 'kafka'), java: await quickJava(jars) })
  const part = {
    name: 'broker',
    kill: broker.kill,
    start: () => broker.restart(),
    pause: broker.pause,
    resume: () => void broker.resume(),
  }
  return { parts: [part], settings: { KAFKA_BROKERS: broker.brokers } }
}

async function temporal(folder: string): Promise<Servers> {
  const binary = await ensureTemporal()
  if (binary === undefined) throw new Error('there is no Temporal here')
  const server = await startTemporal({ binary, folder: join(folder, 'temporal') })
  const part = { name: 'Temporal', kill: server.kill, start: () => server.restart() }
  return { parts: [part], settings: { TEMPORAL_ADDRESS: server.address } }
}

async function clickHouse(folder: string): Promise<Servers> {
  const server = await startTestClickHouse({ folder: join(folder, 'clickhouse') })
  const part = { name: 'ClickHouse', kill: server.kill, start: () => server.restart() }
  return { parts: [part], settings: { CLICKHOUSE_URL: server.url } }
}

/** The servers that Weir uses in each mode, and how many processes of Weir there are. */
const modes = {
  embedded: { servers: [], processes: 1 },
  kafka: { servers: [kafka], processes: 1 },
  server: { servers: [clickHouse], processes: 2 },
  stack: { servers: [kafka, temporal], processes: 1 },
} as const

export type Mode = keyof typeof modes
export const modeNames = Object.keys(modes) as Mode[]

/** All parts of a mode, running. */
export async function openPlace(mode: Mode, folder: string): Promise<Place> {
  const { servers, processes } = modes[mode]
  const started: Servers[] = []
  for (const start of servers) started.push(await start(folder))
  const { parts, settings } = started.reduce(
    (all, one) => ({ parts: [...all.parts, ...one.parts], settings: { ...all.settings, ...one.settings } }),
    nothing,
  )
  const weirs: Weir[] = []
  for (let number = 0; number < processes; number++) {
    const name = processes === 1 ? 'Weir' : `Weir ${number + 1}`
    const data = join(realpathSync(folder), `weir-${number + 1}`)
    weirs.push(await createWeir(name, `${data}.log`, data, settings))
  }
  for (const weir of weirs) {
    weir.launch()
    await weir.ready()
  }
  const brokers: string | undefined = settings.KAFKA_BROKERS
  const isKafka = brokers !== undefined
  const isServer = 'CLICKHOUSE_URL' in settings
  return {
    weirs,
    servers: parts,
    isKafka,
    ...(isKafka && { brokers }),
    isCuttable: mode === 'embedded' && canTrace(),
    folders: [...(isServer ? [] : (['clickhouse'] as const)), ...(isKafka ? [] : (['log'] as const))],
  }
}

export async function closePlace({ weirs, servers }: Place): Promise<void> {
  for (const weir of weirs) await weir.stop()
  for (const server of servers) await server.kill()
}
