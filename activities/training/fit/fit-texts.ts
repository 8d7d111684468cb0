import { z } from 'zod'
import {
  assembleEntities,
  assembleTextClasses,
  fitEntities,
  fitTextClasses,
  measureEntities,
} from '../../../learn/algorithms/text/index.ts'
import type { Classes, FitWatch } from '../../../learn/dataset.ts'
import type { Row } from '../../../learn/formats/row.ts'
import { classMetrics } from '../../../learn/metrics.ts'
import type { Guard } from '../../models/process/native-gate.ts'
import { outsideSteps } from '../../prediction/outside-steps.ts'
import { runModel } from '../../prediction/run-model.ts'
import { openSession } from '../../prediction/sessions.ts'
import { placesOf } from '../describe-model.ts'
import type { FitRequest, FittedModel } from './fit-rows.ts'
import { heldOf, learntRows, learntTarget } from './hold-out.ts'
import type { Prepared } from './prepared.ts'

export type PreparedTexts = Extract<Prepared, { kind: 'classes' | 'entities' }>

const sampleSize = 16

export function fitTexts(request: FitRequest, prepared: PreparedTexts, watch: FitWatch): FittedModel {
  const all = learntRows(prepared) ?? Int32Array.from(prepared.texts.keys())
  const { file, summary } = fitSome(request, prepared, all, watch)
  return { file, summary, sample: rowsOf(prepared, all.subarray(0, sampleSize)), ranges: [] }
}

/** Learns from four fifths of the texts, and measures how well the model's file predicts the rest. */
export async function measureTexts(
  request: FitRequest,
  prepared: PreparedTexts,
  watch: FitWatch,
  guard: Guard,
): Promise<object> {
  const { rest } = heldOf(prepared)
  return measureTextsBy(fitSome(request, prepared, rest, watch).file, prepared, guard)
}

/** How well the file of a model that learnt from the other texts predicts the ones held out. */
export async function measureTextsBy(file: Uint8Array, prepared: PreparedTexts, guard: Guard): Promise<object> {
  const { held, rest } = heldOf(prepared)
  const session = await openSession(file, { guard })
  try {
    const results = await runModel(session, rowsOf(prepared, held), outsideSteps)
    const labels = results.map((result) => ('label' in result ? result.label : undefined))
    if (prepared.kind === 'entities') {
      const texts = Array.from(held, (row) => prepared.texts[row]).filter((text) => text !== undefined)
      return { rows: held.length, ...measureEntities(texts, labels.map(entitiesOf)) }
    }
    const known = prepared.target.labels
    const own = session.description.labels ?? []
    const hasShares = results.some((result) => 'probabilities' in result)
    const probabilities = results.flatMap((result) => {
      const shares = 'label' in result ? (result.probabilities ?? []) : []
      return known.map((label) => shares[own.indexOf(label)] ?? 0)
    })
    const predicted = labels.map((label) =>
      typeof label === 'object' || label === undefined ? -1 : known.indexOf(label),
    )
    return classMetrics(
      known,
      held.map((row) => prepared.target.classes[row] ?? 0),
      predicted,
      {
        learnt: rest.map((row) => prepared.target.classes[row] ?? 0),
        probabilities: hasShares ? probabilities : undefined,
      },
    )
  } finally {
    await session.onnx.release()
  }
}

const found = z.array(z.object({ text: z.string(), tag: z.string(), offset: z.number(), score: z.number() }))

const entitiesOf = (label: unknown) => (label === undefined ? [] : found.parse(label))

function fitSome(request: FitRequest, prepared: PreparedTexts, rows: Int32Array, watch: FitWatch) {
  const { algorithm, parameters, version } = request
  const known = { algorithm, parameters, version, ...placesOf(prepared.layout) }
  if (prepared.kind === 'entities') {
    const texts = Array.from(rows, (row) => prepared.texts[row]).filter((text) => text !== undefined)
    const model = fitEntities(texts, parameters, watch)
    return { file: assembleEntities(model, known), summary: `entities ${model.labels.join(', ')}` }
  }
  const texts = Array.from(rows, (row) => prepared.texts[row] ?? '')
  const model = fitTextClasses(texts, classesOf(prepared.target, rows), parameters, watch)
  return { file: assembleTextClasses(model, known), summary: `${model.labels.length} labels` }
}

function classesOf(target: Classes, rows: Int32Array): Classes {
  const selected = learntTarget(target, rows)
  return selected.kind === 'classes' ? selected : target
}

const rowsOf = ({ texts }: PreparedTexts, rows: Int32Array): Row[] =>
  Array.from(rows, (row) => {
    const text = texts[row]
    return { line: row + 1, cells: [typeof text === 'object' ? text.text : text], target: undefined }
  })
