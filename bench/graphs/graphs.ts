import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lagFigure } from '../kafka/lag.ts'
import { postBatches } from '../load/batches.ts'
import type { Loader } from '../load/load.ts'
import { connections, openSingleEvents, rates } from '../load/rounds.ts'
import type { Workload } from '../load/workload.ts'
import { bodiesOf, createPeerTables, startPeer } from '../peer/peer.ts'
import { median, quantile } from '../quantile.ts'
import { type Figure, milliseconds, ratio, spread, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn, inTurnAtOnce } from '../turns.ts'
import { creates } from './creates.ts'
import { createFloor } from './floor.ts'
import { type Answer, type Question, questions } from './questions.ts'
import { createSocial, graph, relationEvents, type Social } from './social.ts'

/** Rows in one of the peer's statements. */
const rowsAtBest = 50_000

/** Answers of a question, at most, that are compared with those of the lists. */
const maxCompared = 10

/**
 * A graph that a stream brings, questions on it beside the same of lists in memory, and the additions of calls. The questions
 * are asked once the graph is at rest and therefore one part a table, those of most work just after the load as well.
 */
export async function graphs(folder: string, loader: Loader, size: Size): Promise<Figure[]> {
  const social = createSocial(size.people)
  console.error('relations by single events, in turn with the same events alone ...')
  const figures = await singleEdges(join(folder, 'single'), loader, social, size)
  const service = await startService(join(folder, 'weir'))
  console.error(`${whole(social.relations)} relations by a stream, in turn with the same events alone ...`)
  figures.push(...(await loadEdges(service, join(folder, 'peer'), loader, social, size)))
  const asked = questions(social, createFloor(social))
  for (const { most_ms: _, ...question } of asked.filter(({ isAskedTwice }) => isAskedTwice)) {
    figures.push(await measure(service, loader, { ...question, what: `${question.what}, just after the load` }, size))
  }
  await sleep(size.compactSeconds * 1000)
  await service.rests(size.restSeconds)
  for (const question of asked) figures.push(await measure(service, loader, question, size))
  console.error('CREATE by call ...')
  figures.push(await creates(service, loader, size))
  await service.close()
  return figures
}

async function singleEdges(folder: string, loader: Loader, social: Social, size: Size): Promise<Figure[]> {
  const open = (stream: 'related' | 'plain') =>
    openSingleEvents(join(folder, stream), loader, relationEvents(social, stream), size)
  const [related, plain] = [await open('related'), await open('plain')]
  const rounds = await inTurn(size.rounds, { plain: plain.round, related: related.round })
  await Promise.all([related.close(), plain.close()])
  const ratesOf = (way: keyof typeof rounds): number[] => rates(rounds[way].map(({ result }) => result))
  const share = median(ratesOf('related')) / median(ratesOf('plain'))
  return [
    {
      part: 'graphs',
      what: `single events a second that bring a relation each, durable, ${connections} connections`,
      weir: spread(ratesOf('related'), whole),
      beside: `the same events without rels ${spread(ratesOf('plain'), whole)}: ${ratio(share)}`,
      target: "the stream's own rate",
      isMet: share >= 0.9,
    },
    lagFigure(
      'graphs',
      'lag of their relations',
      rounds.related.flatMap(({ lag }) => lag ?? []),
    ),
  ]
}

/** Relations by a stream in batches, beside the same events alone; and ClickHouse's own rate for ready bytes of either. */
async function loadEdges(
  service: ServiceProcess,
  peerFolder: string,
  loader: Loader,
  social: Social,
  { batch, restSeconds }: Size,
): Promise<Figure[]> {
  const [related, plain] = [relationEvents(social, 'related'), relationEvents(social, 'plain')]
  await service.register(related.schemaBody)
  await createPeerTables(related, peerFolder)
  const peer = await startPeer(peerFolder)
  const load = (events: Workload) => async (round: number) => {
    const { rate } = await postBatches(loader, service, events, round * batch, batch)
    await service.rests(restSeconds)
    return rate
  }
  const ready = (events: Workload) => async (round: number) =>
    batch /
    (await peer.insert(`${events.path.replace('/', '.')}__in`, bodiesOf(events, round * batch, batch, rowsAtBest)))
  const rates = await inTurnAtOnce(Math.ceil(social.relations / batch), {
    plain: load(plain),
    related: load(related),
    readyPlain: ready(plain),
    readyRelated: ready(related),
  })
  await peer.close()
  const share = median(rates.related) / median(rates.plain)
  const ofReady = (of: readonly number[], than: readonly number[]): string =>
    `${spread(of, whole)}: ${ratio(median(of) / median(than))}`
  return [
    {
      part: 'graphs',
      what: 'events a second until their relations can be queried, 1,000 a body',
      weir: spread(rates.related, whole),
      beside: `the same events without rels ${spread(rates.plain, whole)}: ${ratio(share)}`,
      target: "the stream's own rate",
      isMet: share >= 0.9,
    },
    {
      part: 'graphs',
      what: '',
      weir: '',
      beside: `ready bytes into the same views, ${whole(rowsAtBest)} rows a statement, two at a time, ${ofReady(rates.readyRelated, rates.readyPlain)} of those without rels`,
      target: '',
    },
  ]
}

async function measure(service: ServiceProcess, loader: Loader, question: Question, { asks }: Size): Promise<Figure> {
  const { what, text, floor, check, share, most_ms } = question
  console.error(`${what} ...`)
  const path = `/graph/${graph}/query`
  for (let i = 0; i < Math.max(3, maxCompared * share); i++) {
    const response = await fetch(`${service.base}${path}`, { method: 'POST', body: text(i) })
    if (!response.ok) throw new Error(`${text(i)}: ${await response.text()}`)
    check((await response.json()) as Answer, i)
  }
  const requests = Math.max(5, Math.round(asks * share))
  const bodies = Array.from({ length: requests }, (_, i) => text(i))
  const { p50_ms, p99_ms } = await loader.run({
    ...{ port: service.port, path, contentType: 'text/plain', bodies, connections: 1 },
    until: { requests },
  })
  const taken = bodies.map((_, i) => {
    const started = performance.now()
    floor(i)
    return performance.now() - started
  })
  return {
    part: 'graphs',
    what: `${what}, p50 / p99`,
    weir: `${milliseconds(p50_ms)} / ${milliseconds(p99_ms)}`,
    beside: `lists in memory, no HTTP, ${quantile(taken, 0.5).toFixed(3)} ms`,
    ...(most_ms === undefined ? { target: '' } : { target: `p50 under ${most_ms} ms`, isMet: p50_ms < most_ms }),
  }
}
