import { nodeLines, parseStatement, tripleLine } from '../../../sql/graph/index.ts'

/** The lines that a CREATE writes; `seq` is the first number that its parts get. */
export function chainLines(text: string, seq: number): { readonly nodes: string; readonly triples: string } {
  const chain = parseStatement(text)
  if (chain.kind !== 'create') throw new Error(`${text} is no CREATE`)
  const triples = chain.relations.map(({ direction, ...relation }, index) => {
    const [before, behind] = [chain.nodes[index], chain.nodes[index + 1]]
    if (before === undefined || behind === undefined) throw new Error('a relation is between two nodes')
    const [subject, object] = direction === 'out' ? [before, behind] : [behind, before]
    return tripleLine({ ...relation, subject, object }, seq + index)
  })
  return { nodes: chain.nodes.map((node, index) => nodeLines(node, seq + index)).join(''), triples: triples.join('') }
}
