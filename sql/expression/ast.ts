/** Expressions over attributes as values: `parser.ts` makes them, `compile.ts` turns them into functions. */

export type Operator = '+' | '-' | '*' | '/' | '%'
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>='

/** Operators of one precedence, applied from left to right. A list and not a tree, so that a long sum is not deep. */
export type Chain = {
  readonly kind: 'chain'
  readonly first: Expression
  readonly rest: readonly { readonly operator: Operator; readonly operand: Expression }[]
}

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'negate'; readonly operand: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | {
      readonly kind: 'compare'
      readonly operator: Comparison
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'and' | 'or'; readonly terms: readonly Expression[] }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] }
  | Chain
