import { encodeModel, type NamedTensor, type NamedValue, type NodeParts } from './encode.ts'
import type { Graph, Value } from './types.ts'
import { join } from './wire.ts'

export type { Attribute, Dimensions, ElementType, Graph, NodeOptions, Outputs, TensorData, Value } from './types.ts'

/** A graph is written in the order of the calls, which is a valid order: a value exists before a node takes it. */
export function createGraph(): Graph {
  const nodes: NodeParts[] = []
  const constants: NamedTensor[] = []
  const inputs: NamedValue[] = []
  const outputs: NamedValue[] = []
  const metadata = new Map<string, string>()

  return {
    input: (name, elementType, dims) => {
      inputs.push({ name, elementType, dims })
      return { name }
    },
    constant: (data, dims) => {
      const size = dims.reduce((product, dim) => product * dim, 1)
      if (size !== data.length) throw new RangeError(`a constant of [${dims}] has ${data.length} entries`)
      const name = `constant_${constants.length}`
      constants.push({ name, data, dims })
      return { name }
    },
    node: (opType, from, attributes = {}, { domain = '', outputs: count = 1 } = {}) => {
      const name = `${opType}_${nodes.length}`
      const to = Array.from({ length: count }, (_, i) => `${name}_${i}`)
      nodes.push({ name, opType, domain, inputs: from.map((value) => value.name), outputs: to, attributes })
      return to.map((output) => ({ name: output }))
    },
    output: (name, value, elementType, dims) => {
      nodes.push({
        name: `output_${name}`,
        opType: 'Identity',
        domain: '',
        inputs: [value.name],
        outputs: [name],
        attributes: {},
      })
      outputs.push({ name, elementType, dims })
    },
    metadata: (key, value) => {
      metadata.set(key, value)
    },
    bytes: () => join(encodeModel({ nodes, constants, inputs, outputs, metadata })),
  }
}

/** The first output of a node that has one. */
export function single(values: readonly Value[]): Value {
  const [value] = values
  if (value === undefined) throw new RangeError('the node has no output')
  return value
}
