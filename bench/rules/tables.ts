import { join } from 'node:path'
import type { Loader } from '../load/load.ts'
import { median } from '../quantile.ts'
import { type Figure, spread, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'
import { openBatches, rateOf } from './batches.ts'
import { keyed, keysOfTable, ofTable } from './workloads.ts'

/** Between two writes of a record, while events look others up. */
const writes_ms = 100

async function post({ base }: ServiceProcess, path: string, body: string, type = 'application/json'): Promise<void> {
  const response = await fetch(`${base}/db/bench/${path}`, { method: 'POST', headers: { 'content-type': type }, body })
  if (!response.ok) throw new Error(await response.text())
}

const record = (key: number, age = key): string =>
  JSON.stringify({ _pk: `car-${key}`, doc: { driver: `driver-${key}`, age } })

/** A table of all cars, which events look up. */
async function fill(service: ServiceProcess): Promise<void> {
  await post(service, 'table', JSON.stringify({ table_name: 'cars', table_type: 'WIDE', key_type: 'NORMAL_KEY' }))
  const lines = Array.from({ length: keysOfTable }, (_, key) => record(key))
  await post(service, 'cars/doc', lines.join('\n'), 'application/x-ndjson')
}

/** Writes a record ten times a second while `work` is done. */
async function amidWrites<Result>(service: ServiceProcess, work: () => Promise<Result>): Promise<Result> {
  let isOver = false
  const writing = (async () => {
    for (let age = 0; !isOver; age++) {
      await post(service, 'cars/doc', record((age * 7_919) % keysOfTable, age))
      await new Promise((resolve) => setTimeout(resolve, writes_ms))
    }
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await writing
  }
}

/** A lookup in a table of 10,000 records, beside the same stream without it. */
export async function measureTables(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const without = await openBatches(join(folder, 'without'), [{ loader, workload: keyed }], size)
  const having = await openBatches(join(folder, 'having'), [{ loader, workload: ofTable }], size, {}, fill)
  const found = await inTurn(size.rounds, {
    without: without.round,
    having: having.round,
    written: () => amidWrites(having.service, having.round),
  })
  await without.close()
  await having.close()
  const rates = rateOf(found.having)
  return [
    {
      part: '',
      what: `a lookup in a table of ${whole(keysOfTable)} records: events a second until all can be queried, 1,000 a body`,
      weir: spread(rates, whole),
      beside: `without it ${spread(rateOf(found.without), whole)}; while ten records a second are written ${spread(rateOf(found.written), whole)}`,
      target: '10,000',
      isMet: median(rates) >= 10_000,
    },
  ]
}
