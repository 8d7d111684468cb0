import { setTimeout as sleep } from 'node:timers/promises'
import { missingGraph } from '../activities/graphs/absent.ts'
import type { AlgorithmResult, PartSize } from '../activities/graphs/algorithms/activities.ts'
import type { AlgorithmKey, AlgorithmOrder, AlgorithmRequest } from '../activities/graphs/algorithms/request.ts'
import type { GraphEngine } from '../activities/graphs/engine.ts'
import { fault } from '../base/faults.ts'
import type { Feeder } from '../infra/log/port.ts'
import type { Orchestrator, Run } from '../infra/orchestration/orchestrator.ts'
import type { workflows } from '../workflows/index.ts'

export type GraphAlgorithmsDeps = {
  readonly graphs: Pick<GraphEngine, 'graphs' | 'activities'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly orchestrator: Orchestrator<typeof workflows>
}

export type AlgorithmRun = Run<PartSize, AlgorithmResult>

const pause_ms = 50
/** How long a run that was cancelled may take to end. */
const ending_ms = 5_000

/** Algorithms over graphs, which go on in the background. */
export function createGraphAlgorithms({ graphs: { graphs, activities }, feeder, orchestrator }: GraphAlgorithmsDeps) {
  /** Whether the last run was over a graph that has gone since, though there is one of its name. */
  async function isOfAnother({ graph, algorithm }: AlgorithmKey): Promise<{ isRunning: boolean } | undefined> {
    const last = await orchestrator.lastRun('runAlgorithm', { graph, algorithm })
    return last && (last.request as AlgorithmRequest).id !== (await graphs.id(graph)) ? last : undefined
  }

  async function status(key: AlgorithmKey): Promise<AlgorithmRun> {
    await graphs.expect(key.graph)
    const run = (await isOfAnother(key)) ? undefined : await orchestrator.find('runAlgorithm', key)
    if (run) return run
    throw fault('missing', `${key.algorithm} was not run over graph ${key.graph}; POST runs it`)
  }

  /** A run over a graph that has gone writes nothing, and must not keep the next one waiting. */
  async function endOldRun(key: AlgorithmKey): Promise<void> {
    if (!(await isOfAnother(key))?.isRunning) return
    await orchestrator.cancel('runAlgorithm', key)
    const end_ms = performance.now() + ending_ms
    while ((await isOfAnother(key))?.isRunning && performance.now() < end_ms) await sleep(pause_ms)
  }

  return {
    status,

    /** Begins a run and returns its state after `wait_ms`, or once it has ended. */
    async start(request: AlgorithmOrder, wait_ms: number): Promise<AlgorithmRun> {
      const end_ms = performance.now() + wait_ms
      await graphs.expect(request.graph)
      await feeder.caughtUp(graphs.queues(request.graph))
      const id = await graphs.id(request.graph)
      if (id === undefined) throw missingGraph(request.graph)
      const meant = { ...request, id }
      await activities.measurePart(meant)
      await endOldRun(meant)
      await orchestrator.start('runAlgorithm', meant)
      for (;;) {
        const run = await status(request)
        if (run.state !== 'running' || performance.now() >= end_ms) return run
        await sleep(pause_ms)
      }
    },
  }
}

export type GraphAlgorithms = ReturnType<typeof createGraphAlgorithms>
