import { quoted } from '../../../base/quoted.ts'
import { orderFilters } from '../check/filter-order.ts'
import { findTarget } from '../find-stream.ts'
import type { Filter, Notice } from '../schema.ts'
import { anything, text } from '../values.ts'
import type { Draft, Drafts } from './draft.ts'
import { chooseAttributes, copyAttributes, type DecodedFilter, decodeFilter, filterOnWire } from './filter.ts'
import type { Part } from './part.ts'

type Sent = { readonly part: Part; readonly target: string | undefined; readonly to: Draft | undefined }

/** The filters of a stream by their effect: some copy events to other streams, some match notifications. */
export type StreamFilters = { readonly filters: readonly Filter[]; readonly notices: readonly Notice[] }

const hasNotification = (part: Part): boolean => part.take('notf', anything) !== undefined

const readTargets = (draft: Draft, drafts: Drafts): readonly Sent[] => {
  if (draft.kind === 'entity') return []
  return draft.part.parts('fltr').map((part) => {
    // A filter with a notification needs no target; an empty one is as good as none, since some clients send it.
    const target =
      part.has('ostm') || !hasNotification(part) ? part.take('ostm', text) : part.take('ostm', filterOnWire.shape.ostm)
    const named = target === '' && hasNotification(part) ? undefined : target
    const to = named === undefined ? undefined : findTarget(drafts, named, 'filter', part, 'ostm')
    return { part, target: named, to }
  })
}

const decodeAll = (draft: Draft, sent: readonly Sent[]): StreamFilters => {
  const filters = new Map<string, DecodedFilter>()
  for (const { part, target, to } of sent) {
    const attributes = chooseAttributes(part, draft)
    if (to) copyAttributes(attributes, draft, to, part)
    const filter = decodeFilter(part, draft, target, attributes)
    if (filter === undefined) continue
    if (filters.has(filter.name)) part.fail('name', `${quoted(filter.name)} is there already`)
    filters.set(filter.name, filter)
  }
  const decoded = [...filters.values()]
  return {
    filters: decoded.flatMap(({ filter }) => filter ?? []),
    notices: decoded.flatMap(({ notice }) => notice ?? []),
  }
}

/** `fltr` of all streams: sources first, since a filter's target takes attributes over from them. */
export const decodeFilters = (drafts: Drafts): ReadonlyMap<string, StreamFilters> => {
  const sent = new Map([...drafts.values()].map((draft) => [draft.name, readTargets(draft, drafts)]))
  const links = new Map([...sent].map(([name, list]) => [name, list.flatMap(({ to }) => to?.name ?? [])]))
  const { order, cycles } = orderFilters(links)
  for (const cycle of cycles) {
    const closing = sent.get(cycle.at(-1) ?? '')?.find(({ target }) => target === cycle[0])
    closing?.part.fail('ostm', `cycle ${[...cycle, cycle[0]].join(' > ')}`)
  }
  const filters = new Map<string, StreamFilters>()
  for (const name of order) {
    const draft = drafts.get(name)
    if (draft) filters.set(name, decodeAll(draft, sent.get(name) ?? []))
  }
  return filters
}
