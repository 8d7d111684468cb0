/** The graph as a search for paths sees it. */
import type { NodeKey } from '../../../sql/graph/index.ts'

export type PathRelation = {
  readonly subject: NodeKey
  readonly relation: string
  readonly object: NodeKey
  /** Never negative; 1 where nothing weighs. */
  readonly weight: number
}

/** Relations that begin at some nodes, or end there, in an order that stays. */
export type Relations = {
  leaving(nodes: readonly NodeKey[]): Promise<readonly PathRelation[]>
  entering(nodes: readonly NodeKey[]): Promise<readonly PathRelation[]>
}

export type Path = { readonly nodes: readonly NodeKey[]; readonly relations: readonly PathRelation[] }

export const keyOf = ({ label, name }: NodeKey): string => `${label}:${name}`

/** A path by the relations that it takes, in their order. */
export const pathOf = (relations: readonly PathRelation[]): Path => ({
  relations,
  nodes: [...relations.slice(0, 1).map(({ subject }) => subject), ...relations.map(({ object }) => object)],
})
