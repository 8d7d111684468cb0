import test from 'ava'
import { rowsAlgorithm } from '../../../../activities/training/fit/fit-rows.ts'
import { holdOut } from '../../../../activities/training/fit/hold-out.ts'
import { measureRows } from '../../../../activities/training/fit/measure-rows.ts'
import { fitPrepared, type PreparedRows } from '../../../../activities/training/fit/prepared.ts'
import { tuneRows } from '../../../../activities/training/fit/tune-rows.ts'
import { svmParameters } from '../../../../learn/algorithms/svm/index.ts'
import { tableOf } from '../../../../learn/encoding/table.ts'
import { createLayout } from '../../../../learn/layout.ts'
import { decodeParameters } from '../../../../learn/parameters.ts'
import { createRandom } from '../../../../learn/random.ts'
import { watch } from '../../../learn/algorithms/svm/data.ts'
import { isTaken } from '../../../support/random/seed.ts'

/** Rows of numbers that tell nothing of their class, of which there are two with as many rows. */
function noise(seed: number, rows: number, columns: number): PreparedRows {
  const { uniform } = createRandom(seed)
  const names = Array.from({ length: columns }, (_, i) => `x${i}`)
  const layout = createLayout({
    attributes: [...names, 'label'].map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
    targetIndex: columns,
  })
  const table = tableOf(
    layout,
    Array.from({ length: rows }, (_, line) => ({
      line: line + 1,
      cells: names.map(() => uniform()),
      target: line % 2 === 0 ? 'yes' : 'no',
    })),
  )
  return { kind: 'table', table, sample: [] }
}

test('tuned models of pure noise are told to be right as often as chance is', (t) => {
  const sets = 100
  let right = 0
  let held = 0
  for (let seed = 1; seed <= sets; seed++) {
    if (!isTaken(seed, 2)) continue
    const prepared = noise(seed, 60, 40)
    const request = { algorithm: 'SVM', parameters: decodeParameters(svmParameters, {}), scale: true } as const
    const { parameters } = tuneRows({ ...request, tune: true, speed: 1, tuneBudget_s: 60 }, prepared, watch)
    const metrics = measureRows({ ...request, parameters, version: '1' }, prepared, watch)
    if (!('accuracy' in metrics && 'rows' in metrics)) return t.fail()
    right += Number(metrics.accuracy) * Number(metrics.rows)
    held += Number(metrics.rows)
  }
  const deviation = Math.sqrt(0.25 / held)
  t.log(`${(right / held).toFixed(4)} of ${held} held-out rows, 0.5 +- ${(2.6 * deviation).toFixed(4)}`)
  t.true(Math.abs(right / held - 0.5) < 2.6 * deviation)
})

test('ranges, means and categories that a model is measured with are those of the rows that it learns from', (t) => {
  const layout = createLayout({
    attributes: ['a', 'word', 'label'].map((name, position) => ({ name, position })),
    attributeKind: 'hybrid',
    targetIndex: 2,
  })
  const labels = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? 'yes' : 'no'))
  const plain = tableOf(
    layout,
    labels.map((target, i) => ({ line: i + 1, cells: [i, 'known'], target })),
  )
  const { held, rest } = holdOut(plain.target, 20)
  const table = tableOf(
    layout,
    labels.map((target, i) => ({
      line: i + 1,
      cells: held.includes(i) ? [1e6 + i, `only held out ${i}`] : [i, 'known'],
      target,
    })),
  )
  const prepared = { kind: 'table', table, sample: [] } as const
  const algorithm = rowsAlgorithm('LIN')
  const honest = fitPrepared(prepared, true, algorithm, rest)
  t.true((honest.numbers[0]?.max ?? 0) < 20)
  t.true((honest.numbers[0]?.mean ?? 0) < 20)
  t.deepEqual(honest.words, [{ name: 'word', categories: ['known'] }])
  const whole = fitPrepared(prepared, true, algorithm)
  t.true((whole.numbers[0]?.max ?? 0) > 1e6)
  t.is(whole.words[0] && 'categories' in whole.words[0] ? whole.words[0].categories.length : 0, 5)
})
