import type { Loader, LoadResult } from '../load/load.ts'
import { rates } from '../load/rounds.ts'
import { median, quantile } from '../quantile.ts'
import { type Figure, milliseconds, spread, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { filtered, filters, rowsRead } from './filters.ts'
import { pointReads, shown } from './reads.ts'
import { document, keyOf, openStorage, type RecordStorage } from './table.ts'

const part = 'records'
const connections = 64
const indexes = ['state', 'city'] as const

/** Records of a table: upserts at 64 connections, reads by key, indexed filters; floors while the service is away. */
export async function records(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const served = <Result>(work: (service: ServiceProcess) => Promise<Result>) => withService(folder, work)
  const stored = <Result>(work: (storage: RecordStorage) => Promise<Result>) => withStorage(folder, size, work)
  const read = ({ base }: ServiceProcess) => pointReads(base, size.reads, size.records)

  await served(({ base }) => post(`${base}/db/mydb/table`, { table_name: 'airports', table_type: 1, key_type: 1 }))
  console.error(`${whole(size.records)} records ...`)
  const filled = await stored(async (storage) => {
    await storage.fill()
    return measured(storage, size)
  })
  console.error('reads by key, filters and upserts, without and with indexes ...')
  const plain = await served(async (service) => ({
    before: await read(service),
    filtered: await counts(service, size),
    upserts: await upserts(service, loader, size),
    after: await read(service),
  }))
  const upserted = await stored((storage) => measured(storage, size))
  const inserts = await stored(({ inserts }) => inserts(insertedOf(size)))
  const indexed = await served(async (service) => {
    for (const index_name of indexes) {
      await post(`${service.base}/db/mydb/airports/index`, { index_name, key_type: 1, key_size: 24 })
    }
    return {
      filtered: await counts(service, size),
      upserts: await upserts(service, loader, size),
      after: await read(service),
    }
  })
  const last = await stored((storage) => measured(storage, size))

  return [
    readFigure('GET by key, after the fill', plain.before, filled),
    upsertFigure(`upserts at ${connections} connections`, plain.upserts, inserts, true),
    readFigure('GET by key, after the upserts', plain.after, upserted),
    ...filters.map((where, i): Figure => {
      const [less, all] = [last.rows[i] ?? 0, upserted.rows[i] ?? 0]
      return {
        part,
        what: `where ${where}`,
        weir: `${whole(less)} rows read (${((100 * less) / all).toFixed(2)} %), ${shown(indexed.filtered[i] ?? [])}`,
        beside: `no index: ${whole(all)} rows, ${shown(plain.filtered[i] ?? [])}`,
        target: '5 % of the rows',
        isMet: less / all < 0.05,
      }
    }),
    upsertFigure('the same with two indexes', indexed.upserts, inserts, false),
    readFigure('GET by key, two indexes', indexed.after, last),
  ]
}

async function post(url: string, body: object): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
}

async function withService<Result>(folder: string, work: (service: ServiceProcess) => Promise<Result>) {
  const service = await startService(folder)
  try {
    return await work(service)
  } finally {
    await service.close()
  }
}

async function withStorage<Result>(
  folder: string,
  { records }: Size,
  work: (storage: RecordStorage) => Promise<Result>,
): Promise<Result> {
  const storage = await openStorage(folder, records)
  try {
    return await work(storage)
  } finally {
    await storage.close()
  }
}

/** The floor of a read by key, the rows that each filter reads, and how many parts there are. */
async function measured(storage: RecordStorage, { reads }: Size) {
  const read_ms = await storage.reads(reads)
  const rows: number[] = []
  for (const where of filters) rows.push(await rowsRead(storage, where))
  return { read_ms, rows, parts: await storage.parts() }
}

async function counts({ base }: ServiceProcess, { asks }: Size): Promise<number[][]> {
  const taken: number[][] = []
  for (const where of filters) taken.push(await filtered(base, where, asks))
  return taken
}

/** Records that are put one by one, in rounds. */
async function upserts(service: ServiceProcess, loader: Loader, size: Size): Promise<LoadResult[]> {
  const bodies = Array.from(
    { length: 20_000 },
    (_, n) => `{"_pk":"${keyOf(n * 31, size.records)}","doc":${document(n)}}`,
  )
  const results: LoadResult[] = []
  for (let round = 0; round < size.rounds; round++) {
    results.push(
      await loader.run({
        port: service.port,
        path: '/db/mydb/airports/doc',
        contentType: 'application/json',
        bodies,
        connections,
        until: { seconds: size.upsertSeconds },
      }),
    )
    await service.rests(size.restSeconds)
  }
  return results
}

/** The number of records that the floor inserts: some seconds' worth. */
const insertedOf = ({ upsertSeconds }: Size): number => 64 * Math.ceil(40 * upsertSeconds)

function upsertFigure(what: string, results: readonly LoadResult[], floor: number, hasTarget: boolean): Figure {
  const p99_ms = median(results.map((each) => each.p99_ms))
  const isMet = median(rates(results)) >= 5_000 && p99_ms < 100
  return {
    part,
    what,
    weir: `${spread(rates(results), whole)} a second, p99 ${milliseconds(p99_ms)}`,
    beside: `ready bytes, 64 rows a statement, two at a time: ${whole(floor)} a second`,
    ...(hasTarget ? { target: '5,000 a second, p99 100 ms', isMet } : { target: '' }),
  }
}

function readFigure(
  what: string,
  taken: readonly number[],
  { read_ms, parts }: { read_ms: number; parts: number },
): Figure {
  return {
    part,
    what: `${what}, ${parts} parts`,
    weir: shown(taken),
    beside: `ClickHouse with FINAL, no HTTP: p50 ${read_ms.toFixed(1)} ms`,
    target: 'p50 5 ms',
    isMet: quantile(taken, 0.5) < 5,
  }
}
