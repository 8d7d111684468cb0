import type { Shape, TableAlgorithm } from '../../learn/algorithms/algorithm.ts'
import { algorithmOf } from '../../learn/algorithms/index.ts'
import { memoryOfClasses, memoryOfEntities } from '../../learn/algorithms/text/index.ts'
import type { FitWatch, Room } from '../../learn/dataset.ts'
import { encodedWidth, filledWidth, isWide } from '../../learn/encoding/encoding.ts'
import type { Table } from '../../learn/encoding/table.ts'
import { narrowed as narrowedWords, wordBytes } from '../../learn/encoding/words.ts'
import type { TrainingRequest } from './decode/request.ts'
import { fitPrepared, type Prepared, type PreparedRows, rowsOfPrepared, targetOfPrepared } from './fit/prepared.ts'
import { TooLarge } from './refusals.ts'

/** The max bytes that each step of a training takes, and the rows x columns that it works on. */
export type Needs = { readonly tune: number; readonly fit: number; readonly measure: number; readonly cells: number }

const megabyte = 1024 * 1024
/** The memory of a thread before it holds anything. */
export const threadBytes = 32 * megabyte
/** Some facts about each row are in JavaScript's heap. */
const maxRows = 50_000_000
/**
 * An attribute's description, with its copies on the way into the model's file. For sparse data, measured with 100,000 to
 * 2,000,000 attributes, a fit took 0.9 to 1.4 KB for each; of a table, whose columns are objects of their own, this is an
 * estimate.
 */
const attributeBytes = { table: 4_000, sparse: 1_400 } as const
/** The data that are read are there three times: as they grow, as they are, and as they are handed on. */
const copiesOfReading = 3
/** A file's cells take this many times their text, unless it leaves most of them out. */
const maxExpansion = 12

/** The memory to read files of this size; where it is too little they are read again with all that trainings may have. */
export const readingBytes = (sourceBytes: number): number => threadBytes + maxExpansion * sourceBytes

/** Thrown out of a reader whose data outgrow its memory. */
export class OutOfRoom extends Error {}

/** The data are to leave room for their copies. */
export const roomOf =
  (given: number): Room =>
  (bytes) => {
    if (copiesOfReading * bytes > given - threadBytes) throw new OutOfRoom()
  }

export const tooLargeToRead = (max: number): string =>
  `the training data take more memory than trainings may, of which MAX_TRAINING_MB is ${inMegabytes(max)}: they need fewer rows or attributes, or that setting a greater value`

type Request = Pick<TrainingRequest, 'algorithm' | 'parameters' | 'scale' | 'tune'>

/**
 * The data as they may be trained on with `max` bytes of memory: as they are, or with words hashed into fewer columns,
 * which the log says. Throws a `TooLarge` that names the figure where nothing helps.
 */
export function fitInto(
  max: number,
  request: Request,
  prepared: Prepared,
  watch: FitWatch,
): { readonly prepared: Prepared; readonly needs: Needs } {
  if (rowsOfPrepared(prepared) > maxRows)
    throw new TooLarge(
      `a training takes ${maxRows.toLocaleString('en-US')} rows at most, and there are more: train on a part`,
    )
  const asked = needsOf(request, prepared)
  if (peakOf(asked) <= max) return { prepared, needs: asked }
  for (let smaller = narrowed(prepared); smaller !== undefined; smaller = narrowed(smaller)) {
    const needs = needsOf(request, smaller)
    if (peakOf(needs) > max) continue
    watch.log(
      `words are hashed into fewer columns: training would take ${inMegabytes(peakOf(asked))} MB (${sizeOf(request, prepared)}), and MAX_TRAINING_MB is ${inMegabytes(max)}; now it takes ${inMegabytes(peakOf(needs))} MB (${sizeOf(request, smaller)})`,
    )
    return { prepared: smaller, needs }
  }
  throw new TooLarge(
    `training ${request.algorithm} would take ${inMegabytes(peakOf(asked))} MB of memory (${sizeOf(request, prepared)}), and MAX_TRAINING_MB is ${inMegabytes(max)}: it needs fewer rows, fewer attributes or fewer different words, or that setting a greater value`,
  )
}

const peakOf = ({ tune, fit, measure }: Needs): number => Math.max(tune, fit, measure)

const inMegabytes = (bytes: number): string => Math.ceil(bytes / megabyte).toLocaleString('en-US')

function sizeOf(request: Request, prepared: Prepared): string {
  const rows = rowsOfPrepared(prepared).toLocaleString('en-US')
  if (prepared.kind === 'classes' || prepared.kind === 'entities') return `${rows} texts`
  return `${rows} rows x ${shapeOf(rowsAlgorithm(request), prepared).columns.toLocaleString('en-US')} columns`
}

