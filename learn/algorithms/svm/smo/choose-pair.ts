import type { Choice } from './passes.ts'
import type { Smo } from './state.ts'

/** Second-order working-set selection (Fan, Chen, Lin 2005, algorithm WSS 2). */
export function choosePair(state: Smo, choice: Choice): void {
  const { passes } = state
  choice.first = state.steepest ?? passes.steepest()
  choice.second = -1
  choice.gap = 0
  if (choice.first === -1) return
  passes.partner(state.q.row(choice.first, state.active), choice)
  if (choice.gap < state.tolerance) choice.second = -1
}
