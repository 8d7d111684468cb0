import { join } from 'node:path'
import { computedAttributes } from '../ingest/computed.ts'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { measureRounds, rate } from '../load/rounds.ts'
import { createPeerTables, startPeer } from '../peer/peer.ts'
import { median } from '../quantile.ts'
import { type Figure, ratio, whole } from '../report.ts'
import { startService } from '../service.ts'
import type { Size } from '../size.ts'
import { shopQueries } from './queries.ts'
import { visits } from './visits.ts'

const rowsAtBest = 100_000

/** The README's example schema: what group-bys, entities, relations and filters cost. */
export async function shop(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  console.error('the example schema: single events, in turn with an echo ...')
  const { weir, echo } = await measureRounds(join(folder, 'single'), loader, visits, size)
  const share = rate(weir) / rate(echo)
  console.error('the example schema: a history in batches, in turn with its peer ...')
  const past = await batches(join(folder, 'batches'), loader, size)
  console.error('computed attributes ...')
  return [
    {
      part: 'shop',
      what: 'a: single events a second, durable, 64 connections',
      weir: whole(rate(weir)),
      beside: `bare Koa echo ${whole(rate(echo))}: ${ratio(share)}`,
      target: '0.5',
      isMet: share >= 0.5,
    },
    ...past,
    ...(await computedAttributes(join(folder, 'computed'), loader, size)),
  ]
}

async function batches(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const service = await startService(join(folder, 'weir'))
  await service.register(visits.schemaBody)
  await createPeerTables('visits', join(folder, 'peer'))
  const peer = await startPeer(join(folder, 'peer'))
  const rates = { weir: [] as number[], peer: [] as number[] }
  for (let first = 0; first < size.events; first += size.batch) {
    rates.weir.push((await postBatches(loader, service, visits, first, size.batch)).rate)
    rates.peer.push(size.batch / (await peer.insert('visits', first, size.batch, rowsAtBest)))
  }
  const share = median(rates.weir) / median(rates.peer)
  const queries = await shopQueries({ loader, service, peer }, size)
  await service.close()
  await peer.close()
  return [
    {
      part: 'shop',
      what: 'b: events a second until queryable, 1,000 a body',
      weir: whole(median(rates.weir)),
      beside: `raw insert into the same views, ${whole(median(rates.peer))}: ${ratio(share)}`,
      target: '0.5',
      isMet: share >= 0.5,
    },
    ...queries,
  ]
}
