/** Fits in turn with compiled peers on the same rows, so that other work of the machine meets all. */
import { linear } from '../../learn/algorithms/linear/algorithm.ts'
import { svm } from '../../learn/algorithms/svm/algorithm.ts'
import { ensureSvmTrain } from '../../scripts/parts/libsvm-tools.js'
import { ensureScikitLearn } from '../../scripts/parts/scikit-learn.js'
import { median } from '../quantile.ts'
import { type Figure, ratio, whole } from '../report.ts'
import type { Size } from '../size.ts'
import { createPoints } from './data.ts'
import { type Case, type Fit, scikitLearn, svmTrain, type Trainer, weir } from './trainers.ts'

const wanted = { ratio: 1.5, vectors: 0.005, labels: 0.999 }
const unseenRows = 2_000
const part = 'models'

type Peers = { readonly packages: string | undefined; readonly svm: Awaited<ReturnType<typeof ensureSvmTrain>> }

export async function fits(folder: string, { svmRows, linearRows, fits: rounds }: Size): Promise<Figure[]> {
  const peers: Peers = { packages: await ensureScikitLearn(), svm: await ensureSvmTrain() }
  const caseOf = (kind: 'svm' | 'lin', rows: number): Case => {
    const columns = kind === 'svm' ? 20 : 50
    const algorithm = kind === 'svm' ? svm : linear
    return { kind, algorithm, training: createPoints(rows, columns, 1), unseen: createPoints(unseenRows, columns, 2) }
  }
  const cases = [...svmRows.map((rows) => caseOf('svm', rows)), caseOf('lin', linearRows)]
  const figures: Figure[] = []
  for (const each of cases) figures.push(...(await compare(folder, each, rounds, peers)))
  return figures
}

async function compare(folder: string, each: Case, most: number, { packages, svm: tools }: Peers): Promise<Figure[]> {
  const { kind, algorithm, training } = each
  const rows = training.classes.length
  const what = `fit ${algorithm.name} ${kind === 'svm' ? 'RBF ' : ''}${whole(rows)} x ${training.columns}`
  const rounds = kind === 'svm' && rows > 10_000 ? Math.min(2, most) : most
  const trainers = [weir(each)]
  if (packages !== undefined) trainers.push(await scikitLearn(folder, packages, each))
  if (kind === 'svm' && tools !== undefined) trainers.push(await svmTrain(folder, tools, each))
  const found = new Map<Trainer, Fit[]>(trainers.map((trainer) => [trainer, []]))
  try {
    for (let round = 1; round <= rounds; round++) {
      console.error(`${what}, round ${round} of ${rounds} ...`)
      for (const trainer of trainers) found.get(trainer)?.push(await trainer.fit())
    }
  } finally {
    for (const trainer of trainers) await trainer.close()
  }
  const [own = [], ...others] = found.values()
  const names = trainers.slice(1).map(({ name }) => name)
  if (others.length === 0) return [{ part, what, weir: seconds(own), beside: 'no peer here', target: '' }]
  return others.flatMap((fits, i) => [speed(what, own, fits, names[i] ?? ''), ...sameness(what, own, fits)])
}

const secondsOf = (fits: readonly Fit[]): number => median(fits.map((fit) => fit.seconds))

function seconds(fits: readonly Fit[]): string {
  const took = fits.map((fit) => fit.seconds)
  return `${secondsOf(fits).toFixed(2)} s (${Math.min(...took).toFixed(2)} to ${Math.max(...took).toFixed(2)})`
}

function speed(what: string, own: readonly Fit[], peer: readonly Fit[], name: string): Figure {
  const times = secondsOf(own) / secondsOf(peer)
  const beside = `${name}: ${seconds(peer)}; ${ratio(times)} x`
  return { part, what, weir: seconds(own), beside, target: `${wanted.ratio} x`, isMet: times <= wanted.ratio }
}

/** Equal accuracy is for nothing if it is not the same machine. A peer that gives no labels is compared by its support vectors. */
function sameness(what: string, [own]: readonly Fit[], [peer]: readonly Fit[]): Figure[] {
  if (own === undefined || peer === undefined) return []
  const same = own.labels.filter((label, i) => label === peer.labels[i]).length / unseenRows
  const isSame = peer.labels.length === 0 || same >= wanted.labels
  const more = peer.vectors === 0 ? 0 : Math.abs(own.vectors - peer.vectors) / peer.vectors
  return [
    {
      part,
      what: `${what}: ${peer.labels.length === 0 ? 'support vectors' : 'unseen rows with the same label'}`,
      weir: [
        ...(peer.labels.length === 0 ? [] : [`${(100 * same).toFixed(2)} %`]),
        ...(peer.vectors === 0 ? [] : [`${whole(own.vectors)} support vectors`]),
      ].join(', '),
      beside: peer.vectors === 0 ? '' : `${whole(peer.vectors)} support vectors`,
      target: '99.9 %, vectors within 0.5 %',
      isMet: isSame && more <= wanted.vectors,
    },
  ]
}
