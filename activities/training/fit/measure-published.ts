import { Refusal } from '../../../base/refusal.ts'
import type { ModelDescription } from '../../../learn/description.ts'
import type { Cell, Row } from '../../../learn/formats/row.ts'
import { classMetrics, numberMetrics } from '../../../learn/metrics.ts'
import type { Prediction } from '../../../learn/outside-step.ts'
import { selectTarget } from '../../../learn/tuning/select-target.ts'
import { outsideSteps } from '../../prediction/outside-steps.ts'
import { runModel } from '../../prediction/run-model.ts'
import { type Opening, openSession } from '../../prediction/sessions.ts'
import { heldOf } from './hold-out.ts'
import { layoutOfPrepared, type Prepared } from './prepared.ts'

/** Cells of the rows that are asked at once, before the model cuts them again. */
const blockCells = 1_000_000

type Comparable = Exclude<Prepared, { kind: 'entities' }>

/**
 * How well a version that was published before predicts the rows that this training holds out, by the measures of a
 * training. Throws a `Refusal` that says why they cannot be compared: the version reads an attribute that these data do
 * not have, predicts something else, or cannot predict a row.
 */
export async function measurePublished(file: Uint8Array, prepared: Prepared, opening: Opening): Promise<object> {
  if (prepared.kind === 'entities') throw new Refusal('it finds entities in texts, which are not compared')
  const { held, rest } = heldOf(prepared)
  const all = prepared.kind === 'table' ? prepared.table.target : prepared.target
  const truth = selectTarget(all, held)
  if (truth.kind === 'none') throw new Refusal('without a target there is nothing to compare')
  const session = await openSession(file, opening)
  try {
    const { attributes, task, labels = [] } = session.description
    if (task !== truth.kind) throw new Refusal(`it predicts ${task}, and these data have ${truth.kind}`)
    const cellsOf = cellsFor(prepared, attributes)
    const found: Prediction[] = []
    const step = Math.max(1, Math.floor(blockCells / Math.max(1, attributes.length)))
    for (let from = 0; from < held.length; from += step) {
      const rows = Array.from(held.subarray(from, from + step), (row): Row => {
        return { line: row + 1, cells: cellsOf(row), target: undefined }
      })
      for (const result of await runModel(session, rows, outsideSteps)) {
        if ('reason' in result) throw new Refusal(`it cannot predict row ${result.line}: ${result.reason}`)
        found.push(result)
      }
    }
    if (truth.kind === 'numbers') {
      const predicted = found.map(({ label }) => Number(label))
      return numberMetrics(truth.values, predicted)
    }
    const learnt = selectTarget(all, rest)
    return classMetrics(truth.labels, truth.classes, placesIn(truth.labels, found), {
      learnt: learnt.kind === 'classes' ? learnt.classes : undefined,
      probabilities: probabilitiesOf(found, labels, truth.labels),
    })
  } finally {
    await session.onnx.release()
  }
}

type Labels = readonly (number | string)[]

/** Labels are compared as texts: a model of texts may have learnt `1` where these data hold the number. */
function placesIn(labels: Labels, found: readonly Prediction[]): number[] {
  const places = new Map(labels.map((label, place) => [String(label), place]))
  return found.map(({ label }) => places.get(String(label)) ?? -1)
}

/** `[rows, labels]` in the order of `labels`; a label that the model does not know is never probable. */
function probabilitiesOf(found: readonly Prediction[], own: Labels, labels: Labels): Float64Array | undefined {
  if (found.some(({ probabilities }) => probabilities === undefined)) return undefined
  const places = new Map(own.map((label, place) => [String(label), place]))
  const shares = new Float64Array(found.length * labels.length)
  for (const [row, { probabilities = [] }] of found.entries()) {
    for (const [column, label] of labels.entries()) {
      const place = places.get(String(label))
      if (place !== undefined) shares[row * labels.length + column] = probabilities[place] ?? 0
    }
  }
  return shares
}

/** A row of the prepared data as a client would send it to the model, attribute by attribute. */
function cellsFor(prepared: Comparable, attributes: ModelDescription['attributes']): (row: number) => Cell[] {
  if (prepared.kind === 'classes') return (row) => [prepared.texts[row]]
  const columns = layoutOfPrepared(prepared).columns
  const places = new Map(columns.map(({ name }, place) => [name, place]))
  const lacking = attributes.filter(({ name }) => !places.has(name)).map(({ name }) => name)
  if (lacking.length > 0) {
    const names = lacking.slice(0, 5).join(', ') + (lacking.length > 5 ? ' and others' : '')
    throw new Refusal(`it reads ${names}, which these data do not have`)
  }
  const asked = attributes.map(({ name }) => places.get(name) ?? 0)
  if (prepared.kind === 'sparse') {
    const { offsets, indices, values } = prepared.features
    return (row) => {
      const own = new Map<number, number>()
      for (let at = offsets[row] ?? 0; at < (offsets[row + 1] ?? 0); at += 1) own.set(indices[at] ?? 0, values[at] ?? 0)
      return asked.map((place) => own.get(place) ?? 0)
    }
  }
  const readers = asked.map((place) => cellOf(prepared.table.columns[place], columns[place]?.name ?? ''))
  return (row) => readers.map((read) => read(row))
}

type Column = Extract<Prepared, { kind: 'table' }>['table']['columns'][number] | undefined

function cellOf(column: Column, name: string): (row: number) => Cell {
  if (column === undefined) return () => undefined
  if (column.kind === 'number') {
    return (row) => {
      const value = column.values[row] ?? Number.NaN
      return Number.isNaN(value) ? undefined : value
    }
  }
  const { codes, encoding } = column
  if (!('categories' in encoding))
    throw new Refusal(`the words of ${name} are hashed here, so that it cannot be asked with them`)
  return (row) => encoding.categories[codes[row] ?? 0] || undefined
}
