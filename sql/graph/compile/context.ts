import type { Params } from '../../query/compile/condition.ts'
import type { GraphQuery } from '../ast.ts'
import type { AcrossTerm } from '../references.ts'
import type { Window } from './source.ts'

/** The properties in which the nodes of a label have their place on the globe. */
export type Places = { readonly latitude: string; readonly longitude: string }

export type StoredRows = { readonly relations: number; readonly properties: number }

export type GraphContext = {
  readonly graph: string
  /** The time of the query in microseconds. */
  readonly now_us: number
  /** By label, from `create geoindex`. */
  readonly places: ReadonlyMap<string, Places>
  /** Whether the tables are spread over the nodes of a cluster: nothing is kept there while a statement runs. */
  readonly isCluster?: boolean
  /** How many relations a node of the pattern has, by its place there, where that was asked for. */
  readonly sizes?: ReadonlyMap<number, number>
  /** Rows of the graph's tables, where that was asked for. */
  readonly stored?: StoredRows
}

export type QueryContext = GraphContext & {
  readonly params: Params
  /** Without the terms of its filters that are `across`. */
  readonly query: GraphQuery
  readonly across: readonly AcrossTerm[]
  /** Set where the query asks for the first walks only, in the order of their keys. */
  readonly window?: Window
  /** Whether each row brings its place, which no other row has. */
  readonly isPlaced: boolean
}
