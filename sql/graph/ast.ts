/**
 * The graph language as values. `parser.ts` makes them, `print.ts` turns them back into text, `compile/` into SQL.
 * Parts that match anything are absent.
 */
import type { Expression } from '../expression/index.ts'
import type { Position } from '../query/ast.ts'

/** A name that equals this text, or begins with it (`"abc$%"`). */
export type NamePattern = { readonly kind: 'is' | 'starts'; readonly text: string }

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<=' | '~' | '!~'

/** `missing` is `NA` behind `~` or `!~`; a number is kept as written; a text without quotes has its place. */
export type Value =
  | { readonly kind: 'number' | 'starts'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string; readonly at?: Position }
  | { readonly kind: 'missing' }
  | Reference

/**
 * `$name`: in WHERE a column of the output, in a filter a property of the same node or relation; `$alias.name` in a
 * filter is that of another one.
 */
export type Reference = {
  readonly kind: 'reference'
  readonly alias?: string
  readonly name: string
  readonly at: Position
}

/** Arithmetic, with its text as written. */
export type Formula = {
  readonly kind: 'formula'
  readonly text: string
  readonly expression: Expression
  /** Its value is a date, and shown as text. */
  readonly format?: DateFormat
}

/** A format in strftime's letters. A timestamp may count seconds, milliseconds or microseconds. */
export type DateFormat = { readonly of: 'date' | 'timestamp'; readonly text: string }

export type Property = { readonly kind: 'property'; readonly name: string }

export type Comparison<Left> = {
  readonly left: Left
  readonly operator: Operator
  readonly value: Value
  readonly at: Position
}

/** Every comparison has to hold. */
export type Filter = readonly Comparison<Property | Formula>[]

export type NodePattern = {
  readonly alias?: string
  readonly label?: string
  readonly name?: NamePattern
  readonly filter?: Filter
  readonly at: Position
}

export type Weight =
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'distance'; readonly latitude: string; readonly longitude: string }

export type EdgeFunction =
  | { readonly kind: 'shortest'; readonly weight?: Weight }
  | { readonly kind: 'all' }
  | { readonly kind: 'radius'; readonly metres: number }

/** `out` is `-[...]->`, `in` is `<-[...]-`. */
export type EdgePattern = {
  readonly alias?: string
  readonly relation?: string
  readonly direction: 'out' | 'in'
  readonly filter?: Filter
  readonly call?: EdgeFunction
  readonly at: Position
}

/** An edge between two of a pattern's nodes, by their places in it: `from` is the one written first. */
export type Link = { readonly edge: EdgePattern; readonly from: number; readonly to: number }

/**
 * Nodes as written from left to right. Link i brings node i + 1 in. In a chain it comes from node i; behind a nested
 * query (`nested` is its token) the walk goes on from node 0.
 */
export type Pattern = {
  readonly nodes: readonly NodePattern[]
  readonly links: readonly Link[]
  readonly nested?: string
}

export type ModifierKind = 'SYMM' | 'ASYMM' | 'DISTINCT' | 'UNIQUE' | 'UNIQUE_IN_CONTEXT' | 'UNIQUE_SELECT'
export type Modifier = { readonly kind: ModifierKind; readonly max?: number; readonly at: Position }

export type AlgorithmKind = 'DEGREE' | 'PAGERANK' | 'COMPONENTS' | 'COMMUNITIES' | 'SIMILARITY'
/** Scores the nodes of the walks that the pattern matches, in place of its rows. */
export type AlgorithmModifier = { readonly kind: AlgorithmKind; readonly max?: number; readonly at: Position }

/** `a.age`: of a node also `name` and `label`, of a relation `rel`. */
export type Member = { readonly alias: string; readonly name: string; readonly at: Position }

export type AggregateKind = 'COUNT' | 'UCOUNT' | 'SUM' | 'AVG' | 'MIN' | 'MAX' | 'STD' | 'SKEW' | 'EXKURT'

/** A column of the output by its name. */
export type ColumnName = { readonly name: string; readonly at: Position }

export type Item =
  | { readonly kind: 'member'; readonly member: Member; readonly as?: ColumnName }
  | {
      readonly kind: 'aggregate'
      readonly aggregate: AggregateKind
      /** Absent for `*`. A member without a name is the node or relation itself. */
      readonly of?: Omit<Member, 'name'> & { readonly name?: string }
      /** Counts where these hold of the output's columns; the aggregate's own name stands for the property that it is of. */
      readonly where?: readonly Comparison<ColumnName>[]
      readonly as?: ColumnName
      readonly at: Position
    }
  | { readonly kind: 'formula'; readonly formula: Formula; readonly as?: ColumnName; readonly at: Position }

export type Condition =
  | ({ readonly kind: 'compare' } & Comparison<ColumnName>)
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Condition[] }

export type Sort = { readonly column: ColumnName; readonly descending: boolean }

export type Returning = {
  readonly items: '*' | readonly Item[]
  readonly exclude?: readonly ColumnName[]
  readonly where?: Condition
  readonly sort?: Sort
  readonly limit?: number
}

export type GraphQuery = {
  readonly kind: 'query'
  readonly token: string
  readonly modifier?: Modifier
  readonly algorithm?: AlgorithmModifier
  readonly pattern: Pattern
  readonly returning?: Returning
}

export type SetKind = 'ADD' | 'SUBTRACT' | 'JOIN' | 'LEFT_JOIN' | 'RIGHT_JOIN' | 'APPEND' | 'PIPE'

export type GraphSet = {
  readonly kind: 'set'
  readonly set: SetKind
  readonly column: ColumnName
  /** The order of the set's rows; the limit is theirs, too. */
  readonly sort?: Sort
  readonly limit?: number
  /** Two or more: each is combined with the result of those before it. */
  readonly queries: readonly GraphQuery[]
}

/** Properties by name, each value as canonical JSON text. */
export type Properties = readonly (readonly [name: string, json: string])[]

export type NodeKey = { readonly label: string; readonly name: string }
export type NewNode = NodeKey & { readonly properties: Properties }
/** From the node before it to the one behind it where `direction` is `out`. */
export type NewRelation = {
  readonly relation: string
  readonly direction: 'out' | 'in'
  readonly properties: Properties
}

export type GraphChange =
  /** Relation i is between the nodes i and i + 1. */
  | { readonly kind: 'create'; readonly nodes: readonly NewNode[]; readonly relations: readonly NewRelation[] }
  | { readonly kind: 'merge'; readonly primary: NodeKey; readonly secondary: NodeKey }
  | { readonly kind: 'delete'; readonly node: NodeKey }
  | {
      readonly kind: 'geo index'
      readonly graph: string
      readonly label: string
      readonly name: string
      readonly latitude: string
      readonly longitude: string
      /** The place where the graph is named. */
      readonly at: Position
    }

export type GraphStatement = GraphQuery | GraphSet | GraphChange
