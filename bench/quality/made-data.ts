/** Data sets that are made, for what the real ones do not have: columns of many words, and a class of few rows. */
import { createRandom, type Random } from '../../learn/random.ts'
import type { DataSet } from './data-set.ts'

function normal({ uniform }: Random): number {
  return Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform())
}

/** y = effect of a word + 0.3 x + noise. */
export function words(count: number, rows: number): DataSet {
  const random = createRandom(count)
  const effects = Array.from({ length: count }, () => normal(random))
  return {
    name: `words of ${count.toLocaleString('en')} values`,
    task: 'numbers',
    columns: [
      { name: 'word', kind: 'word' },
      { name: 'x', kind: 'number' },
    ],
    rows: Array.from({ length: rows }, () => {
      const word = random.below(count)
      const x = normal(random)
      const y = (effects[word] ?? 0) + 0.3 * x + 0.2 * normal(random)
      return [`w${word}`, x.toFixed(4), y.toFixed(4)]
    }),
  }
}

/** One row of a hundred is of class 1: half of these for a reason that the others hardly have. */
export function rare(rows: number): DataSet {
  const random = createRandom(1)
  const columns = Array.from({ length: 10 }, (_, i) => ({ name: `x${i}`, kind: 'number' as const }))
  return {
    name: '1 % positives',
    task: 'classes',
    columns,
    rows: Array.from({ length: rows }, () => {
      const cells = columns.map(() => normal(random))
      const [a = 0, b = 0, c = 0, d = 0] = cells
      const height = 1.5 * a + b * c + Math.abs(d) - 6.1 + 0.7 * normal(random)
      return [...cells.map((cell) => cell.toFixed(4)), height > -1.4 ? 'yes' : 'no']
    }),
  }
}
