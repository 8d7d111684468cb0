import { Refusal } from '../../base/refusal.ts'
import type { Position } from './ast.ts'
import { createSourceText } from './source-text.ts'

/** A statement that parses and cannot be meant; `at` is where in the text. */
export class PlacedRefusal extends Refusal {
  readonly at: Position

  constructor(at: Position, problem: string) {
    super(problem)
    this.at = at
  }
}

/** A refusal at a place as the parser would report it, with line, column and caret; any other error as it is. */
export const withCaretOf = (text: string, error: unknown): unknown =>
  error instanceof PlacedRefusal ? createSourceText(text).refusal(error.at.offset, error.message) : error

/** Runs `compile`, and reports the place of its refusal in the text. */
export function withCaret<Result>(text: string, compile: () => Result): Result {
  try {
    return compile()
  } catch (error) {
    throw withCaretOf(text, error)
  }
}
