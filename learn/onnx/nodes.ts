import { type Graph, single, type Value } from './graph.ts'
import type { Attribute, NodeOptions } from './types.ts'

/** The one output of a node. */
export function apply(
  graph: Graph,
  opType: string,
  inputs: readonly Value[],
  attributes?: Readonly<Record<string, Attribute>>,
  options?: NodeOptions,
): Value {
  return single(graph.node(opType, inputs, attributes, options))
}

export function scalar(graph: Graph, value: number): Value {
  return graph.constant(Float64Array.of(value), [])
}

export function integers(graph: Graph, ...values: readonly number[]): Value {
  return graph.constant(BigInt64Array.from(values, BigInt), [values.length])
}

/** The places from..to of axis `axis`. */
export function slice(graph: Graph, value: Value, axis: number, from: number, to: number): Value {
  return apply(graph, 'Slice', [value, integers(graph, from), integers(graph, to), integers(graph, axis)])
}
