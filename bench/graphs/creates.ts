import { startEcho } from '../load/echo.ts'
import type { Loader, LoadResult } from '../load/load.ts'
import { connections } from '../load/rounds.ts'
import { type Figure, milliseconds, ratio, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import type { Size } from '../size.ts'

const least = 3_000

/** Two nodes and a relation a call, each on disk before its answer, beside the echo. */
export async function creates(service: ServiceProcess, loader: Loader, { rounds, seconds }: Size): Promise<Figure> {
  const bodies = Array.from(
    { length: 10_000 },
    (_, i) =>
      `CREATE (Person:p${(i * 7_919) % 5_000} {"age": ${18 + (i % 60)}})-[KNOWS {"weight": ${i % 100}}]->(Person:p${(i * 104_729) % 5_000})`,
  )
  const asJson = bodies.map((body) => JSON.stringify({ text: body }))
  const echo = await startEcho()
  await fetch(`${service.base}/graph/made/new`)
  const run = (port: number, path: string, bodies: readonly string[]): Promise<LoadResult> =>
    loader.run({ port, path, contentType: 'application/json', bodies, connections, until: { seconds } })
  await run(service.port, '/graph/made/query', bodies)
  const found = { weir: [] as LoadResult[], echo: [] as LoadResult[] }
  for (let round = 0; round < rounds; round++) {
    found.echo.push(await run(echo.port, '/', asJson))
    found.weir.push(await run(service.port, '/graph/made/query', bodies))
  }
  await echo.close()
  const best = (results: readonly LoadResult[]): LoadResult =>
    results.reduce((one, each) => (rateOf(each) > rateOf(one) ? each : one))
  const [weir, bare] = [best(found.weir), best(found.echo)]
  return {
    part: 'graphs',
    what: `CREATE of two nodes and a relation a second, ${connections} connections`,
    weir: `${whole(rateOf(weir))}, p99 ${milliseconds(weir.p99_ms)}`,
    beside: `bare Koa echo ${whole(rateOf(bare))}: ${ratio(rateOf(weir) / rateOf(bare))}`,
    target: `${whole(least)}`,
    isMet: rateOf(weir) >= least,
  }
}

const rateOf = ({ requests, seconds }: LoadResult): number => requests / seconds
