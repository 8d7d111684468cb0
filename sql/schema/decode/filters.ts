import { orderFilters } from '../check/filter-order.ts'
import { quoted } from '../check/name.ts'
import { findTarget } from '../find-stream.ts'
import type { Filter } from '../schema.ts'
import type { Draft, Drafts } from './draft.ts'
import { chooseAttributes, copyAttributes, decodeFilter, filterOnWire } from './filter.ts'
import type { Part } from './part.ts'

type Sent = { readonly part: Part; readonly target: string; readonly to: Draft | undefined }

const readTargets = (draft: Draft, drafts: Drafts): readonly Sent[] => {
  if (draft.kind === 'entity') return []
  return draft.part.parts('fltr').map((part) => {
    const target = part.take('ostm', filterOnWire.shape.ostm)
    const to = target === undefined ? undefined : findTarget(drafts, target, 'filter', part, 'ostm')
    return { part, target: target ?? '', to }
  })
}

const decodeAll = (draft: Draft, sent: readonly Sent[]): readonly Filter[] => {
  const filters = new Map<string, Filter>()
  for (const { part, target, to } of sent) {
    const attributes = chooseAttributes(part, draft)
    if (to) copyAttributes(attributes, draft, to, part)
    const filter = decodeFilter(part, draft, target, attributes)
    if (filter === undefined) continue
    if (filters.has(filter.name)) part.fail('name', `${quoted(filter.name)} is there already`)
    filters.set(filter.name, filter)
  }
  return [...filters.values()]
}

/** `fltr` of all streams: sources first, since a filter's target takes attributes over from them. */
export const decodeFilters = (drafts: Drafts): ReadonlyMap<string, readonly Filter[]> => {
  const sent = new Map([...drafts.values()].map((draft) => [draft.name, readTargets(draft, drafts)]))
  const links = new Map([...sent].map(([name, list]) => [name, list.flatMap(({ to }) => to?.name ?? [])]))
  const { order, cycles } = orderFilters(links)
  for (const cycle of cycles) {
    const closing = sent.get(cycle.at(-1) ?? '')?.find(({ target }) => target === cycle[0])
    closing?.part.fail('ostm', `cycle ${[...cycle, cycle[0]].join(' > ')}`)
  }
  const filters = new Map<string, readonly Filter[]>()
  for (const name of order) {
    const draft = drafts.get(name)
    if (draft) filters.set(name, decodeAll(draft, sent.get(name) ?? []))
  }
  return filters
}
