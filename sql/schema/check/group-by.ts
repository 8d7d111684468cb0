import type { WireObject } from '../../../base/decode/wire-object.ts'
import { quoted } from '../../../base/quoted.ts'
import { areSame } from '../decode/statistics.ts'
import { feedView, groupTable } from '../names.ts'
import { readableColumns } from '../readable-columns.ts'
import type { GroupBy } from '../schema.ts'
import { shownStatistics } from '../statistics.ts'
import { checkTableName } from './table-name.ts'

/** A query names the pattern and the input only, so these identify a definition. */
export const checkDistinct = (object: WireObject, group: GroupBy, others: ReadonlyMap<string, GroupBy>) => {
  const other = others.get(JSON.stringify([group.pattern, group.input]))
  if (other === undefined) return
  const same = areSame(other.statistics, group.statistics) && other.granularity === group.granularity
  const which = `${group.input} by ${group.pattern.join(':')}`
  if (same) object.fail('gpat', `${which} is defined twice`)
  else
    object.fail(
      'gpat',
      `${which} is kept already as ${shownStatistics(other.statistics)} per ${other.granularity} s; a query could not tell the two apart`,
    )
}

/** The columns of a group-by's tables are those of its pattern, and the input's statistic beside them. */
export const checkPattern = (object: WireObject, group: GroupBy) => {
  const own = new Set(['interval_start', ...readableColumns(group.input, group.statistics)])
  for (const [index, name] of group.pattern.entries()) {
    if (own.has(name))
      object.fail(`gpat[${index}]`, `${quoted(name)} is a column that the service makes for ${group.input}`)
  }
}

/** Patterns that differ may join to one name: `a__b` alone, and `a` with `b`. */
export const checkTable = (
  object: WireObject,
  schema: string,
  stream: string,
  group: GroupBy,
  patterns: Map<string, string>,
) => {
  const table = groupTable(stream, group.granularity, group.pattern)
  const pattern = group.pattern.join(':')
  const other = patterns.get(table) ?? pattern
  patterns.set(table, other)
  if (other !== pattern) object.fail('gpat', `${pattern} gives the same table name as ${other}`)

  const tooLong = checkTableName(schema, feedView(table, stream))
  if (tooLong !== undefined) object.fail('gpat', tooLong)
}
