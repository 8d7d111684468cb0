import { quoted } from '../../../base/quoted.ts'
import type { AttributeType, StatisticKind } from '../schema.ts'

/** Why a statistic cannot be kept over an attribute; undefined where it can. */
export const checkStatistic = (
  statistic: StatisticKind,
  { name, type }: { readonly name: string; readonly type: AttributeType },
): string | undefined => {
  if (statistic !== 'RSTAT' || type === 'LONG' || type === 'DOUBLE') return undefined
  return `RSTAT takes LONG or DOUBLE and ${quoted(name)} is ${type}; COUNT and UCOUNT take any type`
}
