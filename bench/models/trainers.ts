/** The trainers on the same rows: Weir in this process, and compiled peers in processes of their own. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { TableAlgorithm } from '../../learn/algorithms/algorithm.ts'
import type { Matrix } from '../../learn/dataset.ts'
import { decodeParameters } from '../../learn/parameters.ts'
import type { SvmTrain } from '../../scripts/parts/libsvm-tools.js'
import { csvOf, type Points, svmTextOf } from './data.ts'

const answer = z.object({ seconds: z.number(), vectors: z.number(), labels: z.array(z.number()) })
export type Fit = z.infer<typeof answer>

export type Trainer = {
  readonly name: string
  /** Trains anew. `seconds` is the time of the fit alone; svm-train's includes reading its file and writing the model. */
  readonly fit: () => Promise<Fit>
  readonly close: () => Promise<void>
}

export type Case = {
  readonly kind: 'svm' | 'lin'
  readonly algorithm: TableAlgorithm
  readonly training: Points
  readonly unseen: Points
}

const matrixOf = ({ values, columns, classes }: Points): Matrix => ({ rows: classes.length, columns, values })

export function weir({ algorithm, training, unseen }: Case): Trainer {
  const target = { kind: 'classes', labels: [0, 1], classes: training.classes } as const
  const parameters = decodeParameters(algorithm.parameters, {})
  return {
    name: 'Weir',
    async fit() {
      const began = performance.now()
      const learned = algorithm.fit(matrixOf(training), target, parameters, { beat: () => {}, log: () => {} })
      const seconds = (performance.now() - began) / 1000
      return { seconds, vectors: learned.vectors, labels: Array.from(learned.predict(matrixOf(unseen)), Number) }
    },
    close: async () => {},
  }
}

/** scikit-learn's SVC is LIBSVM over dense rows with BLAS, its LogisticRegression here LIBLINEAR. */
export async function scikitLearn(
  folder: string,
  packages: string,
  { kind, training, unseen }: Case,
): Promise<Trainer> {
  const files = [join(folder, 'training.csv'), join(folder, 'unseen.csv')] as const
  await writeFile(files[0], csvOf(training, true))
  await writeFile(files[1], csvOf(unseen, true))
  const script = fileURLToPath(new URL('peer.py', import.meta.url))
  const env = { ...process.env, PYTHONPATH: packages, OMP_NUM_THREADS: '1' }
  const peer = spawn('python3', [script, kind, ...files], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(peer.stdout)[Symbol.asyncIterator]()
  return {
    name: `${kind === 'svm' ? 'LIBSVM' : 'LIBLINEAR'} in scikit-learn`,
    async fit() {
      peer.stdin.write('\n')
      const { value, done } = await lines.next()
      if (done) throw new Error('scikit-learn ended')
      return answer.parse(JSON.parse(value))
    },
    async close() {
      peer.stdin.end()
      if (peer.exitCode === null) await once(peer, 'exit')
    },
  }
}

export async function svmTrain(folder: string, { command, libraries }: SvmTrain, { training }: Case): Promise<Trainer> {
  const file = join(folder, 'training.svm')
  await writeFile(file, svmTextOf(training))
  const settings = ['-s', '0', '-t', '2', '-c', '1', '-g', String(1 / training.columns), '-m', '100', '-e', '0.001']
  return {
    name: "Debian's svm-train, reading included",
    async fit() {
      const env = { ...process.env, LD_LIBRARY_PATH: libraries }
      const began = performance.now()
      const { stdout } = await promisify(execFile)(command, [...settings, file, `${file}.model`], { env })
      const seconds = (performance.now() - began) / 1000
      return { seconds, vectors: Number(/Total nSV = (\d+)/.exec(stdout)?.[1]), labels: [] }
    },
    close: async () => {},
  }
}
