import { fault } from '../../../base/faults.ts'
import { createMutex } from '../../../base/mutex.ts'
import { type ClickHouse, isAbsent } from '../../../infra/clickhouse/clickhouse.ts'
import type { Clock } from '../../../infra/clock.ts'
import type { Pulse } from '../../../infra/orchestration/workflow.ts'
import { compileNodes, compilePairs, compilePartSize } from '../../../sql/graph/index.ts'
import { missingGraph } from '../absent.ts'
import type { GraphId } from '../graphs.ts'
import type { GraphThreads } from '../threads/open-graph-threads.ts'
import { type AlgorithmStep, overall } from './progress.ts'
import type { AlgorithmOrder, AlgorithmRequest } from './request.ts'

export type AlgorithmDeps = {
  readonly clickhouse: Pick<ClickHouse, 'read' | 'rows'>
  readonly clock: Clock
  readonly threads: GraphThreads
  /** Gives nodes the values in lines of a graph's scores. */
  readonly writeScores: (graph: GraphId, lines: Buffer) => Promise<void>
  readonly max?: PartSize
}

export type PartSize = { readonly nodes: number; readonly pairs: number }

/** `ts` is when the values were made, in microseconds. */
export type AlgorithmResult = { readonly property: string; readonly ts: number } & Readonly<
  Record<string, number | string>
>

/** The max size of one run. Its values are one insert, so that after a crash nodes have all new values or all old ones. */
const usualMax: PartSize = { nodes: 500_000, pairs: 1_000_000 }

const beat_ms = 200

/** The steps of an algorithm's run, each of which may be repeated at any time. */
export function createAlgorithmActivities({ clickhouse, clock, threads, writeScores, max = usualMax }: AlgorithmDeps) {
  /** A run holds its whole part of the graph in memory. */
  const oneAtATime = createMutex()

  const within = async <Result>(graph: string, work: () => Promise<Result>): Promise<Result> =>
    work().catch((error: unknown) => {
      throw isAbsent(error) ? missingGraph(graph) : error
    })

  const inTurn = <Result>(graph: string, work: () => Promise<Result>): Promise<Result> =>
    oneAtATime(() => within(graph, work))

  return {
    /** How large the part of the graph is; a fault `invalid` where that is beyond the bounds. */
    measurePart: (request: AlgorithmOrder): Promise<PartSize> =>
      within(request.graph, async () => {
        const beyond = { nodes: max.nodes + 1, pairs: max.pairs + 1 }
        const [size = { nodes: 0, pairs: 0 }] = await clickhouse.rows<PartSize>(
          compilePartSize(request.graph, request, beyond),
        )
        if (size.nodes <= max.nodes && size.pairs <= max.pairs) return size
        throw fault(
          'invalid',
          `an algorithm takes at most ${max.nodes} nodes and ${max.pairs} pairs of related nodes; narrow it by labels or relations`,
        )
      }),

    async scoreNodes(
      request: AlgorithmRequest,
      signal: AbortSignal,
      pulse: Pulse = () => {},
    ): Promise<AlgorithmResult> {
      const reach = (step: AlgorithmStep, share = 0): void => pulse({ step, progress: overall(step, share) })
      reach('waiting')
      return inTurn(request.graph, async () => {
        signal.throwIfAborted()
        reach('reading')
        const { graph, algorithm, property, seed, top } = request
        const at = clock.next()
        const [nodes, pairs] = await Promise.all([
          clickhouse.read(compileNodes(graph, request, max.nodes), 'JSONEachRow'),
          clickhouse.read(compilePairs(graph, request, max.pairs), 'JSONEachRow'),
        ])
        signal.throwIfAborted()
        const task = {
          kind: 'score',
          algorithm,
          lines: { nodes, pairs },
          parameters: { seed, top },
          property,
          at,
          done: new Int32Array(new SharedArrayBuffer(4)),
        } as const
        const beat = setInterval(() => reach('computing', Atomics.load(task.done, 0) / 1000), beat_ms)
        reach('computing')
        const answer = await threads.run(task, signal).finally(() => clearInterval(beat))
        if (!('scored' in answer)) throw new Error('the thread answered another task')
        const { lines, summary } = answer.scored
        signal.throwIfAborted()
        reach('writing')
        if (lines.length > 0) await writeScores(request, Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength))
        return { property, ...summary, ts: at }
      })
    },
  }
}

export type AlgorithmActivities = ReturnType<typeof createAlgorithmActivities>
