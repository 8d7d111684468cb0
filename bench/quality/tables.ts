/** Data sets in the form of tables: each algorithm by its defaults and tuned, beside references of its kind. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Figure } from '../report.ts'
import type { Size, Splits } from '../size.ts'
import { csv, type DataSet, some, splitRows } from './data-set.ts'
import {
  byReference,
  compared,
  type Margin,
  type Place,
  part,
  type Score,
  type Summary,
  summaryOf,
  told,
  tunedOn,
} from './judge.ts'
import { rare, words } from './made-data.ts'
import { realData } from './real-data.ts'
import { type Reference, type ReferenceCase, trainReferences } from './references.ts'
import { averagePrecision, type Metrics, probabilities, type Training, train } from './trainings.ts'

/** References of the same kind: trees, kernels, and weights. */
const kindred = {
  TREE: ['LightGBM', 'HistGradientBoosting'],
  SVM: ['SVC', 'SVR'],
  LIN: ['LogisticRegression', 'Ridge'],
} as const
type Name = keyof typeof kindred
const names = Object.keys(kindred) as readonly Name[]

type Compared = {
  readonly data: DataSet
  readonly algorithms: readonly Name[]
  /** Tuned as well. */
  readonly isTuned: boolean
  readonly margin: Margin
  readonly isRare?: boolean
  readonly splits: Splits
}

/** Of more rows fewer splits tell as much. */
const mostSmallRows = 1_000
/** A kernel machine of more rows takes minutes. */
const mostKernelRows = 5_000
const wordRows = 20_000
const manyWordRows = 100_000
const rareRows = 30_000
const fewestRareRows = 3_000

function comparisons(packages: string, { qualityRows, qualityData, splits, smallSplits }: Size): readonly Compared[] {
  const usual = realData(packages).map((data) => ({
    splits: data.rows.length > mostSmallRows ? splits : smallSplits,
    data,
    algorithms: data.rows.length > mostKernelRows ? names.filter((name) => name !== 'SVM') : names,
    isTuned: true,
    margin: 'one standard error' as const,
  }))
  const ofWords = [65, 200, 1_000, 10_000].map((count) => ({
    splits,
    data: words(count, count > 1_000 ? manyWordRows : wordRows),
    algorithms: ['TREE', 'LIN'] as const,
    isTuned: false,
    margin: 0.01,
  }))
  const seldom: Compared = {
    splits,
    data: rare(Math.min(rareRows, Math.max(qualityRows, fewestRareRows))),
    algorithms: ['TREE'],
    isTuned: false,
    margin: 0.01,
    isRare: true,
  }
  const all = [...[...usual, ...ofWords].map((each) => ({ ...each, data: some(each.data, qualityRows) })), seldom]
  return all.filter(({ data }) => qualityData === undefined || qualityData.includes(data.name))
}

const caseOf = (data: DataSet, split: number): string => `${data.name}, split ${split}`

type Files = { readonly training: string; readonly unseen: string }

export async function measureTables(place: Place, size: Size): Promise<Figure[]> {
  const all = comparisons(place.packages, size)
  const files = new Map<string, Files>()
  const cases: ReferenceCase[] = []
  for (const { data, algorithms, isRare, splits } of all) {
    for (const split of placesOf(splits.usual)) {
      const name = caseOf(data, split)
      const parts = splitRows(data, split)
      files.set(name, parts)
      const paths = { training: join(place.folder, `${name}.training`), unseen: join(place.folder, `${name}.unseen`) }
      await writeFile(paths.training, parts.training)
      await writeFile(paths.unseen, parts.unseen)
      cases.push({
        case: name,
        kind: isRare ? 'rare' : data.task,
        ...paths,
        words: data.columns.flatMap(({ kind }, column) => (kind === 'word' ? [column] : [])),
        only: algorithms.flatMap((algorithm) => [...kindred[algorithm]]),
      })
    }
  }
  console.error(`references of ${cases.length} cases ...`)
  const references = await trainReferences(place.folder, place.packages, cases)
  const figures: Figure[] = []
  for (const each of all) figures.push(...(await compareAll(place, each, { files, references })))
  return [...figures, ...(await measureScaling(place, all, files)), ...(await measureClusters(place, all, files))]
}

