import { cityHash64 } from '../../../base/city-hash.ts'
import type { AttributeType } from '../../../sql/schema/schema.ts'
import type { Scalar } from '../../events/values.ts'

/**
 * How many different values there were. Up to 4,096 they are told apart by their hashes, which is exact, as it is in
 * ClickHouse's sketch. Beyond that registers keep the greatest rank of the hashes that fell to them (HyperLogLog), and the
 * count grows with each register that does, by the reciprocal of the chance of it (Ting, "Streamed approximate counting of
 * distinct elements", 2014): 0.2 % of deviation.
 */
export type UniqueCount =
  | readonly [kind: 'few', hashes: readonly number[]]
  /** The hashes stand in parts. `there`: a bit for each part that has some. */
  | readonly [kind: 'some', count: number, generation: number, there: bigint]
  /** The registers stand in parts. `chance`: that a value that was not there yet changes one. */
  | readonly [kind: 'many', count: number, generation: number, chance: number]

/**
 * Parts of the state that stand by themselves, so that a change writes one of them. The memory may forget a part before the row,
 * or the row before its parts. So a part begins with the generation of its row, the `seq` of the event at which the row got
 * parts: a part of another generation counts as not there.
 */
export type Place = {
  readonly seq: number
  value(part: string): unknown
  set(part: string, value: unknown): void
  /** About when the event at hand came, in microseconds. */
  now(): number
}

const maxFew = 64
const maxExact = 4_096
const hashParts = 64
const registers = 2 ** 17
const partSize = 128
const hashBits = 53
const maxRank = hashBits - 17 + 1

type Many = UniqueCount & { readonly 0: 'many' }

export const noValues: UniqueCount = ['few', []]

/** The lower bits of ClickHouse's own hash of a value. */
export const hashers: Readonly<Record<AttributeType, (value: Scalar) => number>> = {
  STRING: (value) => lower(cityHash64(Buffer.from(String(value)))),
  OBJECT: (value) => lower(cityHash64(Buffer.from(String(value)))),
  LONG: (value) => lower(intHash64(BigInt(value))),
  BOOL: (value) => lower(intHash64(value === true ? 1n : 0n)),
  DOUBLE: (value) => {
    const bits = Buffer.alloc(8)
    bits.writeDoubleLE(Number(value) + 0)
    return lower(intHash64(bits.readBigUInt64LE()))
  },
}

const lower = (hash: bigint): number => Number(BigInt.asUintN(hashBits, hash))

/** ClickHouse's hash of a whole number, or of the bits of a double. */
export function intHash64(value: bigint): bigint {
  const mixed = (bits: bigint): bigint => bits ^ (bits >> 33n)
  const once = BigInt.asUintN(64, mixed(BigInt.asUintN(64, value)) * 0xff51afd7ed558ccdn)
  return mixed(BigInt.asUintN(64, mixed(once) * 0xc4ceb9fe1a85ec53n))
}

const partOf = (hash: number): number => Math.floor(hash / registers) % hashParts

/** The generation, and behind it the hashes or registers of a part; undefined where the memory has no such part. */
function partAt(place: Place, part: string, generation: number): readonly number[] | undefined {
  const found = place.value(part) as readonly number[] | undefined
  return found?.[0] === generation ? found : undefined
}

/** The state with one value more; undefined where the memory has forgotten a part that is needed for that. */
export function withHash(state: UniqueCount, hash: number, place: Place): UniqueCount | undefined {
  if (state[0] === 'many') return raised(state, hash, place)
  if (state[0] === 'few') {
    const [, hashes] = state
    if (hashes.includes(hash)) return state
    if (hashes.length < maxFew) return ['few', [...hashes, hash]]
    let some: UniqueCount | undefined = ['some', 0, place.seq, 0n]
    for (const each of [...hashes, hash]) some = some && withHash(some, each, place)
    return some
  }
  const [, count, generation, there] = state
  const part = partOf(hash)
  const known = hasPart(there, part) ? partAt(place, `h${part}`, generation) : [generation]
  if (!known) return undefined
  if (known.includes(hash, 1)) return state
  if (count >= maxExact) {
    const many = toRegisters(state, place)
    return many && raised(many, hash, place)
  }
  place.set(`h${part}`, [...known, hash])
  return ['some', count + 1, generation, there | (1n << BigInt(part))]
}

