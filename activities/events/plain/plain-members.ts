import { greatestTime_us, leastTime_us } from '../../../base/time-unit.ts'
import { storedAttributes } from '../../../sql/schema/columns.ts'
import type { Stream } from '../../../sql/schema/schema.ts'
import { compileAllowed, limitedAttributes } from '../limits.ts'
import { createMemberReader, type PlainMember } from './member-reader.ts'

const greatestTime = Number(greatestTime_us)
/** A time at either end is read the other way, exactly. */
const isTime = (time: number): boolean => time >= leastTime_us && time < greatestTime

/**
 * Reads the members of plain events of a stream: flat ones, with declared members alone and texts and numbers as lines have
 * them. `overwritten` are the attributes whose values are ours and not the client's. Undefined for streams whose events need
 * more than that.
 */
export function compilePlainMembers(stream: Stream, overwritten: ReadonlySet<string>) {
  const members: readonly PlainMember[] = [
    ...storedAttributes(stream).filter(({ name }) => name !== '_id' && !name.includes('.')),
    { name: '_pk', type: 'LONG' },
  ]
  const placeOf = (wanted: string): number => members.findIndex(({ name }) => name === wanted)
  // A value of ours without a column is one of `_rest`.
  if ([...overwritten].some((name) => placeOf(name) < 0)) return undefined
  const limited = limitedAttributes(stream)
  // A plain event lacks what it does not have as a member of its own; a value of ours is known only as it is written.
  if (limited.some(({ name, limits }) => overwritten.has(name) || (limits.required && placeOf(name) < 0)))
    return undefined
  const limits = limited
    .filter(({ name }) => placeOf(name) >= 0)
    .map((attribute) => ({
      place: placeOf(attribute.name),
      isRequired: attribute.limits.required ?? false,
      isAllowed: compileAllowed(attribute),
    }))
  const pkPlace = placeOf('_pk')
  const columns = members
    .map(({ name }, place) => ({ name, place, key: Buffer.from(`,"${name}":`) }))
    .filter(({ name, place }) => place !== pkPlace && !overwritten.has(name))
  const results = members.filter(({ name }) => overwritten.has(name))
  const reader = createMemberReader(members)

  const isWithin = (): boolean =>
    limits.every(({ place, isRequired, isAllowed }) =>
      reader.isThere(place) ? isAllowed(reader.valueOf(place)) : !isRequired,
    )

  return {
    /** The members that are read, `_pk` among them. */
    members,
    placeOf,
    pkPlace,
    /** The members that are written as they came. */
    columns,
    keysLength: columns.reduce((sum, { key }) => sum + key.length, 0),
    /** Members whose values are ours. */
    results,
    reader,
    /** Whether the UTF-8 bytes from `start` to `end` are one plain event. */
    read(bytes: Buffer, start: number, end: number): boolean {
      if (!reader.read(bytes, start, end)) return false
      if (reader.isThere(pkPlace) && !isTime(reader.numberOf(pkPlace))) return false
      return limits.length === 0 || isWithin()
    },
  }
}
