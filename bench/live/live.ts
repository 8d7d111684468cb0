import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { ask } from '../ask.ts'
import type { Loader } from '../load/load.ts'
import { openSingleEvents, rates } from '../load/rounds.ts'
import { orders } from '../load/workload.ts'
import { median } from '../quantile.ts'
import { type Figure, megabytes, milliseconds, percent, spread, whole } from '../report.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurnAtOnce } from '../turns.ts'
import type { LiveMessage, Waits } from './live-worker.ts'

const consoles = 10
const [busyRate, calmRate] = [2_000, 10]

/** Readers and a client of theirs, in a process of their own. */
function createReaders(port: number, stream: string) {
  const worker = fork(new URL(`live-worker${extname(import.meta.url)}`, import.meta.url))
  const tell = <Answer>(message: LiveMessage): Promise<Answer> => ask<Answer>(worker, message)
  return {
    open: (readers: number) => tell<undefined>({ do: 'open', port, path: `/stream/${stream}/live`, readers }),
    post: (rate: number, events: number, seconds: number) =>
      tell<Waits>({ do: 'post', port, path: `/stream/${stream}`, rate, events, seconds }),
    leave: () => tell<undefined>({ do: 'close' }),
    async close(): Promise<void> {
      worker.disconnect()
      if (worker.exitCode === null) await once(worker, 'exit')
    },
  }
}

/** Live readers: how soon events come to them, what a thousand cost, what ten cost the ingest. */
export async function live(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  console.error('live: 2,000 events a second; a thousand readers ...')
  const readers = await measureReaders(join(folder, 'readers'), size)
  console.error('live: single events with ten readers, in turn with none ...')
  return [...readers, ...(await measureLoss(join(folder, 'loss'), loader, size))]
}

const schemaBody = {
  schema: 'live',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'number', type: 'LONG', stat: 'RSTAT' },
        { name: 'text', type: 'STRING' },
      ],
    },
  ],
}

async function measureReaders(folder: string, size: Size): Promise<Figure[]> {
  // All readers are of one address.
  const service = await startService(folder, { MAX_LIVE: String(2 * size.readers) })
  await service.register(schemaBody)
  const readers = createReaders(service.port, 'live/st')
  const { liveSeconds, readers: most } = size
  /** Bodies of so many events. */
  const eventsABody = 20
  const busyWithout = await cpuOf(() => readers.post(busyRate / eventsABody, eventsABody, liveSeconds))
  await readers.open(1)
  const busy = await cpuOf(() => readers.post(busyRate / eventsABody, eventsABody, liveSeconds))
  await readers.leave()
  await service.rests(size.restSeconds)
  const calmWithout = await cpuOf(() => readers.post(calmRate, 1, liveSeconds))
  const before = service.residentMegabytes()
  await readers.open(most)
  const opened = service.residentMegabytes()
  const calm = await cpuOf(() => readers.post(calmRate, 1, liveSeconds))
  const after = service.residentMegabytes()
  await readers.close()
  await service.close()

  async function cpuOf(work: () => Promise<Waits>): Promise<{ cores: number; waits: Waits }> {
    const [cpu, started] = [service.cpuSeconds(), performance.now()]
    const waits = await work()
    return { cores: ((service.cpuSeconds() - cpu) * 1000) / (performance.now() - started), waits }
  }

  const cores = calm.cores - calmWithout.cores
  const memory = Math.max(opened, after) - before
  const shown = ({ p50_ms, p95_ms }: Waits): string => `${milliseconds(p50_ms)} / ${milliseconds(p95_ms)}`
  return [
    {
      part: 'live',
      what: `from the answer to the reader at ${whole(busyRate)} events a second, p50 / p95`,
      weir: shown(busy.waits),
      beside: `${percent(busy.waits.leastShare)} came; the service takes ${busy.cores.toFixed(2)} cores, without a reader ${busyWithout.cores.toFixed(2)}`,
      target: 'p95 under 500 ms, all of them',
      isMet: busy.waits.p95_ms < 500 && busy.waits.leastShare === 1,
    },
    {
      part: '',
      what: `${whole(most)} readers at ${calmRate} events a second each, p50 / p95`,
      weir: shown(calm.waits),
      beside: `${percent(calm.waits.leastShare)} came; ${(calm.waits.bytes / 2 ** 20 / liveSeconds).toFixed(1)} MB a second`,
      target: 'p95 under 500 ms, all of them',
      isMet: calm.waits.p95_ms < 500 && calm.waits.leastShare === 1,
    },
    {
      part: '',
      what: 'what they take of a core',
      weir: cores.toFixed(2),
      beside: `the service without readers ${calmWithout.cores.toFixed(2)}, with them ${calm.cores.toFixed(2)}`,
      target: 'under 0.5',
      isMet: cores < 0.5,
    },
    {
      part: '',
      what: 'what they take of memory',
      weir: megabytes(memory),
      beside: `the service without readers ${megabytes(before)}`,
      target: 'under 100 MB',
      isMet: memory < 100,
    },
  ]
}

async function measureLoss(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const service = await openSingleEvents(folder, loader, orders, size)
  const readers = createReaders(service.port, orders.path)
  const found = await inTurnAtOnce(2 * size.rounds, {
    without: service.round,
    async having() {
      await readers.open(consoles)
      const round = await service.round()
      await readers.leave()
      return round
    },
  })
  await readers.close()
  await service.close()
  const [without, having] = [found.without, found.having].map((rounds) => rates(rounds.map(({ result }) => result)))
  const each = (having ?? []).map((rate, round) => 1 - rate / (without?.[round] ?? rate))
  const cost = median(each)
  const [alone_us = 0, having_us = 0] = [found.without, found.having].map((rounds) =>
    median(rounds.map(({ cpu_us }) => cpu_us)),
  )
  return [
    {
      part: '',
      what: `what ${consoles} readers of everything cost single events, 64 connections`,
      weir: `${percent(cost)} (${percent(Math.min(...each))} to ${percent(Math.max(...each))})`,
      beside: `${spread(having ?? [], whole)} a second, without them ${spread(without ?? [], whole)}; the readers' process shares the cores`,
      target: 'under 3 %',
      isMet: cost < 0.03,
    },
    {
      part: '',
      what: 'the part of it that the service itself takes, CPU an event',
      weir: `${(having_us - alone_us).toFixed(1)} us: ${percent((having_us - alone_us) / Math.max(1, alone_us))} more`,
      beside: `${having_us.toFixed(1)} us with them, ${alone_us.toFixed(1)} us without`,
      target: '',
    },
  ]
}
