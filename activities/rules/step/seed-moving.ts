import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { RuleState } from '../../../infra/memory/state.ts'
import {
  compileIntervalMoments,
  type IntervalRow,
  type IntervalSource,
} from '../../../sql/references/seed-intervals.ts'
import { type Fill, type IsOwn, inFills, ownsAll, seededKey } from '../references/seed.ts'
import type { Intervals } from './intervals.ts'
import type { Moments } from './moments.ts'

/** Intervals that one statement asks for. */
const atOnce = 50_000
/** The latest intervals, of which a space is filled: those of a window of a year with minutes. They are in memory meanwhile. */
const maxSeeded = 600_000

/**
 * Fills the intervals of an attribute from its statistic in ClickHouse, the latest ones. A deviation gives the squares back
 * but for the rounding of its own last digits.
 */
export async function* seedMoving(
  space: string,
  source: IntervalSource,
  intervals: Intervals,
  clickhouse: Pick<ClickHouse, 'rows'>,
  isOwn: IsOwn = ownsAll,
): AsyncGenerator<Fill> {
  const values = new Map<string, unknown>()
  if (isOwn([])) {
    const found: IntervalRow[] = []
    const most = Math.min(intervals.max, maxSeeded)
    for (let before: number | undefined; found.length < most; before = Number(found.at(-1)?.k)) {
      const page = Math.min(atOnce, most - found.length)
      const rows = await clickhouse.rows<IntervalRow>(compileIntervalMoments(source, before, page))
      for (const row of rows) found.push(row)
      if (rows.length < page) break
    }
    const state = stateOver(values)
    // The oldest first, as their events came.
    for (const { k, v } of found.reverse()) intervals.addInterval(state, Number(k), momentsOf(v))
  }
  yield* inFills([...values], (state, [key, value]) => state.set(space, key, value))
  yield (state) => state.set(space, seededKey, true)
}

function momentsOf([count = 0, sum = 0, mean = 0, deviation = 0, min = 0, max = 0]: readonly number[]): Moments {
  return [count, sum, 0, mean, deviation ** 2 * (count - 1), min, max]
}

/** A state of one space that nothing remembers. */
function stateOver(values: Map<string, unknown>): RuleState {
  return {
    now: () => 0,
    came: () => 0,
    value: (_, key) => values.get(key),
    set(_, key, value) {
      if (value === undefined) values.delete(key)
      else values.set(key, value)
    },
    list: () => {
      throw new Error('intervals are no lists')
    },
    dropped() {},
  }
}
