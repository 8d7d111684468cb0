import { type AlgorithmName, columnsOf, properties } from './names.ts'
import type { Related } from './related.ts'
import { scoreNodes } from './score.ts'
import { similarNodes } from './similarity.ts'

/** A query scores no more pairs of neighbours. */
const maxNeighbourPairs = 5_000_000
const seed = 1

/** How the rows of an answer are put in order: by a column, or as the algorithm has them. */
export type RowOrder = {
  readonly sort?: { readonly column: string; readonly descending: boolean }
  readonly max?: number
}

type Row = Readonly<Record<string, string | number>>

/** A row a node with its score, or one a pair of similar nodes: the highest first, groups by their numbers. */
export function scoreRows(algorithm: AlgorithmName, related: Related, { sort, max }: RowOrder): readonly Row[] {
  const rows = algorithm === 'similarity' ? similarRows(related) : nodeRows(algorithm, related)
  const own = { column: columnsOf(algorithm).at(-1) ?? '', descending: !isGrouping(algorithm) }
  return rows.sort(by(sort ?? own)).slice(0, max)
}

const isGrouping = (algorithm: AlgorithmName): boolean => algorithm === 'components' || algorithm === 'communities'

function nodeRows(algorithm: Exclude<AlgorithmName, 'similarity'>, related: Related): Row[] {
  const property = properties[algorithm]
  const values = [...scoreNodes(algorithm, related, { seed, top: 0 }).values]
  return related.nodes.map((node, index) => ({ ...node, [property]: Number(values[index]) }))
}

/** Each pair once. */
function similarRows(related: Related): Row[] {
  const rows: Row[] = []
  for (const similar of similarNodes(related, maxNeighbourPairs)) {
    for (const { node, other, similarity } of similar) {
      const [one, two] = [related.nodes[node], related.nodes[other]]
      if (node > other || one === undefined || two === undefined) continue
      rows.push({ ...one, similar_label: two.label, similar_name: two.name, similarity })
    }
  }
  return rows
}

/** Texts by their bytes, as in every other query; equal texts stay in the order of their nodes. */
function by({ column, descending }: NonNullable<RowOrder['sort']>): (one: Row, other: Row) => number {
  const compare = (one: Row, other: Row): number => {
    const [left = 0, right = 0] = [one[column], other[column]]
    return typeof left === 'number' && typeof right === 'number'
      ? left - right
      : Buffer.compare(Buffer.from(String(left)), Buffer.from(String(right)))
  }
  return descending ? (one, other) => compare(other, one) : compare
}