const placesOf = (splits: number): readonly number[] => Array.from({ length: splits }, (_, split) => split + 1)

type Known = {
  readonly files: ReadonlyMap<string, Files>
  readonly references: readonly Reference[]
}

async function compareAll(
  place: Place,
  { data, algorithms, isTuned, margin, isRare = false, splits }: Compared,
  { files, references }: Known,
): Promise<Figure[]> {
  const title = `${data.name}, ${isRare ? 'average precision' : data.task === 'classes' ? 'accuracy' : 'R²'}`
  const figures: Figure[] = []
  for (const algorithm of algorithms) {
    const kin: readonly string[] = kindred[algorithm]
    const ofKin = references.filter(({ reference }) => kin.includes(reference))
    for (const tuned of isTuned ? [false, true] : [false]) {
      // Tuning takes its time: few splits show what it is worth.
      const cases = placesOf(tuned ? splits.tuned : splits.usual).map((split) => caseOf(data, split))
      const beside = byReference(ofKin, (name) => cases.includes(name))
      const scores = await someAtOnce(cases, (name, split) => {
        const own = files.get(name) ?? { training: '', unseen: '' }
        const task = data.task === 'numbers' ? ('regress' as const) : ('classify' as const)
        const model = modelOf(`${data.name} ${algorithm} ${tuned ? 'tuned ' : ''}${split}`)
        return scoreOf(place, { model, algo_type: algorithm, tuned, task, ...own }, isRare)
      })
      const what = `${title}: ${algorithm}${tuned ? tunedOn(splits.tuned) : ''}`
      figures.push(told(compared(what, summaryOf(scores), beside, margin)))
    }
  }
  return figures
}

/** Two train at a time. */
const mostAtOnce = 3

async function someAtOnce<Out>(names: readonly string[], make: (name: string, at: number) => Promise<Out>) {
  const found: Out[] = []
  const next = names.entries()
  const worker = async (): Promise<void> => {
    for (const [at, name] of next) found[at] = await make(name, at)
  }
  await Promise.all(Array.from({ length: mostAtOnce }, worker))
  return found
}

const modelOf = (text: string): string => `m_${text}`.replaceAll(/\W+/g, '_')

async function scoreOf(place: Place, training: Training, isRare: boolean): Promise<Score> {
  const metrics = await train(place.client, training)
  if (!isRare) return scoreIn(metrics)
  const rows = training.unseen.trim().split('\n')
  const features = rows.map((row) => row.slice(0, row.lastIndexOf(',')))
  const asked = { model: training.model, rows: `${features.join('\n')}\n`, label: 'yes' }
  const shares = await probabilities(place.client, place.service.base, asked)
  const isTrue = rows.slice(1).map((row) => row.endsWith(',yes'))
  return { score: averagePrecision(shares, isTrue), ...lossIn(metrics) }
}

const numberIn = (metrics: Metrics, member: string): number | undefined =>
  typeof metrics[member] === 'number' ? metrics[member] : undefined

const lossIn = (metrics: Metrics): { readonly loss?: number } => {
  const loss = numberIn(metrics, 'log_loss')
  return loss === undefined ? {} : { loss }
}

function scoreIn(metrics: Metrics): Score {
  const score = numberIn(metrics, 'accuracy') ?? numberIn(metrics, 'r2')
  if (score === undefined) throw new Error(`no score in ${JSON.stringify(metrics)}`)
  return { score, ...lossIn(metrics) }
}

const unscaled: readonly { readonly name: string; readonly algorithm: Name }[] = [
  { name: 'wine', algorithm: 'SVM' },
  { name: 'cancer', algorithm: 'SVM' },
  { name: 'digits', algorithm: 'SVM' },
  { name: 'wine', algorithm: 'LIN' },
  { name: 'cancer', algorithm: 'LIN' },
  { name: 'diabetes', algorithm: 'LIN' },
]

