import { entitiesTuning, textClassesTuning } from '../../../../learn/algorithms/text/index.ts'
import type { FitWatch, Target } from '../../../../learn/dataset.ts'
import type { PreparedTexts } from './fit-texts.ts'
import { type TuneRequest, tryCandidates } from './try-candidates.ts'
import { type Chosen, chosenOf, knownRows } from './tune-rows.ts'

/** The parameters to learn texts with, which were asked to be tuned. */
export function tuneTexts(request: TuneRequest, prepared: PreparedTexts, watch: FitWatch): Chosen {
  const { algorithm, parameters } = request
  const { texts } = prepared
  const show = (chosen: TuneRequest['parameters'], performance: number): Chosen => ({
    parameters: chosen,
    shown: { ...chosen, train_perf: performance },
    about: `${algorithm}, ${texts.length.toLocaleString('en-US')} texts`,
  })
  const found =
    prepared.kind === 'classes'
      ? tryCandidates(request, textClassesTuning, knownTexts(prepared.texts, prepared.target, 'accuracy'), watch)
      : tryCandidates(
          request,
          entitiesTuning,
          { ...knownTexts(prepared.texts, { kind: 'none' }, 'f1'), strata: withEntities(prepared.texts) },
          watch,
        )
  return chosenOf(found, parameters, show)
}

const knownTexts = <Text>(texts: readonly Text[], target: Target, measure: 'accuracy' | 'f1') => ({
  rows: knownRows(target, texts.length),
  target,
  dataOf: () => (rows: Int32Array) => Array.from(rows, (row) => texts[row]).filter((text) => text !== undefined),
  measure,
})

/** Each fold is to have its share of the texts with an entity. */
const withEntities = (texts: readonly { readonly spans: readonly unknown[] }[]): Target => ({
  kind: 'classes',
  labels: ['none', 'some'],
  classes: Int32Array.from(texts, ({ spans }) => (spans.length > 0 ? 1 : 0)),
})
