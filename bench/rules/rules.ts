import { join } from 'node:path'
import { createLoader, type Loader } from '../load/load.ts'
import { openSingleEvents, rates } from '../load/rounds.ts'
import { median, quantile } from '../quantile.ts'
import { type Figure, megabytes, milliseconds, percent, ratio, seconds, spread, whole } from '../report.ts'
import { measureSections, type Section } from '../sections.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'
import { inTurn } from '../turns.ts'
import { measureAbsence } from './absence.ts'
import { openBatches, rateOf } from './batches.ts'
import { measureJoinOverKafka, measurePatternOverKafka } from './over-kafka.ts'
import { measureTables } from './tables.ts'
import { measureWindows } from './windows.ts'
import { manyKeys, pattern, plain, reference, twoStreams } from './workloads.ts'

/** Rules with memory, each beside the same stream without the rule. */
export const rules = (folder: string, loader: Loader, size: Size): Promise<Figure[]> =>
  measureSections(sections, folder, loader, size)

const sections: readonly Section[] = [
  { what: 'rules: a pattern, a reference, each in turn with the stream without it', measure: measureStreams },
  { what: 'rules: a join of two streams, in turn with the two without it', measure: measureJoin },
  { what: 'rules: single events with a reference, in turn with those without', measure: measureSingle },
  { what: 'rules: a lookup in a table, in turn with the stream without it', measure: measureTables },
  { what: 'rules: the state of many keys, and a start on it', measure: measureState },
  {
    what: 'rules: many devices, of which some fall silent',
    measure: (folder, _, size) => measureAbsence(folder, size),
  },
  { what: 'rules: windows by key of 100,000 keys, in turn with lookups of all time', measure: measureWindows },
  { what: 'rules: a pattern over Kafka, where there is one', measure: measurePatternOverKafka },
  { what: 'rules: a join over Kafka, where there is one', measure: measureJoinOverKafka },
]

const us = (rounds: readonly number[]): number => median(rounds.map((rate) => 1e6 / rate))

async function measureStreams(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const open = (name: string, workload: typeof plain) => openBatches(join(folder, name), [{ loader, workload }], size)
  const services = {
    plain: await open('plain', plain),
    pattern: await open('pattern', pattern),
    reference: await open('reference', reference),
  }
  const found = await inTurn(size.rounds, {
    plain: services.plain.round,
    pattern: services.pattern.round,
    reference: services.reference.round,
  })
  const sustained = { plain: await services.plain.sustained(), pattern: await services.pattern.sustained() }
  const waits_ms = await rowsOfPattern(services.pattern.service.base, size)
  for (const { close } of Object.values(services)) await close()
  const [without, having] = [rateOf(found.plain), rateOf(found.pattern)]
  const share = median(having) / median(without)
  const lags_ms = found.pattern.flatMap((round) => round.lags_ms)
  const more_us = us(rateOf(found.reference)) - us(without)
  return [
    {
      part: 'rules',
      what: 'a pattern of two joins over 100,000 keys: events a second until all can be queried, 1,000 a body',
      weir: spread(having, whole),
      beside: `without the rule ${spread(without, whole)}: ${ratio(share)}`,
      target: '50,000; 0.6',
      isMet: median(having) >= 50_000 && share >= 0.6,
    },
    {
      part: '',
      what: `the same of ${whole(size.events)} events without a rest`,
      weir: whole(sustained.pattern.rate),
      beside: `without the rule ${whole(sustained.plain.rate)}: ${ratio(sustained.pattern.rate / sustained.plain.rate)}; lag p95 ${milliseconds(quantile(sustained.pattern.lags_ms, 0.95))}`,
      target: '50,000; 0.6',
      isMet: sustained.pattern.rate >= 50_000 && sustained.pattern.rate / sustained.plain.rate >= 0.6,
    },
    {
      part: '',
      what: 'age of the oldest acknowledged event or row that cannot be queried, under that load: p95 / max',
      weir: `${milliseconds(quantile(lags_ms, 0.95))} / ${milliseconds(Math.max(...lags_ms))}`,
      beside: '',
      target: 'p95 under 500 ms',
      isMet: quantile(lags_ms, 0.95) < 500,
    },
    {
      part: '',
      what: 'post to a row that can be queried, p50 / p95',
      weir: `${milliseconds(median(waits_ms))} / ${milliseconds(quantile(waits_ms, 0.95))}`,
      beside: '',
      target: 'p95 under 500 ms',
      isMet: quantile(waits_ms, 0.95) < 500,
    },
    {
      part: '',
      what: 'what a reference adds to an event of NDJSON',
      weir: `${more_us.toFixed(1)} us`,
      beside: `${spread(rateOf(found.reference), whole)} a second, without it ${spread(without, whole)}`,
      target: 'under 15 us',
      isMet: more_us < 15,
    },
  ]
}

