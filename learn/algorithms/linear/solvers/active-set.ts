import { type Random, shuffle } from '../../../random.ts'

/** The variables that a coordinate descent still visits; shrinking drops those that rest at a bound. */
export type ActiveSet = {
  readonly order: Int32Array
  size: number
}

export function createActiveSet(count: number): ActiveSet {
  return { order: Int32Array.from({ length: count }, (_, i) => i), size: count }
}

export function shuffleActive(active: ActiveSet, random: Random): void {
  shuffle(active.order, random, active.size)
}

/** The entry from the end takes the dropped one's place. */
export function drop(active: ActiveSet, position: number): void {
  active.size--
  const dropped = active.order[position] ?? 0
  active.order[position] = active.order[active.size] ?? 0
  active.order[active.size] = dropped
}
