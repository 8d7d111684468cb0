import { createRandom } from '../../../learn/random.ts'

/** Rows `a,b,colour,label`: red where a + b is above 0, else blue; the colour says nothing. */
export function pointsCsv(rows: number, seed = 1): string {
  const { uniform } = createRandom(seed)
  const lines = Array.from({ length: rows }, () => {
    const [a, b] = [uniform() * 2 - 1, uniform() * 2 - 1]
    return `${a.toFixed(4)},${b.toFixed(4)},${uniform() < 0.5 ? 'warm' : 'cold'},${a + b > 0 ? 'red' : 'blue'}`
  })
  return `${lines.join('\n')}\n`
}

/** Rows `x,y` with y = 3 x + 2. */
export const lineCsv = (rows: number): string =>
  Array.from({ length: rows }, (_, i) => `${i / rows},${(3 * i) / rows + 2}\n`).join('')

export const pointAttributes = [
  { name: 'a', position: 0, type: 'DOUBLE' },
  { name: 'b', position: 1, type: 'DOUBLE' },
  { name: 'colour', position: 2, type: 'STRING' },
  { name: 'label', position: 3, type: 'STRING' },
]

export const lineAttributes = [
  { name: 'x', position: 0, type: 'DOUBLE' },
  { name: 'y', position: 1, type: 'DOUBLE' },
]
