import test from 'ava'
import { compareHeld } from '../../../../activities/training/script/compare-held.ts'
import { layoutOf } from '../../../../learn/description.ts'
import { described, signModel, sumModel } from '../../prediction/models.ts'

async function* bytesOf(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  yield Buffer.from(lines.map((line) => `${line}\n`).join(''))
}

/** Rows of age, city, income and height; the model says `old` beyond 50, and else `young`. */
const layout = layoutOf(described)
const compared = (file: Uint8Array, lines: readonly string[], held: Int32Array | 'all', learnt?: readonly string[]) =>
  compareHeld(
    file,
    { source: bytesOf(lines), format: 'CSV', layout, held },
    {},
    learnt === undefined ? undefined : bytesOf(learnt),
  )
const row = (age: number, label: string | number, height: number | string = 1.5) => `${age},Rome,${label},${height}`

test('labels that only predictions have count as misses of the rows, and the baseline is of the rows that were learnt from', async (t) => {
  const learnt = [row(1, 'young'), row(2, 'young'), row(3, 'old')]
  const held = [row(90, 'senior'), row(80, 'old'), row(20, 'senior'), row(70, 'old')]
  const lines = [...learnt, ...held]
  const expected = {
    rows: 4,
    accuracy: 0.5,
    labels: ['senior', 'old', 'young'],
    confusion: [
      [0, 1, 1],
      [0, 2, 0],
      [0, 0, 0],
    ],
    baseline: 0,
    macro_f1: 0.8 / 3,
  }
  t.like(await compared(signModel(), lines, Int32Array.of(3, 4, 5, 6)), expected)
  t.like(await compared(signModel(), held, 'all', learnt), expected)
})

test('the baseline of numbers is the mean of the rows that were learnt from, and rows without a prediction are told', async (t) => {
  const lines = [row(50, 10), row(50, 20), row(50, 1), row(50, 3, '1.7e308')]
  t.like(await compared(sumModel(), lines, Int32Array.of(2, 3)), {
    rows: 2,
    mae: 1.5,
    baseline: Math.sqrt((14 ** 2 + 12 ** 2) / 2),
    note: '1 of 2 rows held out could not be predicted: they count as 0',
  })
})
