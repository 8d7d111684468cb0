import type { Encoding } from './encoding/encoding.ts'
import { attributeColumns } from './importance.ts'

/** An attribute's mean, or the shares of its words. */
export type Centre = Readonly<Record<string, number | Readonly<Record<string, number>>>>

const maxCells = 20_000

/** Centres `[k, columns]` in the units of the attributes, by their names; undefined where there are too many cells to show. */
export function centresOf(encoding: Encoding, centres: Float64Array): readonly Centre[] | undefined {
  const attributes = attributeColumns(encoding)
  const columns = attributes.at(-1)?.to ?? 0
  if (columns === 0 || centres.length > maxCells) return undefined
  return Array.from({ length: centres.length / columns }, (_, cluster) => {
    const values = centres.subarray(cluster * columns, (cluster + 1) * columns)
    const numbers = encoding.numbers.map(({ name, shift, factor, offset }, place) => {
      return [name, factor === 0 ? shift : ((values[place] ?? 0) - offset) / factor + shift] as const
    })
    const words = encoding.words.flatMap((word, place) => {
      if (!('categories' in word)) return []
      const from = attributes[encoding.numbers.length + place]?.from ?? 0
      const shares = word.categories.map((category, i) => [category, values[from + i] ?? 0] as const)
      return [[word.name, Object.fromEntries(shares.filter(([, share]) => share > 0))] as const]
    })
    return Object.fromEntries([...numbers, ...words])
  })
}
