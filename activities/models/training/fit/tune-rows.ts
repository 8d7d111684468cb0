import type { FitWatch } from '../../../../learn/dataset.ts'
import { encodedWidth } from '../../../../learn/encoding/encoding.ts'
import type { Parameter, Parameters } from '../../../../learn/parameters.ts'
import { selectTarget } from '../../../../learn/tuning/select-target.ts'
import { sampleRows } from '../../../../learn/tuning/strata.ts'
import { tune } from '../../../../learn/tuning/tune.ts'
import type { TrainingRequest } from '../decode/request.ts'
import { rowsAlgorithm } from './fit-rows.ts'
import { holdOut, minRows } from './hold-out.ts'
import { encodePrepared, fitPrepared, type PreparedRows, rowsOfPrepared, targetOfPrepared } from './prepared.ts'

/** Above this many rows points are tried on a stratified sample of this size. */
export const tuningSample = 2000
const seed = 1
/** After this time the best point so far wins. */
const longest_s = 600

export type TuneRequest = Pick<TrainingRequest, 'algorithm' | 'parameters' | 'scale' | 'tune' | 'speed'>

export type Chosen = {
  readonly parameters: Parameters
  /** `tuned_algo_params`. */
  readonly shown: Readonly<Record<string, unknown>>
  /** The fit in words for people: `SVM, 8,000 rows x 12, cost 8, gamma 0.25`. */
  readonly about?: string
  /** Parameters were chosen by trying. */
  readonly tuned?: true
}

/** The parameters to train with: those of the request, or the best of a grid. */
export function tuneRows(request: TuneRequest, prepared: PreparedRows, watch: FitWatch): Chosen {
  const { parameters, speed, scale } = request
  const algorithm = rowsAlgorithm(request.algorithm)
  const target = targetOfPrepared(prepared)
  const rows = rowsOfPrepared(prepared)
  const columns = encodedWidth(fitPrepared(prepared, scale, algorithm.takesMissing))
  const size = `${rows.toLocaleString('en-US')} rows x ${columns}`
  const show = (chosen: Parameters, performance: number): Chosen => ({
    parameters: chosen,
    shown: algorithm.show(chosen, target, columns, performance),
    about: [algorithm.name, size, ...changes(algorithm.parameters, chosen)].join(', '),
  })
  if (!request.tune) return show(parameters, 0)
  const grid = target.kind === 'none' ? [] : (algorithm.tuning?.grid(parameters, speed) ?? [])
  if (algorithm.tuning === undefined || grid.length === 0) {
    watch.log(`${algorithm.name} has no parameters to tune here`)
    return show(parameters, 0)
  }
  // The rows that the model will be measured on choose nothing.
  const known = rows < minRows ? Int32Array.from({ length: rows }, (_, row) => row) : holdOut(target, rows).rest
  const sample = sampleRows(selectTarget(target, known), known.length, tuningSample, seed)
  if (sample.length < known.length)
    watch.log(`tuning on a stratified sample of ${sample.length} of ${known.length} rows`)
  const encoding = fitPrepared(prepared, scale, algorithm.takesMissing, known)
  const tried = sample.map((at) => known[at] ?? 0)
  const features = encodePrepared(prepared, encoding, tried)
  const options = { grid, seed, seconds: longest_s }
  const tuned = tune(algorithm.tuning.tunable, features, selectTarget(target, tried), parameters, options, watch)
  watch.log(`tried ${tuned.tried} of ${grid.length} points, ${tuned.abandoned} of them given up early`)
  return { ...show(tuned.parameters, tuned.performance), tuned: true }
}

/** The parameters that are not as they are by default. */
const changes = (table: readonly Parameter[], chosen: Parameters): string[] =>
  table.flatMap(({ name, default: usual }) =>
    String(chosen[name] ?? '') === String(usual ?? '') ? [] : [`${name} ${chosen[name]}`],
  )
