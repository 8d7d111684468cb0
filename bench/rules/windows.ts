import { join } from 'node:path'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import type { Workload } from '../load/workload.ts'
import { median } from '../quantile.ts'
import { type Figure, spread, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'

const keys = 100_000
/** A difference of some per cent takes more rounds than a figure does. */
const roundsOfEach = 3

/** Five thousand sales a second: each customer buys every 20 seconds. */
const [start_us, step_us] = [1_700_000_040_000_000, 200]
const sale = (i: number) => ({
  _pk: start_us + i * step_us,
  customer: `customer-${(i * 7_919) % keys}`,
  price: (i * 31) % 97,
})

/** Sales that look up what their customer spent: over all time, or over the last hour and day. */
const workload = (schema: string, taken: Readonly<Record<string, string>>): Workload => ({
  schemaBody: {
    schema,
    ...{
      streams: {
        sales: {
          keep: 'forever',
          attributes: { customer: 'text', price: 'number' },
          lookups: { spent: { from: 'customers', where: 'customer = this.customer', take: taken } },
        },
      },
      entities: {
        customers: {
          of: 'sales',
          by: 'customer',
          values: { spent: { of: 'price', stats: ['summary'], windows: ['1h', '1d'] } },
        },
      },
    },
  },
  path: `${schema}/sales`,
  event: sale,
  row: sale,
})

/** The bytes of the memory of rules. */
async function bytesOf({ base }: ServiceProcess): Promise<number> {
  const { streams } = (await (await fetch(`${base}/stream/moving/info`)).json()) as {
    streams: readonly { rule_state?: { bytes: number } }[]
  }
  return streams.reduce((sum, { rule_state: state }) => sum + (state?.bytes ?? 0), 0)
}

/** The cost of windows by key in the turn that reads them, and in memory. */
export async function measureWindows(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const open = async (name: string, taken: Readonly<Record<string, string>>) => {
    const service = await startService(join(folder, name))
    const sales = workload(name, taken)
    await service.register(sales.schemaBody)
    let first = 0
    return {
      service,
      async round(): Promise<number> {
        const began = service.cpuSeconds()
        await postBatches(loader, service, sales, first, size.batch)
        await service.rests(size.restSeconds)
        first += size.batch
        return ((service.cpuSeconds() - began) * 1e6) / size.batch
      },
    }
  }
  const ever = await open('ever', { 'spent.sum': 'sum', 'spent.cnt': 'orders' })
  const moving = await open('moving', { 'spent.1h.sum': 'sum', 'spent.1d.cnt': 'orders' })
  const found = await inTurn(roundsOfEach * size.rounds, { ever: ever.round, moving: moving.round })
  const bytes = await bytesOf(moving.service)
  await ever.service.close()
  await moving.service.close()
  const shown = (us: number): string => us.toFixed(1)
  // Rounds that stand beside each other: what else the machine does changes slowly.
  const more = found.moving.map((us, round) => us - (found.ever[round] ?? us))
  return [
    {
      part: '',
      what: `what windows of an hour and a day of ${whole(keys)} keys add to an event that looks them up, of a processor`,
      weir: `${spread(more, shown)} us`,
      beside: `an event takes ${spread(found.moving, shown)} us, and ${spread(found.ever, shown)} us where it looks up what was over all time`,
      target: '3 us',
      isMet: median(more) <= 3,
    },
    {
      part: '',
      what: 'what the memory of rules holds for each of those keys',
      weir: `${whole(bytes / keys)} bytes`,
      beside: 'statistics over all time, an hour and a day',
      target: '2,000 bytes',
      isMet: bytes / keys <= 2_000,
    },
  ]
}
