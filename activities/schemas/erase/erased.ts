import type { Erased } from '../../../infra/catalogue/catalogue.ts'

const latest = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && BigInt(other) > BigInt(one)) ? other : one

/** The greater of each, or their sum. */
function merged(
  one: Readonly<Record<string, number>> = {},
  other: Readonly<Record<string, number>> = {},
  merge: (a: number, b: number) => number,
): Record<string, number> | undefined {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  if (names.size === 0) return undefined
  return Object.fromEntries([...names].map((name) => [name, merge(one[name] ?? 0, other[name] ?? 0)]))
}

/** All that a stream has lost, by what it had lost before and one more loss. */
export function addLoss(before: Erased = {}, loss: Erased): Erased {
  const until_us = latest(before.until_us, loss.until_us)
  const seq = Math.max(before.seq ?? 0, loss.seq ?? 0)
  const counts = merged(before.counts, loss.counts, (a, b) => a + b)
  const positions = merged(before.positions, loss.positions, Math.max)
  return {
    ...(until_us !== undefined && { until_us }),
    ...(seq > 0 && { seq }),
    ...(counts && { counts }),
    ...((before.rows || loss.rows) && { rows: true }),
    ...(positions && { positions }),
  }
}

/** The part that stays once the aggregates were made anew of the events that are there. */
export const afterRebuild = ({ until_us: _until, counts: _counts, ...kept }: Erased): Erased => kept
