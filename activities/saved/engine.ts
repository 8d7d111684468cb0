import { setTimeout as sleep } from 'node:timers/promises'
import { fault } from '../../base/faults.ts'
import type { SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import type { Config } from '../../infra/config.ts'
import { createLeases } from '../../infra/processes/leases.ts'
import type { World } from '../../infra/world.ts'
import type { ObjectEngine } from '../objects/engine.ts'
import type { OpaqueCursors } from '../pages/opaque-cursors.ts'
import type { Answers } from '../queries/answers.ts'
import type { Registry } from '../registry/registry.ts'
import { openCalledAgenda, ownClock, type Recurrences, type WallClock } from './agenda.ts'
import { createDependents } from './dependents.ts'
import { type AskRowsDeps, createAskRows, type Rows } from './rows.ts'
import { createSaved } from './saved.ts'
import { createCheckSchedules } from './schedule/check.ts'
import { createRunSchedule } from './schedule/run.ts'
import { createSharedQuestions } from './shared-questions.ts'
import { createTrial } from './trial.ts'
import { createBacktest } from './watch/backtest.ts'
import { createEvaluate } from './watch/evaluate.ts'
import { createKeeper } from './watch/keeper.ts'
import { createSilences } from './watch/silences.ts'
import { createWatchStore } from './watch/store.ts'
import { createTurns } from './watch/turns.ts'

export type SavedEngineDeps = {
  readonly config: Pick<Config, 'ROLE'>
  readonly world: Pick<
    World,
    'savedCatalogue' | 'sharing' | 'queries' | 'feeder' | 'changes' | 'clickhouse' | 'logger' | 'metrics'
  >
  readonly registry: Registry
  readonly answers: Answers
  readonly objects: Pick<ObjectEngine, 'objects' | 'buckets'>
  readonly cursors: OpaqueCursors
  /** Where analysts are answered, once they are. */
  readonly analysts: () => { readonly runner: SqlRunner; readonly port?: number } | undefined
  readonly reachOf: AskRowsDeps['reachOf']
  /** Whether `D.T` may name a table of database D, and no stream. */
  readonly isDatabase: (name: string) => boolean
}

/** Answers that may be some seconds old, of all questions together. */
const maxFreshBytes = 64 * 1024 * 1024

const wallClock: WallClock = {
  now_us: () => Date.now() * 1000,
  sleep: (milliseconds, ended) => sleep(milliseconds, undefined, { ref: false, signal: ended }).catch(() => {}),
}

/** Saved questions: their versions, the trial of a new one, their rows and their watches (docs/saved.md). */
export function createSavedEngine(deps: SavedEngineDeps) {
  const { config, world, registry, answers, objects, cursors, analysts, reachOf, isDatabase } = deps
  const { savedCatalogue: catalogue, sharing, queries, feeder, changes, clickhouse, logger, metrics } = world
  const { statements } = answers
  const asking = {
    ...{ reachOf, statements, queries },
    runner: () => analysts()?.runner,
    analystsPort: () => analysts()?.port,
  }
  const saved = createSaved({ catalogue, exclusively: sharing.changeTables, now_us: wallClock.now_us })
  const askRows = createAskRows({
    ...{ ...asking, registry, feeder, cursors },
    written: changes.count,
    questions: createSharedQuestions<Rows>(maxFreshBytes),
  })
  const store = createWatchStore(clickhouse)
  async function admit(bucket: string): Promise<void> {
    if (!(await objects.buckets.has(bucket))) throw fault('missing', `there is no bucket ${bucket}`)
    await objects.buckets.admit(bucket, {})
  }
  const evaluate = createEvaluate(askRows)
  let recurrences: Recurrences | undefined
  const keeper = createKeeper({
    openAgenda: () =>
      recurrences ? openCalledAgenda({ recurrences, present: saved.present, clock: wallClock, logger }) : ownClock(),
    leases: sharing.isShared ? createLeases({ clickhouse, id: sharing.id }) : undefined,
    turns: createTurns({
      ...{ isShared: sharing.isShared, store, logger },
      skipped: (times) => metrics.watchesSkipped.inc(times),
    }),
    evaluate,
    runSchedule: createRunSchedule({ askRows, objects: objects.objects, admit }),
    kept: saved.kept,
    present: saved.present,
    since: saved.since,
    ...{ store, clock: wallClock, logger, metrics },
  })
  const stopped = new AbortController()
  let keeping: Promise<void> | undefined
  const trial = createTrial({ ...asking, isDatabase })
  return {
    saved,
    trial,
    dependents: createDependents({ saved, trial }),
    askRows,
    watches: store,
    checkSchedules: createCheckSchedules({ admit, now_us: wallClock.now_us }),
    now_us: wallClock.now_us,
    backtest: createBacktest({ evaluate, registry }),
    silences: createSilences({ store, exclusively: sharing.changeTables, now_us: wallClock.now_us }),

    /** Begins to evaluate watches, in processes that answer SQL of analysts: by the own clock, or as Temporal calls. */
    open(onTemporal: Recurrences | undefined): void {
      recurrences = onTemporal
      if (config.ROLE !== 'worker') keeping = keeper.run(stopped.signal)
    },

    async close(): Promise<void> {
      stopped.abort()
      await keeping
    },
  }
}

export type SavedEngine = ReturnType<typeof createSavedEngine>
