/** A service with models: it trains and predicts over HTTP, and answers all the while. */
import { setTimeout as sleep } from 'node:timers/promises'
import { startEcho } from '../load/echo.ts'
import { quantile } from '../quantile.ts'
import { type Figure, megabytes, milliseconds, whole } from '../report.ts'
import { type ServiceProcess, startService } from '../service.ts'
import type { Size } from '../size.ts'
import { timed } from '../timed.ts'
import { createPoints, csvOf } from './data.ts'
import { createModelClient, type ModelClient } from './model-client.ts'

const columns = 20
const wanted = { line_ms: 2, rows: 50_000, health_ms: 50 }
const part = 'models'
/** Lines that compilers need until they have seen enough. */
const maxWarmUp = 500

/** The longest that `/health/live` took to answer, and the most memory, while work went on. */
export async function watched(service: ServiceProcess, work: () => Promise<unknown>) {
  const before = service.residentMegabytes()
  let [slowest_ms, peak] = [0, before]
  let isOver = false
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now()
      await (await fetch(`${service.base}/health/live`)).text()
      slowest_ms = Math.max(slowest_ms, performance.now() - began)
      peak = Math.max(peak, service.residentMegabytes())
      await sleep(5)
    }
  })()
  await work().finally(() => {
    isOver = true
  })
  await watching
  return { slowest_ms, more: peak - before }
}

const health = (during: string, slowest_ms: number): Figure => ({
  part,
  what: `/health/live during ${during}, the slowest answer`,
  weir: milliseconds(slowest_ms),
  beside: '',
  target: milliseconds(wanted.health_ms),
  isMet: slowest_ms < wanted.health_ms,
})

export async function serving(folder: string, size: Size): Promise<Figure[]> {
  const service = await startService(folder, { MAX_BODY_MB: '1024' })
  try {
    const client = createModelClient(service.base)
    return [
      ...(await measureTraining(service, client, size)),
      ...(await measurePredictions(service, client, size)),
      ...(await measureShelf(service, client, size)),
    ]
  } finally {
    await service.close()
  }
}

async function measureTraining(service: ServiceProcess, client: ModelClient, { svmRows }: Size): Promise<Figure[]> {
  const [rows = 0] = svmRows
  console.error(`a training of ${whole(rows)} rows over HTTP ...`)
  await client.put('svm', 'training.csv', csvOf(createPoints(rows, columns, 1), true))
  const { slowest_ms, more } = await watched(service, () => client.train('svm', { algo_type: 'SVM', columns }))
  return [
    health(`a training of SVM, ${whole(rows)} rows`, slowest_ms),
    { part, what: 'memory of that training, cache_size 100', weir: `+${megabytes(more)}`, beside: '', target: '' },
  ]
}

async function measurePredictions(service: ServiceProcess, client: ModelClient, { asks, fileRows }: Size) {
  await client.put('lin', 'training.csv', csvOf(createPoints(1_000, columns, 1), true))
  await client.train('lin', { algo_type: 'LIN', columns })
  const [line = ''] = csvOf(createPoints(1, columns, 3), false).split('\n')
  const lines = await measureLines(client, line, asks)
  console.error(`a file of ${whole(fileRows)} rows ...`)
  await client.put('lin', 'rows.csv', csvOf(createPoints(fileRows, columns, 4), false))
  let rate = 0
  const { slowest_ms, more } = await watched(service, async () => {
    rate = await client.predictFile('lin', 'rows.csv')
  })
  const figures: Figure[] = [
    lines,
    {
      part,
      what: `predict a file of ${whole(fileRows)} rows, LIN x ${columns}, CSV to result`,
      weir: `${whole(rate)} rows/s, +${megabytes(more)}`,
      beside: '',
      target: `${whole(wanted.rows)} rows/s`,
      isMet: rate >= wanted.rows,
    },
    health('that prediction', slowest_ms),
  ]
  return figures
}

/** Lines one after the other by Node's own fetch, each in turn with a bare Koa that sends the same request back. */
async function measureLines(client: ModelClient, line: string, asks: number): Promise<Figure> {
  console.error('single lines, in turn with an echo ...')
  const echo = await startEcho()
  const bare = createModelClient(`http://127.0.0.1:${echo.port}`)
  const warmUp = Math.min(maxWarmUp, 10 * asks)
  const took_ms: { readonly weir: number[]; readonly echo: number[] } = { weir: [], echo: [] }
  try {
    for (let i = 0; i < 10 * asks + warmUp; i++) {
      const line_ms = await timed(() => client.predictLine('lin', line))
      const echo_ms = await timed(() => bare.predictLine('lin', line))
      if (i < warmUp) continue
      took_ms.weir.push(line_ms)
      took_ms.echo.push(echo_ms)
    }
  } finally {
    await echo.close()
  }
  const p50 = quantile(took_ms.weir, 0.5)
  const shown = (took: readonly number[]) =>
    `${milliseconds(quantile(took, 0.5))} (${milliseconds(quantile(took, 0.99))})`
  return {
    part,
    what: `predict a line over HTTP, LIN x ${columns}, p50 (p99)`,
    weir: shown(took_ms.weir),
    beside: `a bare Koa echo: ${shown(took_ms.echo)}`,
    target: milliseconds(wanted.line_ms),
    isMet: p50 < wanted.line_ms,
  }
}

/** More models than sessions are kept open. */
async function measureShelf(service: ServiceProcess, client: ModelClient, { servedModels }: Size): Promise<Figure[]> {
  console.error(`${servedModels} models ...`)
  const training = csvOf(createPoints(100, columns, 1), true)
  const [line = ''] = csvOf(createPoints(1, columns, 3), false).split('\n')
  const names = Array.from({ length: servedModels }, (_, i) => `m${i}`)
  const left = [...names]
  const trainAll = async (): Promise<void> => {
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      await client.put(name, 'training.csv', training)
      await client.train(name, { algo_type: 'LIN', columns })
    }
  }
  await Promise.all(Array.from({ length: 4 }, trainAll))
  const before = service.residentMegabytes()
  const took: number[] = []
  for (let round = 0; round < 5; round++) {
    for (const name of names) {
      const began = performance.now()
      await client.predictLine(name, line)
      took.push(performance.now() - began)
    }
  }
  return [
    {
      part,
      what: `a line by each of ${servedModels} models in turn, p50; memory after five rounds`,
      weir: `${milliseconds(quantile(took, 0.5))}, +${megabytes(Math.max(0, service.residentMegabytes() - before))}`,
      beside: '',
      target: '',
    },
  ]
}
