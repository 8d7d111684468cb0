/** Models of texts: classes beside TF-IDF and logistic regression, names beside CRFsuite. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure } from '../report.ts'
import type { Size } from '../size.ts'
import { splitRows } from './data-set.ts'
import { byReference, compared, type Place, type Score, summaryOf, told, tunedOn } from './judge.ts'
import { type ReferenceCase, trainReferences } from './references.ts'
import { sentences, sources } from './texts.ts'
import { type Training, train } from './trainings.ts'

type TextCase = {
  readonly kind: 'texts' | 'entities'
  readonly split: number
  readonly training: string
  readonly unseen: string
}

const caseOf = ({ kind, split }: TextCase): string => `${kind}, split ${split}`
const sentencesOf = { learnt: 1_000, unseen: 500 }

export async function measureTexts(place: Place, { splits, qualityRows }: Size): Promise<Figure[]> {
  const all = Array.from({ length: splits.usual }, (_, i) => i + 1).flatMap((split): readonly TextCase[] => [
    { kind: 'texts', split, ...sourcesOf(place.packages, split, qualityRows) },
    { kind: 'entities', split, ...namesOf(split, qualityRows) },
  ])
  const cases: ReferenceCase[] = []
  for (const each of all) {
    const paths = {
      training: join(place.folder, `${caseOf(each)}.training`),
      unseen: join(place.folder, `${caseOf(each)}.unseen`),
    }
    await writeFile(paths.training, each.training)
    await writeFile(paths.unseen, each.unseen)
    cases.push({ case: caseOf(each), kind: each.kind, ...paths })
  }
  console.error('references of texts ...')
  const references = await trainReferences(place.folder, place.packages, cases)
  const figures: Figure[] = []
  for (const { kind, what, margin } of [
    { kind: 'texts', what: 'lines of source texts by their package, accuracy', margin: 0.005 },
    { kind: 'entities', what: 'names that were not learnt from, F1', margin: 0.01 },
  ] as const) {
    for (const tuned of [false, true]) {
      const own = all.filter((each) => each.kind === kind && each.split <= (tuned ? splits.tuned : splits.usual))
      const beside = byReference(references, (name) => own.some((each) => caseOf(each) === name))
      const title = `${what}: ${kind === 'texts' ? 'IE_SENT' : 'IE_NER'}${tuned ? tunedOn(splits.tuned) : ''}`
      const scores = await Promise.all(own.map((each) => scoreOf(place, each, tuned)))
      figures.push(told(compared(title, summaryOf(scores), beside, margin)))
    }
  }
  return figures
}

async function scoreOf(place: Place, { kind, split, training, unseen }: TextCase, tuned: boolean): Promise<Score> {
  const model = `${kind}_${tuned ? 'tuned_' : ''}${split}`
  const asked: Training =
    kind === 'texts'
      ? { model, algo_type: 'IE_SENT', tuned, training, unseen }
      : { model, algo_type: 'IE_NER', format: 'JSON', tuned, training, unseen }
  const metrics = await train(place.client, asked)
  const score = kind === 'texts' ? metrics.accuracy : metrics.f1
  if (typeof score !== 'number') throw new Error(`no score in ${JSON.stringify(metrics)}`)
  return { score, ...(kind === 'texts' && typeof metrics.log_loss === 'number' && { loss: metrics.log_loss }) }
}

function sourcesOf(packages: string, split: number, most: number) {
  const all = sources(packages)
  const step = Math.max(1, Math.ceil(all.length / most))
  const rows = all.filter((_, i) => i % step === 0).map(({ label, text }) => [text, label])
  return splitRows({ name: 'sources', task: 'classes', columns: [{ name: 'text', kind: 'word' }], rows }, split)
}

function namesOf(split: number, most: number) {
  const lines = (count: number, isUnseen: boolean): string =>
    sentences(Math.min(count, most), split, isUnseen)
      .map((sentence) => `${JSON.stringify(sentence)}\n`)
      .join('')
  return { training: lines(sentencesOf.learnt, false), unseen: lines(sentencesOf.unseen, true) }
}