const hasPart = (there: bigint, part: number): boolean => ((there >> BigInt(part)) & 1n) === 1n

export const countOf = (state: UniqueCount): number => (state[0] === 'few' ? state[1].length : Math.round(state[1]))

/** The trailing zeros of the bits behind the register's number, and one. */
function rankOf(hash: number): number {
  let rest = Math.floor(hash / registers)
  if (rest === 0) return maxRank
  let rank = 1
  for (; rest % 2 === 0; rest /= 2) rank++
  return rank
}

function toRegisters(
  [, count, generation, there]: UniqueCount & { readonly 0: 'some' },
  place: Place,
): Many | undefined {
  const ranks = new Uint8Array(registers)
  for (let part = 0; part < hashParts; part++) {
    if (!hasPart(there, part)) continue
    const found = partAt(place, `h${part}`, generation)
    if (!found) return undefined
    for (const hash of found.slice(1)) {
      const register = hash % registers
      ranks[register] = Math.max(ranks[register] ?? 0, rankOf(hash))
    }
    place.set(`h${part}`, undefined)
  }
  return keepRegisters(count, generation, ranks, place)
}

function keepRegisters(count: number, generation: number, ranks: Uint8Array, place: Place): Many {
  let chance = 0
  for (const rank of ranks) chance += 2 ** -rank / registers
  for (let from = 0; from < registers; from += partSize) {
    place.set(`r${from / partSize}`, [generation, ...ranks.subarray(from, from + partSize)])
  }
  return ['many', count, generation, chance]
}

function raised(state: Many, hash: number, place: Place): UniqueCount | undefined {
  const [, count, generation, chance] = state
  const register = hash % registers
  const [part, index] = [`r${Math.floor(register / partSize)}`, 1 + (register % partSize)]
  const ranks = partAt(place, part, generation)
  if (!ranks) return undefined
  const [known, rank] = [ranks[index] ?? 0, rankOf(hash)]
  if (rank <= known) return state
  place.set(part, ranks.with(index, rank))
  return ['many', count + 1 / chance, generation, chance + (2 ** -rank - 2 ** -known) / registers]
}

/**
 * Goes on with a sketch of ClickHouse's (uniqCombined64 of a Nullable value): a byte that says whether there was a value,
 * one that says how the values are kept, and the hashes, their number in front, or the registers of six bits each.
 */
export function uniqueFrom(count: number, hex: string, place: Place): UniqueCount {
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length >= 2 && bytes[0] !== 0 && bytes[1] === 3)
    return keepRegisters(count, place.seq, unpacked(bytes.subarray(2)), place)
  let state: UniqueCount | undefined = noValues
  for (const hash of hashesIn(bytes)) state = state && withHash(state, hash, place)
  // The parts were written a moment ago.
  return state ?? noValues
}

function* hashesIn(bytes: Buffer): Generator<number> {
  if (bytes.length < 2 || bytes[0] === 0) return
  let at = 2
  while ((bytes[at] ?? 0) >= 0x80) at++
  for (at++; at + 8 <= bytes.length; at += 8) yield lower(bytes.readBigUInt64LE(at))
}

/** Registers of a sketch in place of hashes stand for values that no other sketch has. */
const standIn = (register: number, rank: number): number => (registers * 2 ** (rank - 1) + register) % 2 ** hashBits

/** The hashes of a sketch of ClickHouse's; of one that has registers a hash for each, of which that register would follow. */
export function hashesFrom(hex: string): number[] {
  const bytes = Buffer.from(hex, 'hex')
  if (bytes.length < 2 || bytes[0] === 0 || bytes[1] !== 3) return [...hashesIn(bytes)]
  return [...unpacked(bytes.subarray(2))].flatMap((rank, register) => (rank > 0 ? [standIn(register, rank)] : []))
}

function unpacked(packed: Buffer): Uint8Array {
  const ranks = new Uint8Array(registers)
  for (let register = 0; register < registers; register++) {
    const bit = register * 6
    const two = (packed[bit >> 3] ?? 0) | ((packed[(bit >> 3) + 1] ?? 0) << 8)
    ranks[register] = Math.min(maxRank, (two >> (bit & 7)) & 63)
  }
  return ranks
}
