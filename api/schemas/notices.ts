import { isObject, type Json } from '../../base/json.ts'

/** The templates, by `notifid`, of which a schema's filters make matches; empty where it is no schema. */
export function noticesIn(wire: Json): ReadonlySet<string> {
  const streams = membersOf(wire, 'streams')
  const filters = streams.flatMap((stream) => membersOf(stream, 'fltr'))
  return new Set(filters.flatMap((filter) => (isObject(filter) && filter.notf !== undefined ? [`${filter.notf}`] : [])))
}

const membersOf = (wire: Json, member: string): readonly Json[] => {
  const list = isObject(wire) ? wire[member] : undefined
  return Array.isArray(list) ? list : []
}
