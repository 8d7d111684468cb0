import { join } from 'node:path'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { order, type Workload } from '../load/workload.ts'
import { median } from '../quantile.ts'
import { type Figure, ratio, spread } from '../report.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'

/** Codes of statistics, by what the stream is called that has it. */
const kinds = { none: 0, count: 1, rstat: 3, quantiles: 4, last: 5, topk: 7 } as const
type Kind = keyof typeof kinds

/** Orders whose price has one statistic. */
const workload = (kind: Kind): Workload => ({
  schemaBody: {
    schema: kind,
    ...{
      streams: [
        {
          name: 'orders',
          swsz: 0,
          type: 1,
          attr: [
            { name: 'customer', type: 'STRING' },
            { name: 'price', type: 'DOUBLE', stat: kinds[kind], ...(kind === 'quantiles' && { q: [0.5, 0.95, 0.99] }) },
          ],
        },
      ],
    },
  },
  path: `${kind}/orders`,
  event: pricedOrder,
  row: pricedOrder,
})

const pricedOrder = (i: number) => ({ customer: order(i).customer, price: order(i).price })

/** The time of a processor that an event takes until its batch is in all tables, by the statistic of an attribute. */
export async function statisticsOfAttributes(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const open = async (kind: Kind) => {
    const service = await startService(join(folder, kind))
    await service.register(workload(kind).schemaBody)
    let first = 0
    return {
      async round(): Promise<number> {
        const began = service.cpuSeconds()
        await postBatches(loader, service, workload(kind), first, size.batch)
        await service.rests(size.restSeconds)
        first += size.batch
        return ((service.cpuSeconds() - began) * 1e6) / size.batch
      },
      close: service.close,
    }
  }
  const services = {
    none: await open('none'),
    count: await open('count'),
    rstat: await open('rstat'),
    quantiles: await open('quantiles'),
    last: await open('last'),
    topk: await open('topk'),
  }
  const found = await inTurn(size.rounds, {
    none: services.none.round,
    count: services.count.round,
    rstat: services.rstat.round,
    quantiles: services.quantiles.round,
    last: services.last.round,
    topk: services.topk.round,
  })
  for (const { close } of Object.values(services)) await close()
  const shown = (us: number): string => us.toFixed(1)
  const rstat = median(found.rstat)
  const figure = (what: string, us: number, beside: string, most: number): Figure => ({
    part: 'shop',
    what,
    weir: `${shown(us)} us`,
    beside: `${beside}: ${ratio(us / rstat)} of an event with RSTAT, ${spread(found.rstat, shown)} us`,
    target: `${most}`,
    isMet: us / rstat <= most,
  })
  const beyondCount = (kind: Kind): number => median(found[kind]) - median(found.count)
  return [
    figure(
      'an event with QUANTILES (p50, p95, p99), of a processor',
      median(found.quantiles),
      `without a statistic ${spread(found.none, shown)} us`,
      1.5,
    ),
    figure('what LAST adds to it', beyondCount('last'), `beside COUNT ${spread(found.count, shown)} us`, 0.2),
    figure('what TOPK adds to it', beyondCount('topk'), `beside COUNT ${spread(found.count, shown)} us`, 1),
  ]
}
