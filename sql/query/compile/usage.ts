import { identifier } from '../../identifier.ts'
import { minute_us } from '../../schema/ddl/usage.ts'
import { stateColumn } from '../../schema/names.ts'
import { type Measure, mergeOf, noneFar, valueObject } from '../../schema/statistics.ts'
import type { SqlStatement } from '../../statement.ts'

const result = 'events'
const measure: Measure = { result, input: { name: result, type: 'DOUBLE' }, statistics: { kinds: ['RSTAT'] } }
const column = (part: string): string => identifier(stateColumn(result, part))

/**
 * Posted events per minute since the first one, minutes without events included: column `v`, the text
 * `{fromts, tots, aggr_val}` with an RSTAT. The minutes that hold events and the empty ones are two rows of states. The
 * pivot is whole, so that sums are.
 */
export function compileUsage(now_us: number): SqlStatement {
  const powers = [1, 2, 3, 4].map((power) => `sum(pow(c - pivot, ${power}))`)
  const near = [1, 2, 3, 4].map((power) => `0. AS ${column(`s${power}`)}`)
  const held = [
    `count() AS ${column('cnt')}, ${near.join(', ')}, min(c) AS ${column('min')}, max(c) AS ${column('max')}`,
    `tuple([pivot], [toFloat64(count())], ${powers.map((sum) => `[${sum}]`).join(', ')}) AS ${column('far')}`,
  ].join(', ')
  const empty = `toUInt64(minutes - assumeNotNull(held)), 0., 0., 0., 0., toFloat64(0), toFloat64(0), ${noneFar}`
  return {
    text: [
      'WITH (SELECT (count(), min(minute), max(minute), round(sum(c) / greatest(count(), 1)))',
      'FROM (SELECT minute, sum(events) AS c FROM weir.usage GROUP BY minute)) AS known,',
      'known.1 AS held, known.2 AS first, assumeNotNull(ifNull(known.4, 0.)) AS pivot,',
      `assumeNotNull(if(held = 0, 0, intDiv(greatest({now:Int64}, known.3) - first, ${minute_us}) + 1)) AS minutes`,
      `SELECT concat('{"fromts":', toString(first), ',"tots":', toString({now:Int64}), ',"aggr_val":', ${valueObject(measure)}, '}') AS v`,
      `FROM (SELECT ${mergeOf(measure).join(', ')} FROM (`,
      `SELECT ${held} FROM (SELECT toFloat64(sum(events)) AS c FROM weir.usage GROUP BY minute)`,
      `UNION ALL SELECT ${empty} WHERE minutes > held))`,
    ].join(' '),
    params: { now: now_us },
  }
}
