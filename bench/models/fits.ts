/** Fits beside scikit-learn's on the same rows: its SVC is LIBSVM, its LogisticRegression here LIBLINEAR, both compiled. */
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { TableAlgorithm } from '../../activities/models/algorithms/algorithm.ts'
import { linear } from '../../activities/models/algorithms/linear/algorithm.ts'
import { svm } from '../../activities/models/algorithms/svm/algorithm.ts'
import type { Matrix } from '../../activities/models/dataset.ts'
import { decodeParameters } from '../../activities/models/parameters.ts'
import { ensureScikitLearn } from '../../scripts/parts/scikit-learn.js'
import { type Figure, ratio, whole } from '../report.ts'
import type { Size } from '../size.ts'
import { createPoints, csvOf, type Points } from './data.ts'

const wanted = { ratio: 1.5, vectors: 0.005, labels: 0.999 }
const unseenRows = 2_000

const peerAnswer = z.object({ seconds: z.number(), vectors: z.number(), labels: z.array(z.number()) })
type Fit = z.infer<typeof peerAnswer>

const matrixOf = ({ values, columns, classes }: Points): Matrix => ({ rows: classes.length, columns, values })

function fitHere(algorithm: TableAlgorithm, training: Points, unseen: Points): Fit {
  const target = { kind: 'classes', labels: [0, 1], classes: training.classes } as const
  const parameters = decodeParameters(algorithm.parameters, {})
  const began = performance.now()
  const learned = algorithm.fit(matrixOf(training), target, parameters, { beat: () => {}, log: () => {} })
  const seconds = (performance.now() - began) / 1000
  return { seconds, vectors: learned.vectors, labels: Array.from(learned.predict(matrixOf(unseen)), Number) }
}

async function fitByPeer(kind: string, folder: string, packages: string, training: Points, unseen: Points) {
  const files = [join(folder, 'training.csv'), join(folder, 'unseen.csv')] as const
  await writeFile(files[0], csvOf(training, true))
  await writeFile(files[1], csvOf(unseen, true))
  const script = fileURLToPath(new URL('peer.py', import.meta.url))
  const env = { ...process.env, PYTHONPATH: packages, OMP_NUM_THREADS: '1' }
  const { stdout } = await promisify(execFile)('python3', [script, kind, ...files], { env, maxBuffer: 64 * 2 ** 20 })
  return peerAnswer.parse(JSON.parse(stdout))
}

export async function fits(folder: string, { svmRows, linearRows }: Size): Promise<Figure[]> {
  const packages = await ensureScikitLearn()
  const figures: Figure[] = []
  const cases = [
    ...svmRows.map((rows) => ({ kind: 'svm', algorithm: svm, rows, columns: 20 })),
    { kind: 'lin', algorithm: linear, rows: linearRows, columns: 50 },
  ]
  for (const { kind, algorithm, rows, columns } of cases) {
    const what = `fit ${algorithm.name} ${kind === 'svm' ? 'RBF ' : ''}${whole(rows)} x ${columns}`
    console.error(`${what} ...`)
    const training = createPoints(rows, columns, 1)
    const unseen = createPoints(unseenRows, columns, 2)
    const own = fitHere(algorithm, training, unseen)
    const part = 'models'
    const weir = `${own.seconds.toFixed(2)} s`
    if (packages === undefined) {
      figures.push({ part, what, weir, beside: 'no scikit-learn here', target: '' })
      continue
    }
    const peer = await fitByPeer(kind, folder, packages, training, unseen)
    const times = own.seconds / peer.seconds
    const name = kind === 'svm' ? 'LIBSVM' : 'LIBLINEAR'
    const beside = `${name} in scikit-learn: ${peer.seconds.toFixed(2)} s; ${ratio(times)} x`
    figures.push({ part, what, weir, beside, target: `${wanted.ratio} x`, isMet: times <= wanted.ratio })
    figures.push(sameness(what, own, peer))
  }
  return figures
}

/** Equal accuracy is for nothing if it is not the same machine. */
function sameness(what: string, own: Fit, peer: Fit): Figure {
  const same = own.labels.filter((label, i) => label === peer.labels[i]).length / unseenRows
  const more = peer.vectors === 0 ? 0 : Math.abs(own.vectors - peer.vectors) / peer.vectors
  return {
    part: 'models',
    what: `${what}: unseen rows with the same label`,
    weir: `${(100 * same).toFixed(2)} %${peer.vectors === 0 ? '' : `, ${whole(own.vectors)} support vectors`}`,
    beside: peer.vectors === 0 ? '' : `${whole(peer.vectors)} support vectors`,
    target: '99.9 %, vectors within 0.5 %',
    isMet: same >= wanted.labels && more <= wanted.vectors,
  }
}
