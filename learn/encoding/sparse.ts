import { Refusal } from '../../base/refusal.ts'
import type { Room, SparseMatrix, Target } from '../dataset.ts'
import { createUtf8Decoder } from '../formats/decode-utf8.ts'
import { cutLines } from '../formats/lines.ts'
import type { Source } from '../formats/read-rows.ts'
import { maxExamples, placeOf } from '../formats/row.ts'
import { isBlank, noLabel, splitSvm } from '../formats/svm.ts'
import type { Encoding } from './encoding.ts'
import { createIntegers, createNumbers } from './growing-list.ts'
import { noNumber, toNumber } from './number.ts'
import { encodeRange } from './numbers.ts'
import { createTargetColumn, type Task } from './target.ts'

/** LIBSVM data without an `attr_list`: column j is the feature of index `j + 1`, and has the name `f<j + 1>`. */
export type SparseTable = {
  readonly features: SparseMatrix
  readonly target: Target
  readonly notes?: readonly string[]
}

/** Each is an attribute of the model, with a name. */
const maxColumns = 2_000_000

/** Keeps values that are not 0. Throws a `Refusal` with line and column at the first broken row. */
export async function readSparse(source: Source, task?: Task, room: Room = () => {}): Promise<SparseTable> {
  const offsets = createIntegers()
  const indices = createIntegers()
  const values = createNumbers()
  const labels = createNumbers()
  const lineOf = createNumbers()
  offsets.push(0)
  const broken = (line: number, reason: string) => new Refusal(placeOf({ line, reason }))
  let columns = 0

  const take = (text: string, line: number) => {
    const split = splitSvm(text, line)
    if ('reason' in split) throw new Refusal(placeOf(split))
    if (split.label === undefined) throw broken(line, noLabel)
    for (const [i, index] of split.indices.entries()) {
      const cell = split.values[i]
      const value = toNumber(cell) ?? Number.NaN
      if (Number.isNaN(value)) throw broken(line, noNumber(cell))
      if (index === 0)
        throw broken(
          line,
          'index 0; without attr_list features count from 1, which dump_svmlight_file of scikit-learn writes with zero_based=False',
        )
      if (index > maxColumns) throw broken(line, `index ${index}; features count to ${maxColumns}`)
      columns = Math.max(columns, index)
      if (value === 0) continue
      indices.push(index - 1)
      values.push(value)
    }
    const label = task === 'none' ? 0 : toNumber(split.label)
    if (label === undefined) throw broken(line, noNumber(split.label))
    offsets.push(indices.length())
    labels.push(label)
    lineOf.push(line)
    room(12 * indices.length() + 20 * labels.length())
  }

  const lines = cutLines(
    (row) => {
      throw new Refusal(placeOf(row))
    },
    (text, line) => {
      if (!isBlank(text)) take(text, line)
    },
  )
  const decoder = createUtf8Decoder()
  for await (const chunk of source) lines.push(decoder.push(chunk))
  lines.push(decoder.end())
  lines.end()

  const target = createTargetColumn({ task: task ?? 'values', kind: 'number' })
  for (const [row, label] of labels.values().entries()) {
    const wrong = target.add(label)
    if (wrong !== undefined) throw broken(lineOf.values()[row] ?? 0, wrong)
  }
  const features = {
    rows: labels.length(),
    columns,
    offsets: offsets.values(),
    indices: indices.values(),
    values: values.values(),
  }
  const note = target.note()
  return { features, target: target.finish(), notes: note === undefined ? [] : [`target: ${note}`] }
}

/** The attributes as they are: scaling by ranges would fill in the zeros. */
export function sparseEncoding({ features: { columns } }: SparseTable): Encoding {
  const numbers = Array.from({ length: columns }, (_, column) =>
    encodeRange({ name: `f${column + 1}`, mean: 0, min: 0, max: 0, deviation: 0 }, false),
  )
  return { numbers, words: [] }
}

/** The rows of another table behind these; features that these do not have are left out, which a note says. */
export function appendSparse(table: SparseTable, more: SparseTable): SparseTable {
  const { rows, columns, offsets, indices, values } = table.features
  const [places, cells, ends] = [createIntegers(), createNumbers(), createIntegers()]
  const unseen: number[] = []
  let [strange, last] = [0, -1]
  for (let row = 0; row < more.features.rows; row += 1) {
    const end = more.features.offsets[row + 1] ?? 0
    for (let at = more.features.offsets[row] ?? 0; at < end; at += 1) {
      const column = more.features.indices[at] ?? 0
      if (column >= columns) {
        if (unseen.length < maxExamples && !unseen.includes(column + 1)) unseen.push(column + 1)
        if (last !== row) strange += 1
        last = row
        continue
      }
      places.push(column)
      cells.push(more.features.values[at] ?? 0)
    }
    ends.push(values.length + places.length())
  }
  const features = {
    rows: rows + more.features.rows,
    columns,
    offsets: joinedIntegers(offsets, ends.values()),
    indices: joinedIntegers(indices, places.values()),
    values: joinedNumbers(values, cells.values()),
  }
  const some = `${strange.toLocaleString('en-US')} ${strange === 1 ? 'row' : 'rows'} held out`
  const note = `${some} with features that no other row has, such as ${unseen.join(', ')}: they are passed over, as in rows to predict`
  return { features, target: joinedTarget(table.target, more.target), notes: strange === 0 ? [] : [note] }
}

function joinedTarget(one: Target, other: Target): Target {
  if (one.kind === 'numbers' && other.kind === 'numbers')
    return { kind: 'numbers', values: joinedNumbers(one.values, other.values) }
  if (one.kind !== 'classes' || other.kind !== 'classes') return one
  const labels = [...new Set([...one.labels, ...other.labels])]
  const places = other.labels.map((label) => labels.indexOf(label))
  const classes = other.classes.map((index) => places[index] ?? 0)
  return { kind: 'classes', labels, classes: joinedIntegers(one.classes, classes) }
}

function joinedIntegers(one: Int32Array, other: Int32Array): Int32Array {
  const all = new Int32Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}

function joinedNumbers(one: Float64Array, other: Float64Array): Float64Array {
  const all = new Float64Array(one.length + other.length)
  all.set(one)
  all.set(other, one.length)
  return all
}
