import { join } from 'node:path'
import { computedAttributes } from '../ingest/computed.ts'
import { statisticsOfAttributes } from '../ingest/statistics.ts'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { measureRounds, rates } from '../load/rounds.ts'
import { bodiesOf, createPeerTables, startPeer } from '../peer/peer.ts'
import { median } from '../quantile.ts'
import { type Figure, ratio, spread, whole } from '../report.ts'
import { measureSections, type Section } from '../sections.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurnAtOnce } from '../turns.ts'
import { shopQueries } from './queries.ts'
import { visits } from './visits.ts'

/** Rows in one of the peer's statements, two of which run at a time. */
const rowsAtBest = 50_000

const sections: readonly Section[] = [
  { what: 'the example schema: single events, in turn with an echo', measure: single },
  { what: 'the example schema: a history in batches, in turn with its peer', measure: batches },
  { what: 'computed attributes', measure: computedAttributes },
  { what: 'statistics of an attribute, each in turn with a stream without one', measure: statisticsOfAttributes },
]

/** The tour's example schema: the cost of group-bys, entities, relations and filters. */
export const shop = (folder: string, loader: Loader, size: Size): Promise<Figure[]> =>
  measureSections(sections, folder, loader, size)

async function single(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const { weir, echo } = await measureRounds(folder, loader, visits, size)
  const share = median(rates(weir)) / median(rates(echo))
  return [
    {
      part: 'shop',
      what: 'a: single events a second, durable, 64 connections',
      weir: spread(rates(weir), whole),
      beside: `bare Koa ${spread(rates(echo), whole)}: ${ratio(share)}`,
      target: '0.5',
      isMet: share >= 0.5,
    },
  ]
}

async function batches(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const service = await startService(join(folder, 'weir'))
  await service.register(visits.schemaBody)
  await createPeerTables(visits, join(folder, 'peer'))
  const peer = await startPeer(join(folder, 'peer'))
  const found = await inTurnAtOnce(Math.ceil(size.events / size.batch), {
    async weir(round) {
      const { rate } = await postBatches(loader, service, visits, round * size.batch, size.batch)
      await service.rests(size.restSeconds)
      return rate
    },
    async peer(round) {
      const bodies = bodiesOf(visits, round * size.batch, size.batch, rowsAtBest)
      return size.batch / (await peer.insert('shop.visits__in', bodies))
    },
  })
  const share = median(found.weir) / median(found.peer)
  const queries = await shopQueries({ loader, service, peer }, size)
  await service.close()
  await peer.close()
  return [
    {
      part: 'shop',
      what: 'b: events a second until queryable, 1,000 a body',
      weir: spread(found.weir, whole),
      beside: `ready bytes into the same views, ${whole(rowsAtBest)} rows a statement, two at a time, ${spread(found.peer, whole)}: ${ratio(share)}`,
      target: '0.5',
      isMet: share >= 0.5,
    },
    ...queries,
  ]
}
