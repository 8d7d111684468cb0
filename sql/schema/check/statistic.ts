import { quoted } from '../../../base/quoted.ts'
import type { AttributeType, Statistics } from '../schema.ts'

/** Statistics of numbers. */
const ofNumbers = ['RSTAT', 'QUANTILES'] as const

/** Why statistics cannot be kept over an attribute; undefined where they can. */
export const checkStatistics = (
  { kinds }: Statistics,
  { name, type }: { readonly name: string; readonly type: AttributeType },
): string | undefined => {
  if (type === 'LONG' || type === 'DOUBLE') return undefined
  const unfit = ofNumbers.find((kind) => kinds.includes(kind))
  return unfit && `${unfit} takes LONG or DOUBLE and ${quoted(name)} is ${type}; ${forAnyType}`
}

const forAnyType = 'COUNT, UCOUNT, LAST, FIRST and TOPK take any type'
