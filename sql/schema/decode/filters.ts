import { quoted } from '../../../base/quoted.ts'
import type { Filter, MovingFilter, Notice } from '../schema.ts'
import type { Drafts } from './draft.ts'
import { type DecodedFilter, decodeFilter, type SentFilter } from './filter.ts'

/** The filters of a stream by their effect: some copy events to other streams, some match notifications, some need a memory. */
export type StreamFilters = {
  readonly filters: readonly Filter[]
  readonly notices: readonly Notice[]
  readonly moving: readonly (readonly [MovingFilter, DecodedFilter['object']])[]
}

/** `fltr` of a stream, once all attributes of all streams are known. */
export const decodeFilters = (sent: readonly SentFilter[], drafts: Drafts): StreamFilters => {
  const found = new Map<string, DecodedFilter>()
  for (const each of sent) {
    const filter = decodeFilter(each, drafts)
    if (filter === undefined) continue
    if (found.has(filter.name)) each.object.fail('name', `${quoted(filter.name)} is there already`)
    found.set(filter.name, filter)
  }
  const decoded = [...found.values()]
  return {
    filters: decoded.flatMap(({ filter }) => filter ?? []),
    notices: decoded.flatMap(({ notice }) => notice ?? []),
    moving: decoded.flatMap(({ moving, object }) => (moving ? [[moving, object] as const] : [])),
  }
}
