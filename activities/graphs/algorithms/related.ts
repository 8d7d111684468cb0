import { jsonLines } from '../../../infra/clickhouse/clickhouse.ts'
import type { NodeKey } from '../../../sql/graph/index.ts'

/** Nodes by number, and the pairs of them that are related, each once: `count[i]` relations go from `from[i]` to `to[i]`. */
export type Related = {
  readonly nodes: readonly NodeKey[]
  readonly from: Uint32Array
  readonly to: Uint32Array
  readonly count: Float64Array
}

/** The answers of ClickHouse, a JSON object a line: nodes `{l, n}`, and pairs of a subject and an object `{sl, s, ol, o, c}`. */
export type RelatedLines = {
  readonly nodes?: Uint8Array
  readonly pairs: Uint8Array
  /** Whether a node that is related to itself is passed over. */
  readonly withoutLoops?: boolean
}

type Ends = { readonly l: string; readonly n: string }
type Pair = { readonly sl: string; readonly s: string; readonly ol: string; readonly o: string; readonly c: number }

const batch_bytes = 1 << 20

/** Nodes are numbered in the order in which they are given; where only pairs are, by their labels and names. */
export function readRelated({ nodes: given, pairs, withoutLoops = false }: RelatedLines): Related {
  const rows = rowsIn<Pair>(pairs)
  const nodes = given === undefined ? endsOf(rows) : rowsIn<Ends>(given).map(({ l, n }) => ({ label: l, name: n }))
  const numbers = new Map(nodes.map(({ label, name }, number) => [keyOf(label, name), number]))
  const numberOf = (label: string, name: string): number => numbers.get(keyOf(label, name)) ?? -1
  // Algorithms that draw by chance find the same whatever order a query's rows come in.
  if (given === undefined) {
    rows.sort(
      (one, two) =>
        numberOf(one.sl, one.s) - numberOf(two.sl, two.s) || numberOf(one.ol, one.o) - numberOf(two.ol, two.o),
    )
  }
  const from: number[] = []
  const to: number[] = []
  const count: number[] = []
  for (const { sl, s, ol, o, c } of rows) {
    const [subject, object] = [numberOf(sl, s), numberOf(ol, o)]
    // A node may have gone since the nodes were read.
    if (subject < 0 || object < 0 || (withoutLoops && subject === object)) continue
    from.push(subject)
    to.push(object)
    count.push(Number(c))
  }
  return { nodes, from: Uint32Array.from(from), to: Uint32Array.from(to), count: Float64Array.from(count) }
}

function endsOf(pairs: readonly Pair[]): NodeKey[] {
  const ends = new Map<string, NodeKey>()
  for (const { sl, s, ol, o } of pairs) {
    ends.set(keyOf(sl, s), { label: sl, name: s })
    ends.set(keyOf(ol, o), { label: ol, name: o })
  }
  return [...ends].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, node]) => node)
}

/** No label has a colon. */
const keyOf = (label: string, name: string): string => `${label}:${name}`

function rowsIn<Row>(bytes: Uint8Array): Row[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const rows: Row[] = []
  for (let begin = 0; begin < buffer.length; ) {
    const found = buffer.indexOf(10, Math.min(begin + batch_bytes, buffer.length) - 1)
    const end = found === -1 ? buffer.length : found + 1
    const batch: Row[] = jsonLines(buffer.subarray(begin, end))
    for (const row of batch) rows.push(row)
    begin = end
  }
  return rows
}

/** The neighbours of each node, whatever the direction, each once and in order; a node is none of its own. */
export function neighboursOf({ nodes, from, to }: Related): readonly Uint32Array[] {
  const all: Set<number>[] = nodes.map(() => new Set())
  for (const [index, subject] of from.entries()) {
    const object = to[index] ?? 0
    if (subject === object) continue
    all[subject]?.add(object)
    all[object]?.add(subject)
  }
  return all.map((some) => Uint32Array.from(some).sort())
}
