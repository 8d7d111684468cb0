import { Refusal } from '../../../base/refusal.ts'
import type { ModelDescription } from '../../../learn/description.ts'
import { toNumber } from '../../../learn/encoding/number.ts'
import type { Source } from '../../../learn/formats/read-rows.ts'
import type { Cell, Row } from '../../../learn/formats/row.ts'
import type { Layout } from '../../../learn/layout.ts'
import { classMetrics, numberMetrics } from '../../../learn/metrics.ts'
import { outsideSteps } from '../../prediction/outside-steps.ts'
import { runModel } from '../../prediction/run-model.ts'
import { type Opening, openSession } from '../../prediction/sessions.ts'
import { partedRows, type ScriptRows } from './held-rows.ts'

type Label = number | string

/** A script may answer any label: those that no row has are in the metrics up to this number, and else are none. */
const maxForeign = 100

/**
 * How well a model's file predicts the rows that were held out; one that it cannot predict counts as wrong, and a note says
 * how many these are. The rows that are not held out were learnt from, or those of a file of their own, `learnt`.
 */
export async function compareHeld(
  file: Uint8Array,
  rows: ScriptRows,
  opening: Opening,
  learnt?: Source,
): Promise<object> {
  const session = await openSession(file, opening)
  const cellsOf = cellsFor(rows.layout, session.description)
  const truth: Label[] = []
  const predicted: (Label | undefined)[] = []
  const usual = createUsual()
  try {
    for await (const { held, rest } of partedRows(rows)) {
      usual.see(rest)
      const results = await runModel(session, held.map(cellsOf), outsideSteps)
      for (const [i, result] of results.entries()) {
        truth.push(plain(held[i]?.target))
        predicted.push('label' in result && typeof result.label !== 'object' ? plain(result.label) : undefined)
      }
    }
    if (learnt !== undefined)
      for await (const { rest } of partedRows({ ...rows, source: learnt, held: new Int32Array() })) usual.see(rest)
  } finally {
    await session.onnx.release()
  }
  const isOfNumbers = session.description.task === 'numbers'
  const failed = predicted.filter((label) => label === undefined).length
  return {
    ...(isOfNumbers
      ? numberMetrics(
          truth.map(Number),
          predicted.map((label) => Number(label ?? 0)),
          usual.mean(),
        )
      : metricsOfLabels(truth, predicted, usual.label())),
    ...(failed > 0 && {
      note: `${failed} of ${truth.length} rows held out could not be predicted: they count as ${isOfNumbers ? 0 : 'wrong'}`,
    }),
  }
}

/** The cells of a row in the order of a model's attributes; a model that was not learnt from these rows may read others. */
function cellsFor({ columns }: Layout, { attributes }: ModelDescription): (row: Row) => Row {
  if (attributes.every(({ name }, place) => columns[place]?.name === name)) return (row) => row
  const places = attributes.map(({ name }) => columns.findIndex((column) => column.name === name))
  const lacking = attributes.find((_, attribute) => places[attribute] === -1)
  if (lacking !== undefined) throw new Refusal(`it reads ${lacking.name}, which these data do not have`)
  return (row) => ({ ...row, cells: places.map((place) => row.cells[place]) })
}

function metricsOfLabels(truth: readonly Label[], predicted: readonly (Label | undefined)[], usual?: Label) {
  const own = new Set(truth)
  const foreign = new Set(usual === undefined || own.has(usual) ? [] : [usual])
  for (const label of predicted)
    if (label !== undefined && !own.has(label) && foreign.size < maxForeign) foreign.add(label)
  const labels = [...own, ...foreign]
  const places = new Map(labels.map((label, place) => [label, place]))
  const placeOf = (label: Label | undefined): number => (label === undefined ? -1 : (places.get(label) ?? -1))
  const learnt = usual === undefined ? undefined : [placeOf(usual)]
  return classMetrics(labels, truth.map(placeOf), predicted.map(placeOf), { learnt })
}

/** Labels that are counted; a target of numbers has more, and needs none. */
const maxLabels = 10_000

/** The answer of a model that always gives the same one: the label of most rows that were learnt from, or their mean. */
function createUsual() {
  const counts = new Map<Label, number>()
  let numbers = 0
  let mean = 0
  return {
    see: (rows: readonly Row[]): void => {
      for (const { target } of rows) {
        const label = plain(target)
        const count = counts.get(label) ?? 0
        if (count > 0 || counts.size < maxLabels) counts.set(label, count + 1)
        if (typeof label !== 'number') continue
        numbers += 1
        mean += (label - mean) / numbers
      }
    },
    label: (): Label | undefined => [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), none)[0],
    mean: (): number | undefined => (numbers === 0 ? undefined : mean),
  }
}

const none: readonly [Label | undefined, number] = [undefined, 0]

/** A number where it is one, so that the label 1 is the cell '1'. */
function plain(cell: Cell): Label {
  const number = toNumber(cell)
  return number === undefined || Number.isNaN(number) ? String(cell ?? '') : number
}