/** Words of fewer places each. */
function narrowed(prepared: Prepared): Prepared | undefined {
  if (prepared.kind !== 'table') return undefined
  let isNarrower = false
  const columns = prepared.table.columns.map((column) => {
    const fewer = column.kind === 'word' ? narrowedWords(column) : undefined
    isNarrower ||= fewer !== undefined
    return fewer ?? column
  })
  return isNarrower ? { ...prepared, table: { ...prepared.table, columns } } : undefined
}

function needsOf(request: Request, prepared: Prepared): Needs {
  if (prepared.kind === 'classes' || prepared.kind === 'entities') {
    const own =
      prepared.kind === 'classes'
        ? memoryOfClasses(prepared.texts, prepared.target.labels.length, request.parameters)
        : memoryOfEntities(prepared.texts, request.parameters)
    const tune = request.tune ? threadBytes + own : threadBytes
    return { tune, fit: threadBytes + own, measure: threadBytes + own, cells: cellsOfTexts(prepared) }
  }
  const algorithm = rowsAlgorithm(request)
  const shape = shapeOf(algorithm, prepared)
  const attributes = prepared.kind === 'table' ? prepared.table.columns.length : shape.columns
  const held = threadBytes + 2 * bytesOf(prepared) + attributeBytes[prepared.kind] * attributes + shape.aside
  const own = algorithm.memory(shape, request.parameters)
  const matrix = prepared.kind === 'table' ? (shape.isSparse ? 12 : 8) * shape.cells : 0
  // The two parts of sparse data are copies.
  const parts = prepared.kind === 'table' ? matrix : 2 * bytesOf(prepared)
  const trying = request.tune ? tuningBytes(algorithm, shape, request) : 0
  const settling = request.tune && algorithm.tuning?.settle !== undefined ? matrix + own : 0
  const measure = held + parts + own
  return {
    tune: held + Math.max(trying, settling),
    fit: prepared.split?.isFile ? Math.max(held + matrix + own, measure) : held + matrix + own,
    measure,
    cells: shape.cells,
  }
}

/** A word is about a cell. */
const cellsOfTexts = ({ texts }: Extract<Prepared, { kind: 'classes' | 'entities' }>): number =>
  texts.reduce((sum, text) => sum + (typeof text === 'string' ? text : text.text).length, 0) / 6

/** The sample, the folds of it that are learnt from, and the one that is predicted. */
function tuningBytes({ memory, tuning }: TableAlgorithm, shape: Shape, { parameters }: Request): number {
  if (tuning === undefined) return 0
  const rows = Math.min(shape.rows, tuning.maxRows)
  const sample = { ...shape, rows, cells: Math.ceil((shape.cells * rows) / shape.rows) }
  return 3 * 12 * sample.cells + (tuning.memory ?? memory)(sample, parameters)
}

function rowsAlgorithm(request: Pick<Request, 'algorithm'>): TableAlgorithm {
  const algorithm = algorithmOf(request.algorithm)
  if (algorithm.learnsFrom !== 'rows') throw new Error(`${algorithm.name} does not learn from rows`)
  return algorithm
}

/** `aside`: the bytes a row needs beside its features, such as the statistics of its words. */
function shapeOf(algorithm: TableAlgorithm, prepared: PreparedRows): Shape & { readonly aside: number } {
  const target = targetOfPrepared(prepared)
  const outputs = target.kind === 'classes' ? target.labels.length : 1
  if (prepared.kind === 'table') {
    const { table } = prepared
    const encoding = fitPrepared(prepared, false, algorithm)
    const [columns, isSparse] = [encodedWidth(encoding), isWide(encoding)]
    const cells = table.rows * (isSparse ? filledWidth(encoding) : columns)
    const statistics = encoding.words.flatMap((word) => word.statistics ?? [])
    const aside = statistics.reduce((sum, { width }) => sum + table.rows * (8 * width + 12), 0)
    return { rows: table.rows, columns, cells, isSparse, outputs, aside }
  }
  const { rows, columns, values } = prepared.features
  return { rows, columns, cells: values.length, isSparse: true, outputs, aside: 0 }
}

const bytesOf = (prepared: PreparedRows): number =>
  prepared.kind === 'table'
    ? bytesOfTable(prepared.table)
    : 12 * prepared.features.values.length + 12 * prepared.features.rows

const bytesOfTable = ({ columns, rows }: Table): number =>
  columns.reduce((sum, column) => {
    if (column.kind === 'number') return sum + 8 * rows
    const { encoding } = column
    const words = 'categories' in encoding ? encoding.categories : []
    return sum + 4 * rows + words.reduce((bytes, word) => bytes + wordBytes(word), 0)
  }, 8 * rows)
