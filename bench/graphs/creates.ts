import { startEcho } from '../load/echo.ts'
import type { Loader, LoadResult } from '../load/load.ts'
import { connections, rates } from '../load/rounds.ts'
import { median } from '../quantile.ts'
import { type Figure, milliseconds, ratio, spread, whole } from '../report.ts'
import type { ServiceProcess } from '../service.ts'
import type { Size } from '../size.ts'
import { inTurn } from '../turns.ts'

const least = 3_000

/** Two nodes and a relation a call, each on disk before its answer, beside the echo. */
export async function creates(
  service: ServiceProcess,
  loader: Loader,
  { rounds, seconds, restSeconds }: Size,
): Promise<Figure> {
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
  const { weir, bare } = await inTurn(rounds, {
    bare: () => run(echo.port, '/', asJson),
    async weir() {
      const result = await run(service.port, '/graph/made/query', bodies)
      await service.rests(restSeconds)
      return result
    },
  })
  await echo.close()
  const rate = median(rates(weir))
  return {
    part: 'graphs',
    what: `CREATE of two nodes and a relation a second, ${connections} connections`,
    weir: `${spread(rates(weir), whole)}, p99 ${milliseconds(median(weir.map(({ p99_ms }) => p99_ms)))}`,
    beside: `bare Koa ${spread(rates(bare), whole)}: ${ratio(rate / median(rates(bare)))}`,
    target: `${whole(least)}`,
    isMet: rate >= least,
  }
}
