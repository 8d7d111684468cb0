import type { Learned } from '../../../learn/algorithms/algorithm.ts'
import { algorithmOf } from '../../../learn/algorithms/index.ts'
import { assembleModel } from '../../../learn/assemble.ts'
import { centresOf } from '../../../learn/centres.ts'
import type { FitWatch, SparseMatrix, Target } from '../../../learn/dataset.ts'
import type { Encoding } from '../../../learn/encoding/encoding.ts'
import type { Cell, Row } from '../../../learn/formats/row.ts'
import { attributeColumns, sharesOfColumns } from '../../../learn/importance.ts'
import { groupsOf, selectTogether } from '../../../learn/tuning/strata.ts'
import type { Expected } from '../../prediction/check-model.ts'
import type { TrainingRequest } from '../decode/request.ts'
import { describeModel } from '../describe-model.ts'
import { learntRows, learntTarget } from './hold-out.ts'
import {
  encodePrepared,
  fitPrepared,
  layoutOfPrepared,
  learntPrepared,
  type PreparedRows,
  seriesOfPrepared,
  targetOfPrepared,
  togetherOf,
} from './prepared.ts'

export type FitRequest = Pick<TrainingRequest, 'algorithm' | 'parameters' | 'scale'> & {
  readonly version: string
}

/** A model's file, and the rows and labels that its check needs. */
export type FittedModel = {
  readonly file: Uint8Array
  readonly sample: readonly Row[]
  readonly expected?: Expected
  readonly summary: string
  /** The ranges by which values are scaled; empty without scaling. */
  readonly ranges: readonly unknown[]
  /** The part of its metrics that the model itself tells. */
  readonly facts?: Readonly<Record<string, unknown>>
}

export const fitRows = (request: FitRequest, prepared: PreparedRows, watch: FitWatch): FittedModel =>
  modelOf(request, prepared, learnRows(request, prepared, watch, learntRows(prepared)))

/** A model in memory, with the encoding of its rows. */
export type LearnedRows = {
  readonly learned: Learned
  readonly encoding: Encoding
  readonly task: Target['kind']
  readonly rows: number
}

/** Learns from these rows, or all. */
export function learnRows(
  { algorithm: name, scale, parameters }: FitRequest,
  prepared: PreparedRows,
  watch: FitWatch,
  rows?: Int32Array,
): LearnedRows {
  const algorithm = rowsAlgorithm(name)
  const encoding = fitPrepared(prepared, scale, algorithm, rows)
  const features = learntPrepared(prepared, encoding, rows)
  const all = targetOfPrepared(prepared)
  const target = rows === undefined ? all : learntTarget(all, rows)
  const together = togetherOf(prepared)
  const groups = groupsOf(rows === undefined ? together : selectTogether(together, rows))
  const learned = algorithm.fit(features, target, parameters, watch, groups)
  return { learned, encoding, task: target.kind, rows: features.rows }
}

/** The file of a model, and what its check needs. */
export function modelOf(
  request: FitRequest,
  prepared: PreparedRows,
  { learned, encoding, task, rows }: LearnedRows,
): FittedModel {
  const algorithm = rowsAlgorithm(request.algorithm)
  const layout = layoutOfPrepared(prepared)
  const description = describeModel(
    { ...request, series: seriesOfPrepared(prepared) },
    algorithm,
    layout,
    task,
    learned,
    request.version,
  )
  const sample = sampleOf(prepared).slice(0, rows)
  const first = Int32Array.from(sample.keys())
  return {
    file: assembleModel({ encoding, description, addAlgorithm: learned.addGraph }),
    sample,
    expected: { labels: Array.from(learned.predict(encodePrepared(prepared, encoding, first))), tolerance: 1e-6 },
    summary: learned.summary,
    ranges:
      request.scale && prepared.kind === 'table'
        ? encoding.numbers.map(({ name, min, max, mean, deviation }) => ({ name, min, max, mean, deviation }))
        : [],
    facts: factsOf(learned, encoding),
  }
}

/** The facts of a model that its metrics show: how much each attribute counts, and where clusters are. */
function factsOf({ columnImportance, centres }: Learned, encoding: Encoding): Readonly<Record<string, unknown>> {
  const shown = centres && centresOf(encoding, centres)
  return {
    ...(columnImportance && {
      importance: sharesOfColumns(attributeColumns(encoding), columnImportance.columns),
      importance_by: columnImportance.by,
    }),
    ...(shown && { centres: shown }),
  }
}

export function rowsAlgorithm(name: string) {
  const algorithm = algorithmOf(name)
  if (algorithm.learnsFrom !== 'rows') throw new Error(`${name} does not learn from rows`)
  return algorithm
}

const maxCells = 100_000
const maxRows = 32

/** The first rows as a client would send them. */
function sampleOf(prepared: PreparedRows): readonly Row[] {
  return prepared.kind === 'table' ? prepared.sample : sparseSample(prepared.features)
}

function sparseSample({ rows, columns, offsets, indices, values }: SparseMatrix): Row[] {
  const count = Math.min(rows, maxRows, Math.max(1, Math.floor(maxCells / columns)))
  return Array.from({ length: count }, (_, row) => {
    const cells: Cell[] = new Array(columns).fill(0)
    for (let at = offsets[row] ?? 0; at < (offsets[row + 1] ?? 0); at += 1) cells[indices[at] ?? 0] = values[at]
    return { line: row + 1, cells, target: undefined }
  })
}
