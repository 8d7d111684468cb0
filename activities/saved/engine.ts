import type { SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import type { World } from '../../infra/world.ts'
import type { OpaqueCursors } from '../pages/opaque-cursors.ts'
import type { Answers } from '../queries/answers.ts'
import type { Registry } from '../registry/registry.ts'
import { type AskRowsDeps, createAskRows, type Rows } from './rows.ts'
import { createSaved } from './saved.ts'
import { createSharedQuestions } from './shared-questions.ts'
import { createTrial } from './trial.ts'

export type SavedEngineDeps = {
  readonly world: Pick<World, 'savedCatalogue' | 'sharing' | 'clock' | 'queries' | 'feeder' | 'changes'>
  readonly registry: Registry
  readonly answers: Answers
  readonly cursors: OpaqueCursors
  /** Where analysts are answered, once they are. */
  readonly analysts: () => { readonly runner: SqlRunner; readonly port?: number } | undefined
  readonly reachOf: AskRowsDeps['reachOf']
  /** Whether `D.T` may name a table of database D, and no stream. */
  readonly isDatabase: (name: string) => boolean
}

/** Answers that may be some seconds old, of all questions together. */
const maxFreshBytes = 64 * 1024 * 1024

/** Saved questions: their versions, the trial of a new one, and their rows (docs/saved.md). */
export function createSavedEngine(deps: SavedEngineDeps) {
  const { world, registry, answers, cursors, analysts, reachOf, isDatabase } = deps
  const { savedCatalogue: catalogue, sharing, clock, queries, feeder, changes } = world
  const { statements } = answers
  const asking = {
    ...{ reachOf, statements, queries },
    runner: () => analysts()?.runner,
    analystsPort: () => analysts()?.port,
  }
  return {
    saved: createSaved({ catalogue, exclusively: sharing.changeTables, now_us: clock.next }),
    trial: createTrial({ ...asking, isDatabase }),
    askRows: createAskRows({
      ...{ ...asking, registry, feeder, cursors },
      written: changes.count,
      questions: createSharedQuestions<Rows>(maxFreshBytes),
    }),
  }
}

export type SavedEngine = ReturnType<typeof createSavedEngine>
