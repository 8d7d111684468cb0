import { entitiesTuning, textClassesTuning } from '../../../learn/algorithms/text/index.ts'
import type { FitWatch, Target } from '../../../learn/dataset.ts'
import type { PreparedTexts } from './fit-texts.ts'
import { heldOf, labelsOf, learntRows } from './hold-out.ts'
import { togetherOf } from './prepared.ts'
import { type Sharing, type TuneRequest, tryCandidates } from './try-candidates.ts'
import { type Chosen, chosenOf } from './tune-rows.ts'

/** The parameters to learn texts with, which were asked to be tuned. */
export function tuneTexts(request: TuneRequest, prepared: PreparedTexts, watch: FitWatch, sharing?: Sharing): Chosen {
  const { algorithm, parameters } = request
  const count = learntRows(prepared)?.length ?? prepared.texts.length
  // The texts that the model will be measured on choose nothing.
  const known = heldOf(prepared).rest
  const show = (chosen: TuneRequest['parameters'], performance: number): Chosen => ({
    parameters: chosen,
    shown: { ...chosen, train_perf: performance },
    about: `${algorithm}, ${count.toLocaleString('en-US')} texts`,
  })
  const found =
    prepared.kind === 'classes'
      ? tryCandidates(
          request,
          textClassesTuning,
          {
            ...knownTexts(prepared.texts, known, labelsOf(prepared.target, known), 'accuracy'),
            together: togetherOf(prepared),
          },
          watch,
          sharing,
        )
      : tryCandidates(
          request,
          entitiesTuning,
          {
            ...knownTexts(prepared.texts, known, { kind: 'none' }, 'f1'),
            strata: withEntities(prepared.texts),
            together: togetherOf(prepared),
          },
          watch,
          sharing,
        )
  return chosenOf(found, parameters, show)
}

const knownTexts = <Text>(texts: readonly Text[], rows: Int32Array, target: Target, measure: 'accuracy' | 'f1') => ({
  rows,
  target,
  dataOf: () => (some: Int32Array) => Array.from(some, (row) => texts[row]).filter((text) => text !== undefined),
  measure,
})

/** Each fold is to have its share of the texts with an entity. */
const withEntities = (texts: readonly { readonly spans: readonly unknown[] }[]): Target => ({
  kind: 'classes',
  labels: ['none', 'some'],
  classes: Int32Array.from(texts, ({ spans }) => (spans.length > 0 ? 1 : 0)),
})
