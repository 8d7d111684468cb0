import { z } from 'zod'
import { expected, wholeNumber } from '../../../base/decode/values.ts'
import type { WireObject } from '../../../base/decode/wire-object.ts'
import type { StatisticKind, Statistics } from '../schema.ts'
import { maxWindow, maxWindows, minWindow, windowName } from '../windows.ts'

const inList = z
  .array(wholeNumber(minWindow, maxWindow), expected('an array of seconds'))
  .min(1, 'must have at least one window')
  .max(maxWindows, `must have at most ${maxWindows} windows`)

/** `window` of an entity: seconds. One number stands for a list of one. */
export const windowsOnWire = z
  .preprocess((value) => (['number', 'string', 'bigint'].includes(typeof value) ? [value] : value), inList)
  .optional()
  .meta({
    type: 'array',
    items: { type: 'integer', minimum: minWindow, maximum: maxWindow },
    minItems: 1,
    maxItems: maxWindows,
    description: 'seconds: the statistics are kept over the last so many seconds, too, as <ratr>.1h.cnt',
  })

/** Statistics that merge over hops as they merge over all time. */
const windowed: readonly StatisticKind[] = ['COUNT', 'UCOUNT', 'RSTAT', 'QUANTILES']

/** The windows of an entity's values, the shortest first. */
export function takeWindows(object: WireObject, statistics: Statistics | undefined): readonly number[] {
  if (!object.has('window')) return []
  const windows = object.take('window', windowsOnWire) ?? []
  for (const [index, each] of windows.entries())
    if (windows.indexOf(each) !== index) object.fail(`window[${index}]`, `${windowName(each)} is there already`)
  const other = statistics?.kinds.find((kind) => !windowed.includes(kind))
  if (windows.length > 0 && other !== undefined)
    object.fail('window', `${other} has no windows: ${windowed.join(', ')} have; give ${other} a value of its own`)
  return windows.toSorted((a, b) => a - b)
}
