import type { TableAlgorithm } from '../../../learn/algorithms/algorithm.ts'
import type { FitWatch, Target } from '../../../learn/dataset.ts'
import { type Encoding, encodedWidth } from '../../../learn/encoding/encoding.ts'
import type { Parameter, Parameters } from '../../../learn/parameters.ts'
import type { SeriesRule } from '../../../learn/series/rule.ts'
import { rowsAlgorithm } from './fit-rows.ts'
import { heldOf, labelsOf, learntRows } from './hold-out.ts'
import {
  fitPrepared,
  learntPrepared,
  type PreparedRows,
  rowsOfPrepared,
  seriesOfPrepared,
  targetOfPrepared,
  togetherOf,
} from './prepared.ts'
import { type FoldFigures, type Found, type Sharing, type TuneRequest, tryCandidates } from './try-candidates.ts'

export type Chosen = {
  readonly parameters: Parameters
  /** `tuned_algo_params`. */
  readonly shown: Readonly<Record<string, unknown>>
  /** The fit in words for people: `SVM, 8,000 rows x 12, cost 8, gamma 0.25`. */
  readonly about?: string
  /** How the parameters that were chosen by trying did. */
  readonly folds?: FoldFigures
  /** Why none were chosen, though asked for. */
  readonly untuned?: string
}

/** The parameters to train with: those of the request, or the best of a grid. */
export function tuneRows(request: TuneRequest, prepared: PreparedRows, watch: FitWatch, sharing?: Sharing): Chosen {
  const { scale } = request
  const series = seriesOfPrepared(prepared)
  const algorithm = rowsAlgorithm(request.algorithm)
  const target = targetOfPrepared(prepared)
  const own = learntRows(prepared)
  const rows = own?.length ?? rowsOfPrepared(prepared)
  const encoding = fitPrepared(prepared, scale, algorithm, own)
  const columns = encodedWidth(encoding)
  const parameters = withDefaultsOf(algorithm, encoding, request.parameters)
  const size = `${rows.toLocaleString('en-US')} rows x ${columns}`
  const show = (chosen: Parameters, performance: number): Chosen => ({
    parameters: chosen,
    shown: { ...algorithm.show(chosen, target, columns, performance), ...membersOf(series) },
    about: [algorithm.name, size, ...changes(algorithm.parameters, chosen)].join(', '),
  })
  if (!request.tune) return show(parameters, 0)
  if (algorithm.tuning === undefined || !isVaried(target))
    return { ...show(parameters, 0), untuned: `${algorithm.name} has nothing to tune here` }
  const known = heldOf(prepared).rest
  const found = tryCandidates(
    { ...request, parameters },
    algorithm.tuning,
    {
      // The rows that the model will be measured on choose nothing.
      rows: known,
      target: labelsOf(target, known),
      dataOf: (fitted) => {
        const encoding = fitPrepared(prepared, scale, algorithm, fitted)
        return (some) => learntPrepared(prepared, encoding, fitted, some)
      },
      together: togetherOf(prepared),
      measure: target.kind === 'numbers' ? 'rmse' : 'accuracy',
    },
    watch,
    sharing,
  )
  return chosenOf(found, parameters, show)
}

/** A parameter that the request leaves open may be decided by the attributes, of which words make more columns. */
function withDefaultsOf({ defaultsOf }: TableAlgorithm, encoding: Encoding, parameters: Parameters): Parameters {
  const attributes = encoding.numbers.length + encoding.words.length
  return attributes === encodedWidth(encoding) ? parameters : { ...defaultsOf?.(parameters, attributes), ...parameters }
}

/** The members of `algo_param` about the series. */
function membersOf(series: SeriesRule | undefined): Readonly<Record<string, unknown>> {
  if (series === undefined) return {}
  const { quantity: _, ...members } = series
  return members
}

export function chosenOf(
  found: Found,
  parameters: Parameters,
  show: (chosen: Parameters, performance: number) => Chosen,
): Chosen {
  if ('untuned' in found) return { ...show(parameters, 0), untuned: found.untuned }
  return { ...show({ ...parameters, ...found.values }, found.performance), folds: found.folds }
}

/** Without a target, and with one class alone, there is nothing to compare points by. */
const isVaried = (target: Target): boolean =>
  target.kind === 'numbers' || (target.kind === 'classes' && target.labels.length > 1)

/** The parameters that are not as they are by default. */
const changes = (table: readonly Parameter[], chosen: Parameters): string[] =>
  table.flatMap(({ name, default: usual }) =>
    String(chosen[name] ?? '') === String(usual ?? '') ? [] : [`${name} ${shown(chosen[name])}`],
  )

const shown = (value: unknown): string => String(typeof value === 'number' ? Number(value.toPrecision(4)) : value)
