import type { FitWatch } from '../../dataset.ts'
import type { Parameter, Parameters } from '../../parameters.ts'
import { tune } from '../../tuning/tune.ts'
import type { TrainingRequest } from '../decode/request.ts'
import { rowsAlgorithm } from './fit-rows.ts'
import { encodePrepared, type PreparedRows } from './prepared.ts'

/** Above so many rows points are tried on a stratified sample of so many. */
const sampleSize = 2000
/** After so many seconds the best point so far wins. */
const longest_s = 600

export type TuneRequest = Pick<TrainingRequest, 'algorithm' | 'parameters' | 'scale' | 'tune' | 'speed'>

export type Chosen = {
  readonly parameters: Parameters
  /** `tuned_algo_params`. */
  readonly shown: Readonly<Record<string, unknown>>
  /** What is fitted, for people: `SVM, 8,000 rows x 12, cost 8, gamma 0.25`. */
  readonly about?: string
}

/** The parameters to train with: those of the request, or the best of a grid. */
export function tuneRows(request: TuneRequest, prepared: PreparedRows, watch: FitWatch): Chosen {
  const { parameters, speed } = request
  const algorithm = rowsAlgorithm(request.algorithm)
  const { features, target } = encodePrepared(prepared, request.scale, algorithm.takesMissing)
  const size = `${features.rows.toLocaleString('en-US')} rows x ${features.columns}`
  const show = (chosen: Parameters, performance: number): Chosen => ({
    parameters: chosen,
    shown: algorithm.show(chosen, target, features.columns, performance),
    about: [algorithm.name, size, ...changes(algorithm.parameters, chosen)].join(', '),
  })
  if (!request.tune) return show(parameters, 0)
  const grid = target.kind === 'none' ? [] : (algorithm.tuning?.grid(parameters, speed) ?? [])
  if (algorithm.tuning === undefined || grid.length === 0) {
    watch.log(`${algorithm.name} has no parameters to tune here`)
    return show(parameters, 0)
  }
  const options = { grid, seed: 1, sampleSize, seconds: longest_s }
  const tuned = tune(algorithm.tuning.tunable, features, target, parameters, options, watch)
  watch.log(`tried ${tuned.tried} of ${grid.length} points, ${tuned.abandoned} of them given up early`)
  return show(tuned.parameters, tuned.performance)
}

/** The parameters that are not as they are by default. */
const changes = (table: readonly Parameter[], chosen: Parameters): string[] =>
  table.flatMap(({ name, default: usual }) =>
    String(chosen[name] ?? '') === String(usual ?? '') ? [] : [`${name} ${chosen[name]}`],
  )
