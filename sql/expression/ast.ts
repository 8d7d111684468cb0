/** Arithmetic over attributes as a value: `parser.ts` makes it, `compile.ts` turns it into a function. */

export type Operator = '+' | '-' | '*' | '/' | '%'

/** Operators of one precedence, applied from left to right. A list and not a tree, so that a long sum is not deep. */
export type Chain = {
  readonly kind: 'chain'
  readonly first: Expression
  readonly rest: readonly { readonly operator: Operator; readonly operand: Expression }[]
}

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'attribute'; readonly name: string }
  | { readonly kind: 'negate'; readonly operand: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly operands: readonly Expression[] }
  | Chain
