/** The query language as values. `parser.ts` makes them, `print.ts` turns them back into text, `compile/` into SQL. */

/** Where a node began in the text: `offset` in UTF-16 units from 0, `line` and `column` from 1. */
export type Position = { readonly offset: number; readonly line: number; readonly column: number }

export type Literal =
  | { readonly kind: 'string'; readonly value: string }
  /** `text` is the number as written, so that 64-bit integers are not rounded. */
  | { readonly kind: 'number'; readonly text: string }
  | { readonly kind: 'boolean'; readonly value: boolean }

export type Operator = '=' | '!=' | '>' | '>=' | '<' | '<='

export type Comparison = {
  readonly kind: 'compare'
  /** An attribute, `_pk`, `st`, `et`, `skey`, or a dotted path. */
  readonly path: string
  readonly operator: Operator
  readonly value: Operand
  readonly at: Position
}
/** Right side: a literal; in filter definitions (qtype 2) also another attribute of the same event. */
export type Operand = Literal | { readonly kind: 'attribute'; readonly path: string }

/** `_pk like "a:*"`: keys that start with `prefix`. */
export type Like = { readonly kind: 'like'; readonly path: string; readonly prefix: string; readonly at: Position }

export type Condition = Comparison | Like | { readonly kind: 'and' | 'or'; readonly terms: readonly Condition[] }

/** `schema` is absent where the text names a table, as in `select * from visits`. */
export type Source = { readonly schema?: string; readonly name: string; readonly at: Position }

export type Document = { readonly kind: 'json' | 'text'; readonly text: string }

export type Statement =
  | { readonly kind: 'rows'; readonly from: Source; readonly where?: Condition; readonly limit?: number }
  | { readonly kind: 'count'; readonly from: Source; readonly where?: Condition }
  | {
      readonly kind: 'aggregate'
      readonly attribute: string
      readonly from: Source
      readonly where?: Condition
      readonly groupBy?: readonly string[]
      readonly rollup?: number
      readonly limit?: number
      readonly at: Position
    }
  | { readonly kind: 'usage'; readonly from: Source }
  | {
      readonly kind: 'insert'
      readonly into: Source
      /** Absent for `null`: the service makes the key. */
      readonly key?: Literal
      readonly document: Document
      /** Fields named by `revidx f1,f2`. */
      readonly reverseIndex: readonly string[]
    }
  | { readonly kind: 'update'; readonly table: Source; readonly document: Document; readonly where?: Condition }
  | { readonly kind: 'delete'; readonly from: Source; readonly where?: Condition }
