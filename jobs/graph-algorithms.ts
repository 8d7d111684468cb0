import { setTimeout as after } from 'node:timers/promises'
import type { AlgorithmResult, PartSize } from '../activities/graphs/algorithms/activities.ts'
import type { AlgorithmKey, AlgorithmRequest } from '../activities/graphs/algorithms/request.ts'
import type { GraphEngine } from '../activities/graphs/engine.ts'
import { fault } from '../infra/faults.ts'
import type { Feeder } from '../infra/log/embedded/feeder.ts'
import type { Orchestrator, Run } from '../infra/orchestration/orchestrator.ts'
import type { workflows } from '../workflows/index.ts'

export type GraphAlgorithmsDeps = {
  readonly graphs: Pick<GraphEngine, 'graphs' | 'activities'>
  readonly feeder: Pick<Feeder, 'caughtUp'>
  readonly orchestrator: Orchestrator<typeof workflows>
}

export type AlgorithmRun = Run<PartSize, AlgorithmResult>

const pause_ms = 50

/** Algorithms over graphs, which go on in the background. */
export function createGraphAlgorithms({ graphs: { graphs, activities }, feeder, orchestrator }: GraphAlgorithmsDeps) {
  async function status(key: AlgorithmKey): Promise<AlgorithmRun> {
    await graphs.expect(key.graph)
    const run = await orchestrator.find('runAlgorithm', key)
    if (run) return run
    throw fault('missing', `${key.algorithm} was not run over graph ${key.graph}; POST runs it`)
  }

  return {
    status,

    /** Begins a run and tells how it is after `wait_ms`, or once it has ended. */
    async start(request: AlgorithmRequest, wait_ms: number): Promise<AlgorithmRun> {
      const end_ms = performance.now() + wait_ms
      await graphs.expect(request.graph)
      await feeder.caughtUp(graphs.queues(request.graph))
      await activities.measurePart(request)
      await orchestrator.start('runAlgorithm', request)
      for (;;) {
        const run = await status(request)
        if (run.state !== 'running' || performance.now() >= end_ms) return run
        await after(pause_ms)
      }
    },
  }
}

export type GraphAlgorithms = ReturnType<typeof createGraphAlgorithms>
