import test from 'ava'
import { outsideSteps } from '../../../../activities/prediction/outside-steps.ts'
import { runModel } from '../../../../activities/prediction/run-model.ts'
import { openSession } from '../../../../activities/prediction/sessions.ts'
import {
  assembleEntities,
  assembleTextClasses,
  fitEntities,
  fitTextClasses,
  type TaggedText,
  tagText,
  textParameters,
} from '../../../../learn/algorithms/text/index.ts'
import { layoutOf } from '../../../../learn/description.ts'
import { readText } from '../../../../learn/formats/read-rows.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { marked, places } from './corpora.ts'

const silent = { beat: () => {}, log: () => {} }
const parameters = decodeParameters(textParameters, {})
const known = {
  algorithm: 'IE',
  attributes: [{ name: 'text', position: 1, kind: 'word' as const }],
  target: { name: 'label', position: 0, kind: 'word' as const },
  separator: ',',
  parameters,
}

async function predictLines(model: Uint8Array, format: 'TEXT' | 'JSON', lines: readonly string[]) {
  const session = await openSession(model)
  const rows = readText(lines.join('\n'), format, layoutOf(session.description), {
    purpose: 'prediction',
    target: false,
  })
  const found = await runModel(session, rows, outsideSteps)
  await session.onnx.release()
  return found
}

test("the service's predictor classes texts by the model's file alone, batch by batch, broken rows in their places", async (t) => {
  const train = places(200, 1)
  const labels = [...new Set(train.map(({ label }) => label))]
  const model = fitTextClasses(
    train.map(({ text }) => text),
    { kind: 'classes', labels, classes: Int32Array.from(train, ({ label }) => labels.indexOf(label)) },
    parameters,
    silent,
  )
  const heldOut = places(150, 2)
  const lines = heldOut.map(({ text }) => JSON.stringify({ text }))
  const found = await predictLines(assembleTextClasses(model, known), 'JSON', [
    ...lines.slice(0, 70),
    'x',
    ...lines.slice(70),
  ])
  t.is(found.length, 151)
  t.like(found[70], { line: 71 })
  const predictions = found.flatMap((each) => ('label' in each ? [each] : []))
  const right = heldOut.filter(({ label }, index) => predictions[index]?.label === label).length
  t.true(right >= 140, `${right} of 150`)
  for (const { probabilities = [] } of predictions) {
    t.is(probabilities.length, labels.length)
    t.true(Math.abs(probabilities.reduce((sum, share) => sum + share, 0) - 1) < 1e-12)
  }
})

test("the service's predictor finds entities by the model's file alone", async (t) => {
  const train = marked(120, 1).flatMap(({ text, entities }): TaggedText[] => {
    const tagged = tagText(text, entities)
    return 'reason' in tagged ? [] : [tagged]
  })
  const model = assembleEntities(fitEntities(train, parameters, silent), known)
  const found = await predictLines(model, 'TEXT', [
    '🌧 Dr Kalo Miter of Banru Ltd will go Felville.',
    'nothing was here',
  ])
  const [first, second] = found.map((each) =>
    'label' in each && typeof each.label === 'object' ? each.label : ['none'],
  )
  t.like(first, [
    { text: 'Kalo Miter', tag: 'person', offset: 6 },
    { text: 'Banru Ltd', tag: 'company', offset: 20 },
    { text: 'Felville', tag: 'city', offset: 38 },
  ])
  t.deepEqual(second, [])
})
