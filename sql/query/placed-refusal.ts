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

/** Runs `compile`; its refusals at a place are reported as the parser would, with line, column and caret. */
export function withCaret<Result>(text: string, compile: () => Result): Result {
  try {
    return compile()
  } catch (error) {
    if (error instanceof PlacedRefusal) throw createSourceText(text).refusal(error.at.offset, error.message)
    throw error
  }
}