/** By default the numbers as they are, in their units, beside the same numbers standardized before they are sent. */
async function measureScaling(
  place: Place,
  all: readonly Compared[],
  files: ReadonlyMap<string, Files>,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const { name, algorithm } of unscaled) {
    const data = all.find((each) => each.data.name === name)?.data
    const own = data && files.get(caseOf(data, 1))
    if (data === undefined || own === undefined) continue
    const task = data.task === 'numbers' ? ('regress' as const) : ('classify' as const)
    const model = modelOf(`scale ${name} ${algorithm}`)
    const asked = { algo_type: algorithm, task }
    const [asTheyAre, before] = await Promise.all([
      train(place.client, { ...asked, model, ...own }),
      train(place.client, { ...asked, model: `${model}_before`, ...standardized(own) }),
    ])
    const summary = summaryOf([scoreIn(asTheyAre)])
    const reference = new Map<string, Summary>([['standardized before', summaryOf([scoreIn(before)])]])
    figures.push(told(compared(`${name}, ${algorithm} by default on numbers as they are`, summary, reference, 0.01)))
  }
  return figures
}

/** All columns but the target are numbers without a missing one. */
function standardized({ training, unseen }: Files): Files {
  const [header = [], ...rows] = training
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  const facts = header.slice(0, -1).map((_, column) => {
    const values = rows.map((row) => Number(row[column]))
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
    return { mean, deviation }
  })
  const moved = (text: string): string => {
    const [, ...own] = text
      .trim()
      .split('\n')
      .map((line) => line.split(','))
    const cells = own.map((row) => [
      ...facts.map(({ mean, deviation }, column) => String((Number(row[column]) - mean) / deviation)),
      row.at(-1) ?? '',
    ])
    return csv([header, ...cells])
  }
  return { training: moved(training), unseen: moved(unseen) }
}

const clustered = [
  { name: 'iris', k: 3 },
  { name: 'wine', k: 3 },
  { name: 'cancer', k: 2 },
  { name: 'digits', k: 10 },
] as const

/** The sum of squared distances to the centres, of the rows that are learnt from: less is better. */
async function measureClusters(
  place: Place,
  all: readonly Compared[],
  files: ReadonlyMap<string, Files>,
): Promise<Figure[]> {
  const known = clustered.flatMap(({ name, k }) => {
    const data = all.find((each) => each.data.name === name)?.data
    const own = data && files.get(caseOf(data, 1))
    if (own === undefined) return []
    return [
      {
        name,
        k,
        rows: csv(
          own.training
            .trim()
            .split('\n')
            .map((line) => line.split(',').slice(0, -1)),
        ),
      },
    ]
  })
  const cases: ReferenceCase[] = []
  for (const { name, k, rows } of known) {
    const path = join(place.folder, `${name}.clusters`)
    await writeFile(path, rows.replaceAll('\n', ',\n'))
    cases.push({ case: name, kind: 'clusters', training: path, unseen: path, clusters: k })
  }
  const references = await trainReferences(place.folder, place.packages, cases)
  const figures: Figure[] = []
  for (const { name, k, rows } of known) {
    const asked = { model: `clusters_${name}`, algo_type: 'KMEANS', algo_param: { k }, scale: 0 as const }
    const inertia = numberIn(await train(place.client, { ...asked, training: rows, unseen: rows }), 'inertia') ?? 0
    const [beside] = references.filter((each) => each.case === name)
    const least = beside?.score ?? 0
    figures.push({
      part,
      what: `${name}, KMEANS, ${k} clusters: squared distances`,
      weir: inertia.toPrecision(6),
      beside: `${beside?.reference} ${least.toPrecision(6)}`,
      target: (least * 1.01).toPrecision(6),
      isMet: inertia <= least * 1.01,
    })
  }
  return figures
}
