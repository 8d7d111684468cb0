import type { GraphChange, NewNode, NewTripleBody } from '../../sql/graph/index.ts'
import type { Addition } from './writer.ts'

export const nodeAddition = (node: NewNode): Addition => ({ nodes: [node], triples: [] })

export const tripleAddition = ({ subject, object, ...relation }: NewTripleBody): Addition => ({
  nodes: [subject, object],
  triples: [{ ...relation, subject, object }],
})

/** Relation i of a chain is between the nodes i and i + 1. */
export const chainAddition = ({ nodes, relations }: Extract<GraphChange, { kind: 'create' }>): Addition => ({
  nodes,
  triples: relations.flatMap(({ direction, ...relation }, index) => {
    const [before, behind] = [nodes[index], nodes[index + 1]]
    if (before === undefined || behind === undefined) return []
    const [subject, object] = direction === 'out' ? [before, behind] : [behind, before]
    return [{ ...relation, subject, object }]
  }),
})
