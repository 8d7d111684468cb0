import { Refusal } from '../../../base/refusal.ts'
import { attributesOf } from '../../expression/index.ts'
import type { ComputedAttribute } from '../schema.ts'
import { expressionOf, hasExpression } from './computed-expression.ts'

export type ComputedOrder = { readonly order: readonly ComputedAttribute[] } | { readonly cycle: readonly string[] }

const isText = (input: string | number | boolean): input is string => typeof input === 'string'

/** An expression that does not parse reads nothing: `checkComputed` reports what is wrong with it. */
const namesInExpression = (attribute: Pick<ComputedAttribute, 'operation' | 'inputs'>): readonly string[] => {
  try {
    const expression = expressionOf(attribute)
    return expression ? attributesOf(expression) : []
  } catch (error) {
    if (error instanceof Refusal) return []
    throw error
  }
}

/** The attributes that an operation reads. */
function namesIn({ operation, inputs }: ComputedAttribute): readonly string[] {
  if (operation === 'COPY_VAL') return []
  if (hasExpression(operation)) return namesInExpression({ operation, inputs })
  return inputs.filter(isText)
}

/** The attributes that a computed attribute reads, each once. */
export const inputsOf = (attribute: ComputedAttribute): readonly string[] => [
  ...new Set([
    ...namesIn(attribute),
    ...(attribute.uid === undefined ? [] : [attribute.uid]),
    ...(attribute.key ?? []),
  ]),
]

type Node = {
  readonly attribute: ComputedAttribute
  readonly rank: number
  needs: readonly Node[]
  /** How many of `needs` the walk has entered. */
  entered: number
  state: 'new' | 'open' | 'done'
}

/** By rank: `order`, then as declared. An attribute that reads its own name reads the posted value, so not itself. */
const graphOf = (attributes: readonly ComputedAttribute[]): readonly Node[] => {
  const nodes = attributes
    .toSorted((left, right) => left.order - right.order)
    .map((attribute, rank): Node => ({ attribute, rank, needs: [], entered: 0, state: 'new' }))
  const byName = new Map(nodes.map((node) => [node.attribute.name, node]))
  for (const node of nodes) {
    node.needs = inputsOf(node.attribute)
      .flatMap((input) => byName.get(input) ?? [])
      .filter((need) => need.attribute.name !== node.attribute.name)
      .toSorted((left, right) => left.rank - right.rank)
  }
  return nodes
}

/** Depth first, without recursion because a chain may be as long as the schema. Returns the names of a cycle. */
const walk = (root: Node, order: ComputedAttribute[]): readonly string[] | undefined => {
  const path = [root]
  for (let node = path.at(-1); node !== undefined; node = path.at(-1)) {
    node.state = 'open'
    const need = node.needs[node.entered]
    node.entered += 1
    if (need === undefined) {
      node.state = 'done'
      order.push(node.attribute)
      path.pop()
    } else if (need.state === 'open') {
      return path.slice(path.indexOf(need)).map(({ attribute }) => attribute.name)
    } else if (need.state === 'new') {
      path.push(need)
    }
  }
  return undefined
}

/** Each attribute after those that it reads; among the rest `order` decides, then the declaration. Names are unique. */
export function orderComputed(attributes: readonly ComputedAttribute[]): ComputedOrder {
  const order: ComputedAttribute[] = []
  for (const node of graphOf(attributes)) {
    const cycle = node.state === 'new' ? walk(node, order) : undefined
    if (cycle !== undefined) return { cycle }
  }
  return { order }
}

/** Names of which each reads the next, and the last the first. */
export function findCycle(attributes: readonly ComputedAttribute[]): readonly string[] | undefined {
  const result = orderComputed(attributes)
  return 'cycle' in result ? result.cycle : undefined
}