/** From the moment the last event of a run is posted until a query that does not wait sees its row. */
async function rowsOfPattern(base: string, { asks }: Size): Promise<number[]> {
  const query = { method: 'POST', body: JSON.stringify({ sql: 'select count(*) from pattern.rises' }) }
  const count = async (): Promise<number> => {
    const response = await fetch(`${base}/db/mydb/query?consistency=eventual`, query)
    return ((await response.json()) as { retval: number }).retval
  }
  const post = (v: number) =>
    fetch(`${base}/stream/pattern/readings`, { method: 'POST', body: JSON.stringify({ car: 'last', v }) })
  for (const v of [1, 2]) await post(v)
  const waits: number[] = []
  for (let i = 0; i < asks; i++) {
    const before = await count()
    waits.push(
      await timed(async () => {
        await post(3 + i)
        while ((await count()) === before) await new Promise((resolve) => setTimeout(resolve, 2))
      }),
    )
  }
  return waits
}

async function measureJoin(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const second = createLoader()
  const open = (isJoined: boolean) => {
    const [one, other] = twoStreams(isJoined)
    const streams = [
      { loader, workload: one },
      { loader: second, workload: other },
    ]
    return openBatches(join(folder, String(isJoined)), streams, size)
  }
  const services = { apart: await open(false), joined: await open(true) }
  const found = await inTurn(size.rounds, { apart: services.apart.round, joined: services.joined.round })
  await services.apart.close()
  await services.joined.close()
  await second.close()
  const [without, having] = [rateOf(found.apart), rateOf(found.joined)]
  return [
    {
      part: '',
      what: 'a join of two streams: events a second of each until all rows can be queried',
      weir: spread(having, whole),
      beside: `the two streams without it ${spread(without, whole)}: ${ratio(median(having) / median(without))}`,
      target: '25,000',
      isMet: median(having) >= 25_000,
    },
  ]
}

async function measureSingle(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const services = {
    plain: await openSingleEvents(join(folder, 'plain'), loader, plain, size),
    reference: await openSingleEvents(join(folder, 'reference'), loader, reference, size),
  }
  const found = await inTurn(size.rounds, { plain: services.plain.round, reference: services.reference.round })
  await services.plain.close()
  await services.reference.close()
  const [without, having] = [found.plain, found.reference].map((rounds) => rates(rounds.map(({ result }) => result)))
  const share = 1 - median(having ?? []) / median(without ?? [])
  return [
    {
      part: '',
      what: 'single events a second with a reference, 64 connections',
      weir: `${spread(having ?? [], whole)}: ${percent(share)} fewer`,
      beside: `without it ${spread(without ?? [], whole)}`,
      target: 'under 10 % fewer',
      isMet: share < 0.1,
    },
  ]
}

async function measureState(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const { service, round } = await openBatches(folder, [{ loader, workload: manyKeys }], size)
  const before = service.residentMegabytes()
  for (let events = 0; events < size.events; events += size.batch) await round()
  const [after, bytes] = [service.residentMegabytes(), await stateBytes(service.base)]
  await service.close()
  const again = await startService(folder)
  const first_ms = await timed(async () => {
    const body = JSON.stringify(manyKeys.event(size.events - 1))
    const response = await fetch(`${again.base}/stream/${manyKeys.path}`, { method: 'POST', body })
    if (!response.ok) throw new Error(await response.text())
  })
  const restored = again.residentMegabytes()
  await again.close()
  const took_s = (again.start_ms + first_ms) / 1000
  return [
    {
      part: '',
      what: `the state of ${whole(size.events)} keys, as kept on the disk`,
      weir: megabytes(bytes / 2 ** 20),
      beside: `the service had ${megabytes(before)} before and ${megabytes(after)} after, and ${megabytes(restored)} once it was started again`,
      target: 'under 512 MB',
      isMet: bytes < 512 * 2 ** 20,
    },
    {
      part: '',
      what: 'start on it, up to the answer to an event that its rules have met',
      weir: seconds(took_s),
      beside: '',
      target: 'under 5 s',
      isMet: took_s < 5,
    },
  ]
}

async function stateBytes(base: string): Promise<number> {
  const response = await fetch(`${base}/stream/keys/info`)
  const { streams } = (await response.json()) as { streams: { rule_state?: { bytes: number } }[] }
  return streams.reduce((sum, { rule_state: state }) => sum + (state?.bytes ?? 0), 0)
}
