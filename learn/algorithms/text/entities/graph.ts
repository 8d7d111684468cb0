import { type Graph, single, type Value } from '../../../onnx/graph.ts'
import { apply } from '../../../onnx/nodes.ts'
import { rowTable } from '../rows.ts'
import { entitiesScheme, schemeKey } from '../scheme.ts'
import type { Chain } from './chain.ts'
import { featuresPerToken } from './features.ts'
import type { EntitiesModel } from './fit.ts'

/** TensorProto's code of float64. */
const DOUBLE = 11

/** The score of a tag that may not be; finite, so that no difference of two is NaN. */
const never = -1e30

/**
 * Input `buckets` (int32 `[T, F]`): the features of T tokens. Outputs, all double: `emissions` `[T, tags]`, and as they
 * are `transitions` `[tags, tags]` (from, to), `starts` and `ends` `[tags]`. A path's score is the sum of its start's,
 * its emissions, its transitions and its end's; the path with the greatest score is the answer.
 */
export function addEntitiesGraph(graph: Graph, { labels, rows, chain, weights }: EntitiesModel): void {
  graph.metadata(schemeKey, entitiesScheme(rows.bits, labels))
  const { tags } = chain
  const toDouble = (value: Value): Value => apply(graph, 'Cast', [value], { to: { int: DOUBLE } })
  const buckets = graph.input('buckets', 'int32', ['T', featuresPerToken])
  const table = rowTable(rows)
  const found = apply(graph, 'Gather', [graph.constant(table, [table.length]), buckets])
  const gathered = apply(graph, 'Gather', [graph.constant(weights, [rows.count, tags]), found])
  const sum = graph.node('ReduceSum', [toDouble(gathered), graph.constant(BigInt64Array.of(1n), [1])], {
    keepdims: { int: 0 },
  })
  graph.output('emissions', single(sum), 'double', ['T', tags])
  graph.output('transitions', graph.constant(matrixOf(chain), [tags, tags]), 'double', [tags, tags])
  graph.output('starts', graph.constant(allowed(chain.starts), [tags]), 'double', [tags])
  graph.output('ends', graph.constant(allowed(chain.ends), [tags]), 'double', [tags])
}

function matrixOf({ tags, from, to, transitions }: Chain): Float64Array {
  const matrix = new Float64Array(tags * tags).fill(never)
  for (const [pair, score] of transitions.entries()) matrix[(from[pair] ?? 0) * tags + (to[pair] ?? 0)] = score
  return matrix
}

const allowed = (tags: readonly boolean[]): Float64Array => Float64Array.from(tags, (may) => (may ? 0 : never))
