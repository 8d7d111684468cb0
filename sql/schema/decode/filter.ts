import { z } from 'zod'
import { quoted } from '../../../base/quoted.ts'
import { parseFilterQuery } from '../filter-query.ts'
import type { Filter, Notice } from '../schema.ts'
import { anything, clientName, notification, text, texts } from '../values.ts'
import { conditionOnWire, decodeCondition } from './condition.ts'
import { type Draft, findAttribute } from './draft.ts'
import type { Part } from './part.ts'

/** An entry of `fltr`. `fqry.name` is the query, or its JSON as a text. */
export const filterOnWire = z
  .object({
    name: clientName.optional(),
    ostm: text.optional(),
    fatr: texts.default([]),
    fqry: z.object({ name: z.union([z.string(), conditionOnWire]), type: anything.optional() }),
    notf: notification,
  })
  .meta({ id: 'Filter' })
const { shape } = filterOnWire

/** The query within `fqry`: JSON as a string, or the object itself. */
const openQuery = (part: Part): Part | undefined => {
  const query = part.part('fqry')
  query?.only(shape.fqry.shape)
  const sent = query?.take('name', anything)
  if (typeof sent !== 'string') return query?.part('name')
  const parsed = parseFilterQuery(sent)
  if (parsed !== undefined) return query?.open(parsed, 'name')
  query?.fail('name', 'must be JSON such as {"query": [{"key": "price", "cmp_op": 0, "val": 10}], "qtype": 1}')
  return undefined
}

/** In the order of the stream; an OBJECT brings its fields. Without names: all of the stream. */
export const chooseAttributes = (part: Part, draft: Draft): readonly string[] => {
  const chosen = part.take('fatr', shape.fatr) ?? []
  for (const [index, name] of chosen.entries()) {
    if (name !== '_pk') findAttribute(draft, name, part, `fatr[${index}]`)
  }
  const wanted = new Set(chosen)
  const isWanted = (name: string) =>
    name.split('.').some((_, end, steps) => wanted.has(steps.slice(0, end + 1).join('.')))
  return [...draft.attributes.keys()].filter((name) => wanted.size === 0 || isWanted(name))
}

/** An entry of `fltr`: a target to which it copies, a notification that it matches, or both. */
export type DecodedFilter = { readonly name: string; readonly filter?: Filter; readonly notice?: Notice }

/** An entry of `fltr`, whose target and attributes are known already. */
export const decodeFilter = (
  part: Part,
  draft: Draft,
  target: string | undefined,
  attributes: readonly string[],
): DecodedFilter | undefined => {
  part.only(shape)
  const notified = part.take('notf', shape.notf)
  if (notified !== undefined) part.refer('notf', (path) => ({ kind: 'notification', path, notifid: notified }))
  const name = part.take('name', shape.name.default(target ?? `notice_${notified}`))
  const query = openQuery(part)
  const condition = query && decodeCondition(query, draft)
  if (name === undefined || condition === undefined) return undefined
  return {
    name,
    ...(target !== undefined && { filter: { name, condition, attributes, target } }),
    ...(notified !== undefined && { notice: { name, condition, notification: notified } }),
  }
}

/** The target has the attributes that are copied to it. An attribute that it declares keeps its own statistic, and is of the same type. */
export const copyAttributes = (names: readonly string[], from: Draft, to: Draft, part: Part) => {
  for (const name of names) {
    const source = from.attributes.get(name)
    const there = to.attributes.get(name)
    if (source && there && source.type !== there.type) {
      part.fail('ostm', `${quoted(name)} is ${source.type} in ${from.name} and ${there.type} in ${to.name}`)
    }
    if (to.attributes.has(name)) continue
    to.attributes.set(name, source && { name, type: source.type, granularity: 60, primaryKey: false })
  }
}
