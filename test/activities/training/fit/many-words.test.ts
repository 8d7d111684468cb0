import test from 'ava'
import { rowsAlgorithm } from '../../../../activities/training/fit/fit-rows.ts'
import { measureRows } from '../../../../activities/training/fit/measure-rows.ts'
import { tuneRows } from '../../../../activities/training/fit/tune-rows.ts'
import { tableOf } from '../../../../learn/encoding/table.ts'
import { createLayout } from '../../../../learn/layout.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { normal, seed, silent } from '../../../learn/make-data.ts'

const layout = createLayout({
  attributes: [
    { name: 'word', position: 0, type: 'STRING' },
    { name: 'x', position: 1, type: 'DOUBLE' },
    { name: 'y', position: 2, type: 'DOUBLE' },
  ],
  attributeKind: 'hybrid',
  targetIndex: 2,
})

type Data = { readonly words: Int32Array; readonly x: Float64Array; readonly y: Float64Array }

/** A number that is the sum of the word's own, of 0.3 x and of noise. */
function dataOf(words: number, rows: number): Data {
  const random = createRandom(seed)
  const effects = Float64Array.from({ length: words }, () => normal(random))
  const own = Int32Array.from({ length: rows }, () => Math.floor(random.uniform() * words))
  const x = Float64Array.from({ length: rows }, () => normal(random))
  const y = Float64Array.from(own, (word, row) => (effects[word] ?? 0) + 0.3 * (x[row] ?? 0) + 0.2 * normal(random))
  return { words: own, x, y }
}

/** One-hot ridge regression with a penalty of 1, column by column until it stands; its R2 on the last fifth of the rows. */
function ridge({ words, x, y }: Data, count: number): number {
  const learnt = Math.floor((y.length * 4) / 5)
  const weights = new Float64Array(count)
  const counts = new Float64Array(count)
  for (let row = 0; row < learnt; row += 1) counts[words[row] ?? 0] = (counts[words[row] ?? 0] ?? 0) + 1
  let [slope, intercept] = [0, 0]
  const predict = (row: number) => intercept + (weights[words[row] ?? 0] ?? 0) + slope * (x[row] ?? 0)
  for (let pass = 0; pass < 100; pass += 1) {
    const sums = new Float64Array(count)
    let [product, square, rest] = [0, 1, 0]
    for (let row = 0; row < learnt; row += 1) {
      const word = words[row] ?? 0
      sums[word] = (sums[word] ?? 0) + (y[row] ?? 0) - predict(row) + (weights[word] ?? 0)
    }
    for (const [word, sum] of sums.entries()) weights[word] = sum / ((counts[word] ?? 0) + 1)
    for (let row = 0; row < learnt; row += 1) {
      product += (x[row] ?? 0) * ((y[row] ?? 0) - predict(row) + slope * (x[row] ?? 0))
      square += (x[row] ?? 0) ** 2
    }
    slope = product / square
    for (let row = 0; row < learnt; row += 1) rest += (y[row] ?? 0) - predict(row)
    intercept += rest / learnt
  }
  const held = Array.from({ length: y.length - learnt }, (_, at) => learnt + at)
  const mean = held.reduce((sum, row) => sum + (y[row] ?? 0), 0) / held.length
  const errors = held.reduce((sum, row) => sum + ((y[row] ?? 0) - predict(row)) ** 2, 0)
  return 1 - errors / held.reduce((sum, row) => sum + ((y[row] ?? 0) - mean) ** 2, 0)
}

function tableFor({ words, x, y }: Data) {
  const rows = Array.from(y, (target, row) => ({ line: row + 1, cells: [`w${words[row]}`, x[row]], target }))
  return tableOf(layout, rows)
}

function measured(algorithm: string, table: ReturnType<typeof tableOf>) {
  const { parameters, needsScale } = rowsAlgorithm(algorithm)
  const request = { algorithm, parameters: decodeParameters(parameters, {}), scale: needsScale, version: '1' }
  const metrics = measureRows(request, { kind: 'table', table, sample: [] }, silent)
  return 'r2' in metrics ? Number(metrics.r2) : Number.NaN
}

for (const [words, rows] of [
  [65, 6_000],
  [200, 16_000],
  [1_000, 20_000],
  [10_000, 60_000],
] as const) {
  test(`with ${words} words LIN and TREE predict as well as one-hot ridge regression, but for 0.01`, (t) => {
    const data = dataOf(words, rows)
    const table = tableFor(data)
    const best = ridge(data, words)
    t.true(best > 0.85, `${best}`)
    for (const algorithm of ['LIN', 'TREE']) {
      const r2 = measured(algorithm, table)
      t.true(r2 > best - 0.01, `${algorithm}: ${r2}, ridge: ${best}`)
    }
  })
}

test('words of which each comes once tell nothing of rows that are held out, and do not mislead', (t) => {
  const { x, y } = dataOf(1, 2_000)
  const unique = { words: Int32Array.from(y.keys()), x, y }
  const r2 = measured('TREE', tableFor(unique))
  const without = measured('TREE', tableFor({ words: new Int32Array(y.length), x, y }))
  t.true(Math.abs(r2 - without) < 0.02, `${r2} and ${without}`)
})

test('candidates are tried on statistics of the rows that each fold learns from, and of these without their own targets', (t) => {
  const { x, y } = dataOf(1, 1_000)
  const table = tableFor({ words: Int32Array.from(y.keys()), x, y })
  const { parameters } = rowsAlgorithm('TREE')
  const request = { algorithm: 'TREE', parameters: decodeParameters(parameters, {}), scale: false, tune: true } as const
  const chosen = tuneRows({ ...request, speed: 1, tuneBudget_s: 600 }, { kind: 'table', table, sample: [] }, silent)
  // The noise is 0.2, and without x it would be 0.36.
  t.true((chosen.folds?.mean ?? 1) < 0.27, JSON.stringify(chosen.folds))
})
