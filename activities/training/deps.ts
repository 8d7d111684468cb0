import type { ObjectStore } from '../../infra/buckets/store.ts'
import type { CurrentModels } from '../models/current-models.ts'
import type { ModelFiles } from '../models/model-files.ts'
import type { AliasStore } from '../models/stores/aliases.ts'
import type { TrainingStore } from '../models/stores/trainings.ts'
import type { VersionStore } from '../models/stores/versions.ts'
import type { RunScript } from './script/run-script.ts'
import type { StreamDeps } from './sources.ts'
import type { MemoryBudget } from './threads/memory-budget.ts'
import type { TrainingThreads } from './threads/open-training-threads.ts'

/** All that the steps of a training work with. */
export type TrainingDeps = StreamDeps & {
  readonly trainings: TrainingStore
  readonly versions: VersionStore
  readonly aliases: AliasStore
  readonly files: ModelFiles
  /** The max versions of a model. */
  readonly maxVersions: number
  readonly current: CurrentModels
  readonly objects: ObjectStore
  readonly threads: TrainingThreads
  readonly memory: MemoryBudget
  readonly runScript: RunScript
}
