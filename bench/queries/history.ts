import { join } from 'node:path'
import { type Lag, lagFigure } from '../kafka/lag.ts'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { orders } from '../load/workload.ts'
import { createPeerTables, startPeer } from '../peer/peer.ts'
import { median } from '../quantile.ts'
import { type Figure, megabytes, milliseconds, ratio, whole } from '../report.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { measureQueries, queryFigures } from './queries.ts'

/** Rows in one of the peer's statements: what serves ClickHouse best. */
const rowsAtBest = 100_000
const rowsOfABody = 1_000

/** Parts b to f: a history is loaded round after round, in Weir and in its peer, and asked when a tenth of it is there. */
export async function history(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const [weirFolder, peerFolder] = [join(folder, 'weir'), join(folder, 'peer')]
  const service = await startService(weirFolder)
  await service.register(orders.schemaBody)
  await createPeerTables('orders', peerFolder)
  const peer = await startPeer(peerFolder)
  const few = size.events / 10

  const rates = { weir: [] as number[], atBest: [] as number[], asBodies: [] as number[] }
  const lags: Lag[] = []
  const queries = []
  for (let first = 0; first < size.events; first += size.batch) {
    const { rate, lag } = await postBatches(loader, service, orders, first, size.batch)
    rates.weir.push(rate)
    lags.push(lag)
    // One round of the peer's goes in small statements, to show what they cost.
    const isSmall = first + size.batch === size.events
    const peerRate = size.batch / (await peer.insert('orders', first, size.batch, isSmall ? rowsOfABody : rowsAtBest))
    ;(isSmall ? rates.asBodies : rates.atBest).push(peerRate)
    if (first + size.batch === few) queries.push(...(await measureQueries({ loader, service, peer }, few, size.asks)))
  }
  queries.push(...(await measureQueries({ loader, service, peer }, size.events, size.asks)))
  const memory = { weir: service.residentMegabytes(), peer: peer.residentMegabytes() }
  await service.close()
  await peer.close()
  const starts = await measureStarts(weirFolder, peerFolder, size)

  const share = median(rates.weir) / median(rates.atBest)
  return [
    {
      part: 'b',
      what: `events a second until queryable, ${whole(rowsOfABody)} a body`,
      weir: whole(median(rates.weir)),
      beside: `raw insert, ${whole(rowsAtBest)} rows a statement, ${whole(median(rates.atBest))}: ${ratio(share)}`,
      target: '0.5, aim 0.8',
      isMet: share >= 0.5,
    },
    {
      part: '',
      what: '',
      weir: '',
      beside: `raw insert, ${whole(rowsOfABody)} rows a statement, ${whole(median(rates.asBodies))}`,
      target: '',
    },
    lagFigure('f', 'lag under (b)', lags),
    ...queryFigures(queries),
    {
      part: 'd',
      what: `resident memory after ${whole(size.events)} events`,
      weir: megabytes(memory.weir),
      beside: `peer ${megabytes(memory.peer)}`,
      target: 'under 1,500 MB',
      isMet: memory.weir < 1500,
    },
    {
      part: 'e',
      what: 'start to ready on them',
      weir: milliseconds(starts.weir),
      beside: `peer, to its first answer, ${milliseconds(starts.peer)}`,
      target: 'under 3 s, aim 1',
      isMet: starts.weir < 3000,
    },
  ]
}

async function measureStarts(weirFolder: string, peerFolder: string, { starts }: Size) {
  const weir: number[] = []
  const bare: number[] = []
  for (let i = 0; i < starts; i++) {
    const service = await startService(weirFolder)
    weir.push(service.start_ms)
    await service.close()
    const peer = await startPeer(peerFolder)
    bare.push(peer.start_ms)
    await peer.close()
  }
  return { weir: median(weir), peer: median(bare) }
}
