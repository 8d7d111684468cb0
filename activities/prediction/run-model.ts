import type { Tensor } from 'onnxruntime-node'
import { Refusal } from '../../base/refusal.ts'
import type { ModelDescription } from '../../learn/description.ts'
import type { BrokenRow, ReadRow } from '../../learn/formats/row.ts'
import type { Graph, Outputs, OutsideStep, OutsideSteps, Prediction } from '../../learn/outside-step.ts'
import { feedsOf } from './feeds.ts'
import { prepareRows } from './prepare-rows.ts'
import type { Session } from './sessions.ts'

const run_bytes = 32 * 2 ** 20

/** Rows of many attributes are run fewer at a time than the model would allow. */
const batchOf = ({ batch, attributes }: ModelDescription): number =>
  Math.max(1, Math.min(batch, Math.floor(run_bytes / (8 * Math.max(1, attributes.length)))))

/** The prediction of each row, or the reason why there is none. Runs in batches that the sizes of model and rows allow. */
export async function runModel(
  session: Session,
  rows: readonly ReadRow[],
  steps: OutsideSteps,
): Promise<readonly (Prediction | BrokenRow)[]> {
  const batch = batchOf(session.description)
  const results: (Prediction | BrokenRow)[] = []
  for (let from = 0; from < rows.length; from += batch) {
    for (const result of await runBatch(session, rows.slice(from, from + batch), steps)) results.push(result)
  }
  return results
}

async function runBatch({ onnx, description }: Session, rows: readonly ReadRow[], steps: OutsideSteps) {
  const prepared = prepareRows(rows, description)
  const { good, faults } = prepared
  if (good.length === 0) return faults.filter((fault) => fault !== undefined)
  const step = outsideStep(description, steps)
  const names = onnx.outputMetadata.filter(({ isTensor }) => isTensor).map(({ name }) => name)
  const graph: Graph = {
    run: (feeds) => onnx.run(feeds, step === undefined ? usual(names) : names),
    predictionsOf: (outputs, count) => predictionsOf(outputs, names, count, description),
  }
  const predictions =
    step === undefined
      ? graph.predictionsOf(await graph.run(feedsOf(prepared, onnx)), good.length)
      : await step(graph, good, description)
  let next = 0
  return faults.map((fault, i) => fault ?? finite(predictionAt(predictions, next++), rows[i]?.line ?? 0))
}

/** The reason of a row whose number, as its values are so great, no answer can hold. */
export const beyondNumbers = 'the prediction goes beyond all numbers'

/** JSON has no infinity, and a client would take it, or a null, for an answer. */
function finite(prediction: Prediction | BrokenRow, line: number): Prediction | BrokenRow {
  if ('reason' in prediction) return prediction
  const { label, probabilities = [] } = prediction
  const isFinite = (typeof label !== 'number' || Number.isFinite(label)) && probabilities.every(Number.isFinite)
  return isFinite ? prediction : { line, reason: beyondNumbers }
}

function outsideStep({ outside }: ModelDescription, steps: OutsideSteps): OutsideStep | undefined {
  const [name] = outside
  if (name === undefined) return undefined
  const step = steps[name]
  if (step === undefined) throw new Refusal(`the model needs the step '${name}', which this version does not have`)
  return step
}

/** The first output holds the labels or numbers; scores are of no use here. */
const usual = (outputs: readonly string[]): readonly string[] =>
  outputs.filter((name, place) => place === 0 || name === 'probabilities')

function predictionsOf(
  outputs: Outputs,
  names: readonly string[],
  rows: number,
  { labels = [] }: ModelDescription,
): readonly Prediction[] {
  const values = listOf(outputs[names[0] ?? ''])
  if (values.length !== rows) throw lacking(rows)
  const table = outputs.probabilities
  const width = labels.length
  const hasProbabilities = width > 0 && table?.dims[0] === rows && table.dims[1] === width
  const shares = hasProbabilities ? listOf(table).map(Number) : []
  return values.map((value, row) => {
    const label = typeof value === 'string' ? value : Number(value)
    return hasProbabilities ? { label, probabilities: shares.slice(row * width, (row + 1) * width) } : { label }
  })
}

const listOf = (tensor: Tensor | undefined): readonly (string | number | bigint)[] =>
  tensor === undefined ? [] : Array.isArray(tensor.data) ? tensor.data : Array.from<number | bigint>(tensor.data)

const lacking = (rows: number): Refusal =>
  new Refusal(`the model's first output must hold one label or number for each of ${rows} rows`)

function predictionAt(predictions: readonly (Prediction | BrokenRow)[], place: number): Prediction | BrokenRow {
  const prediction = predictions[place]
  if (prediction === undefined) throw lacking(place + 1)
  return prediction
}
