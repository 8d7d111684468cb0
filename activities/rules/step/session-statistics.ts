import type { Json } from '../../../base/json.ts'
import { attributeOf } from '../../../sql/schema/columns.ts'
import type { Attribute, Stream } from '../../../sql/schema/schema.ts'
import { type SessionValue, sessionMembers } from '../../../sql/schema/sessions.ts'
import { typeOfMember } from '../../../sql/schema/statistics.ts'
import { readCounted } from '../references/counters.ts'
import { type EndValue, valueOfEnd, withEarlier, withLater } from '../references/last-value.ts'
import { type Hop, windowStatistics } from '../references/window-statistics.ts'
import type { CurrentEvent } from './current-event.ts'

/** The statistics over one attribute of a session's events: of its values together, of the first one and of the last one. */
export type SessionState = readonly [values: Hop | null, first: EndValue, last: EndValue]

export const noState: SessionState = [null, null, null]

/** The members that a session without a value has: none of its events has a least one, and none a mean. */
const ofNothing: ReadonlySet<string> = new Set(['cnt', 'unique', 'sum'])

export type SessionStatistics = {
  /** The value of an event more, where it has one. */
  add(state: SessionState, current: CurrentEvent): SessionState
  /** Of two sessions that have become one. */
  merge(one: SessionState, other: SessionState): SessionState
  /** The members of the value object that have a value. */
  members(state: SessionState): readonly (readonly [name: string, value: Json])[]
}

/** A figure as the row's attribute has it; undefined where the attribute has none such. */
function shown(value: unknown, type: Attribute['type']): Json | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'number' && !Number.isFinite(value)) return undefined
  return type === 'DOUBLE' && typeof value === 'bigint' ? Number(value) : (value as Json)
}

export function compileSessionStatistics(
  stream: Stream,
  { input, statistics }: Pick<SessionValue, 'input' | 'statistics'>,
): SessionStatistics {
  const attribute = attributeOf(stream, input)
  if (attribute === undefined) throw new Error(`${stream.name} has no ${input}`)
  const names = sessionMembers(statistics)
  const together = windowStatistics({ result: input, input: attribute, statistics }, names)
  const read = readCounted(stream, attribute)
  const hasFirst = statistics.kinds.includes('FIRST')
  const hasLast = statistics.kinds.includes('LAST')

  return {
    add(state, { event, pk }) {
      const value = read(event)
      if (value === undefined) return state
      const [values, first, last] = state
      return [
        together.add(values ?? undefined, value),
        hasFirst ? withEarlier(first, value, pk) : null,
        hasLast ? withLater(last, value, pk) : null,
      ]
    },
    merge([values, first, last], [valuesOther, firstOther, lastOther]) {
      const both =
        values && valuesOther
          ? together.together(together.fold([...values, ...valuesOther], [0, values.length]))
          : (values ?? valuesOther)
      return [
        both,
        firstOther ? withEarlier(first, firstOther[1], firstOther[0]) : first,
        lastOther ? withLater(last, lastOther[1], lastOther[0]) : last,
      ]
    },
    members: ([values, first, last]) =>
      names.flatMap((name) => {
        if (values === null && !ofNothing.has(name)) return []
        const value =
          name === 'first'
            ? valueOfEnd(first, attribute.type)
            : name === 'last'
              ? valueOfEnd(last, attribute.type)
              : together.members[name]?.(undefined, values ?? undefined)
        const json = shown(value, typeOfMember(name, attribute.type))
        return json === undefined ? [] : [[name, json] as const]
      }),
  }
}
