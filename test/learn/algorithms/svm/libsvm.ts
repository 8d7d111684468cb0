import { createRequire } from 'node:module'

type Machine = {
  readonly train: (rows: number[][], labels: number[]) => void
  readonly predict: (rows: number[][]) => number[]
  readonly serializeModel: () => string
  readonly free: () => void
}
type Libsvm = new (options: Readonly<Record<string, number | boolean | Readonly<Record<string, number>>>>) => Machine

/** LIBSVM itself, compiled to JavaScript: npm libsvm-js. */
const Libsvm: Libsvm = createRequire(import.meta.url)('libsvm-js/asm')

export type LibsvmModel = {
  readonly predictions: readonly number[]
  readonly total: number
  readonly rho: readonly number[]
}

export function runLibsvm(
  options: ConstructorParameters<Libsvm>[0],
  rows: number[][],
  labels: number[],
  unseen: number[][],
): LibsvmModel {
  const machine = new Libsvm({ cacheSize: 100, quiet: true, ...options })
  machine.train(rows, labels)
  const lines = machine.serializeModel().split('\n')
  const numbersAfter = (word: string) => {
    const line = lines.find((text) => text.startsWith(`${word} `)) ?? ''
    return line.trim().split(' ').slice(1).map(Number)
  }
  const model = {
    predictions: machine.predict(unseen),
    total: numbersAfter('total_sv')[0] ?? 0,
    rho: numbersAfter('rho'),
  }
  machine.free()
  return model
}
