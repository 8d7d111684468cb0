import { join } from 'node:path'
import { type Lag, lagFigure } from '../kafka/lag.ts'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { orders } from '../load/workload.ts'
import { bodiesOf, createPeerTables, startPeer } from '../peer/peer.ts'
import { median } from '../quantile.ts'
import { type Figure, megabytes, milliseconds, ratio, spread, whole } from '../report.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurnAtOnce } from '../turns.ts'
import { plainAnswers } from './plain-answers.ts'
import { measureQueries, queryFigures } from './queries.ts'
import { savedQuestions } from './saved.ts'

/** Rows in one of the peer's statements, two of which run at a time. */
const rowsAtBest = 50_000
const rowsOfABody = 1_000

/** Parts b to f: a history is loaded round after round, in Weir and in its peer, and asked when a tenth of it is there. */
export async function history(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const [weirFolder, peerFolder] = [join(folder, 'weir'), join(folder, 'peer')]
  const service = await startService(weirFolder)
  await service.register(orders.schemaBody)
  await createPeerTables(orders, peerFolder)
  const peer = await startPeer(peerFolder)
  const few = size.events / 10

  const rates = { weir: [] as number[], atBest: [] as number[], asBodies: [] as number[] }
  const lags: Lag[] = []
  const queries = []
  for (let first = 0; first < size.events; first += size.batch) {
    // One round of the peer's goes in small statements, to show their cost.
    const isSmall = first + size.batch === size.events
    const ways = {
      async weir() {
        const { rate, lag } = await postBatches(loader, service, orders, first, size.batch)
        await service.rests(size.restSeconds)
        rates.weir.push(rate)
        lags.push(lag)
      },
      async peer() {
        const bodies = bodiesOf(orders, first, size.batch, isSmall ? rowsOfABody : rowsAtBest)
        const seconds = await peer.insert('bench.orders__in', bodies)
        ;(isSmall ? rates.asBodies : rates.atBest).push(size.batch / seconds)
      },
    }
    const isPeerFirst = (first / size.batch) % 2 === 1
    for (const go of isPeerFirst ? [ways.peer, ways.weir] : [ways.weir, ways.peer]) await go()
    if (first + size.batch === few) queries.push(...(await measureQueries({ loader, service, peer }, few, size.asks)))
  }
  queries.push(...(await measureQueries({ loader, service, peer }, size.events, size.asks)))
  const plain = [...(await plainAnswers(service, size.events)), ...(await savedQuestions(service))]
  const memory = { weir: service.residentMegabytes(), peer: peer.residentMegabytes() }
  await service.close()
  await peer.close()
  const starts = await measureStarts(weirFolder, peerFolder, size)

  const share = median(rates.weir) / median(rates.atBest)
  return [
    {
      part: 'b',
      what: `events a second until queryable, ${whole(rowsOfABody)} a body`,
      weir: spread(rates.weir, whole),
      beside: `ready bytes into the same views, ${whole(rowsAtBest)} rows a statement, two at a time, ${spread(rates.atBest, whole)}: ${ratio(share)}`,
      target: '0.5, aim 0.8',
      isMet: share >= 0.5,
    },
    {
      part: '',
      what: '',
      weir: '',
      beside: `ready bytes, ${whole(rowsOfABody)} rows a statement, ${spread(rates.asBodies, whole)}`,
      target: '',
    },
    lagFigure('f', 'lag under (b)', lags),
    ...queryFigures(queries),
    ...plain,
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
      weir: spread(starts.weir, milliseconds),
      beside: `peer, to its first answer, ${spread(starts.peer, milliseconds)}`,
      target: 'under 3 s, aim 1',
      isMet: median(starts.weir) < 3000,
    },
  ]
}

const measureStarts = (weirFolder: string, peerFolder: string, { starts }: Size) =>
  inTurnAtOnce(starts, {
    async weir() {
      const service = await startService(weirFolder)
      await service.close()
      return service.start_ms
    },
    async peer() {
      const peer = await startPeer(peerFolder)
      await peer.close()
      return peer.start_ms
    },
  })
