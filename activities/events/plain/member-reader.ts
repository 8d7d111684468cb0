import type { StoredAttribute } from '../../../sql/schema/columns.ts'
import { TokenCursor } from './token-cursor.ts'

const [quote, brace, braceEnd, colon, comma, firstOfTrue] = [0x22, 0x7b, 0x7d, 0x3a, 0x2c, 0x74]
/** Members that come in another order than lately cost a look at all names each: the max looks of an object. */
const maxSearches = 16
const nothing = Buffer.alloc(0)

export type MemberType = StoredAttribute['type']

export type PlainMember = { readonly name: string; readonly type: MemberType }

type Named = {
  readonly reads: (cursor: TokenCursor) => boolean
  /** The name and the quote behind it. */
  readonly quoted: Buffer
  /** Which member came behind this one lately. */
  next: number
}

const readers: Readonly<Record<MemberType, (cursor: TokenCursor) => boolean>> = {
  STRING: (cursor) => cursor.text(),
  LONG: (cursor) => cursor.long(),
  DOUBLE: (cursor) => cursor.double(),
  BOOL: (cursor) => cursor.bool(),
}

/**
 * Finds the tokens of flat objects that have no members but these, each once at most, with plain values of their types.
 * A question by place is about the object that `read` found last.
 */
export function createMemberReader(members: readonly PlainMember[]) {
  const cursor = new TokenCursor()
  const named = members.map(
    ({ name, type }, place): Named => ({ reads: readers[type], quoted: Buffer.from(`${name}"`), next: place + 1 }),
  )
  /** The places of members' tokens: 0 for a missing member, since a brace stands in front of all. */
  const starts = new Int32Array(members.length)
  const ends = new Int32Array(members.length)
  const numbers = new Float64Array(members.length)
  /** The member that came first lately. */
  let first = 0

  function isNamed({ quoted }: Named): boolean {
    const { bytes, at, end } = cursor
    if (at + quoted.length > end) return false
    for (let i = 0; i < quoted.length; i++) if (bytes[at + i] !== quoted[i]) return false
    return true
  }

  /** Reads members up to the brace that ends the object. */
  function readMembers(): boolean {
    let searches = 0
    let before: Named | undefined
    for (let place = first; ; ) {
      if (!cursor.takes(quote)) return false
      let member = named[place]
      if (member === undefined || !isNamed(member)) {
        if (++searches > maxSearches) return false
        place = named.findIndex(isNamed)
        member = named[place]
        if (member === undefined) return false
        if (before) before.next = place
        else first = place
      }
      if (starts[place] !== 0) return false
      cursor.at += member.quoted.length
      cursor.skipBlanks()
      if (!cursor.passes(colon)) return false
      const start = cursor.at
      if (!member.reads(cursor)) return false
      starts[place] = start
      ends[place] = cursor.at
      numbers[place] = cursor.number
      cursor.skipBlanks()
      if (cursor.passes(braceEnd)) return cursor.at === cursor.end
      if (!cursor.passes(comma)) return false
      before = member
      place = member.next
    }
  }

  return {
    /** Whether the UTF-8 bytes from `start` to `end` are such an object, blanks round it allowed. */
    read(bytes: Buffer, start: number, end: number): boolean {
      cursor.bytes = bytes
      cursor.at = start
      cursor.end = end
      starts.fill(0)
      cursor.skipBlanks()
      return cursor.passes(brace) && readMembers()
    },
    release(): void {
      cursor.bytes = nothing
      starts.fill(0)
    },
    /** Never at a place that no member has. */
    isThere: (place: number): boolean => (starts[place] ?? 0) !== 0,
    startOf: (place: number): number => starts[place] ?? 0,
    endOf: (place: number): number => ends[place] ?? 0,
    /** The number of a member that is there and of a numeric type. */
    numberOf: (place: number): number => numbers[place] ?? 0,
    valueOf(place: number): string | number | boolean {
      const type = members[place]?.type
      if (type === 'LONG' || type === 'DOUBLE') return numbers[place] ?? 0
      const start = starts[place] ?? 0
      if (type === 'BOOL') return cursor.bytes[start] === firstOfTrue
      return cursor.bytes.toString('utf8', start + 1, (ends[place] ?? 0) - 1)
    },
  }
}
