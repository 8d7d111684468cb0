import { eachHop, type HopRange, type HopText, hopText } from './hop-text.ts'
import type { Place } from './unique-count.ts'
import type { Hop, WindowStatistics } from './window-statistics.ts'

/**
 * The earlier hops of a window, a part of its own (`Place`): its generation, the number of the first one, and their blocks,
 * the oldest first. The members of a block stand in the ring itself, so that a reading goes over one list:
 *
 * - by how many hops the next block begins later, and how many of them have values;
 * - those as a text;
 * - those as one hop, where the statistics merge: what a window has of a whole block is read at once.
 *
 * Before there were blocks it had one text of all hops, and in Weir 0.1 of each hop the number and the items, one behind the
 * other.
 */
export type Ring = readonly [generation: number, start: number, ...blocks: unknown[]]

export const ringPart = 'hops'

/** That of generation 0, which the memory does not have. */
export const noRing: Ring = [0, 0]
const firstBlock = noRing.length

/** The places of the members of a block. */
const [ofSpan, ofHops, ofText, ofTogether] = [0, 1, 2, 3]

/** The hops of a block, and characters at most where it grows. */
export const maxBlock = { hops: 12, characters: 1_000 }

/** Beyond it the oldest blocks go: a key whose clock is ahead has hops of two times. Up to 64 more are behind the ring. */
const maxHops = 1_024 - 64

const hasBlocks = (found: readonly unknown[]): found is Ring =>
  found.length === firstBlock || typeof found[firstBlock + ofText] === 'string'

export function createRings({ width, merge, together }: WindowStatistics) {
  const entry = 1 + width
  const size = merge ? ofTogether + width : ofTogether
  const everyHop: HopRange = { first: Number.NEGATIVE_INFINITY, last: Number.POSITIVE_INFINITY, width }
  /** Rings of before there were blocks, which stay as they are until their next change. */
  const converted = new WeakMap<readonly unknown[], Ring>()

  /** The members of the block of a text of hops, behind which `next` is the first one. */
  function blockOf(of: HopText, next: number): unknown[] {
    let hops = 0
    let fold: unknown
    eachHop(of, everyHop, (hop) => {
      hops++
      fold = merge?.(fold, hop, 0)
    })
    const block = [next - of.start, hops, of.text]
    return merge ? [...block, ...together(fold)] : block
  }

  /** A list of hops, each its number and its items, as a ring. `next`: the number of the hop behind them. */
  function ringOf(generation: number, hops: readonly unknown[], next: number): Ring {
    const blocks: unknown[] = []
    for (let from = 0; from < hops.length; from += maxBlock.hops * entry) {
      const to = Math.min(hops.length, from + maxBlock.hops * entry)
      let text = ''
      for (let at = from; at < to; at += entry)
        text += hopText(hops.slice(at + 1, at + entry), Number(hops[at + entry] ?? next) - Number(hops[at]))
      blocks.push(...blockOf({ start: Number(hops[from]), text }, Number(hops[to] ?? next)))
    }
    return [generation, Number(hops[0] ?? next), ...blocks]
  }

  function textsIn(ring: Ring, range: HopRange, visit: (hop: Hop, number: number) => void): void {
    let start = ring[1]
    for (let at = firstBlock; at < ring.length && start <= range.last; at += size) {
      const next = start + Number(ring[at + ofSpan])
      if (next > range.first) eachHop({ start, text: String(ring[at + ofText]) }, range, visit)
      start = next
    }
  }

  /** The hops of a range, each its number and its items. */
  function hopsOf(ring: Ring, range: HopRange): unknown[] {
    const hops: unknown[] = []
    textsIn(ring, range, (hop, number) => hops.push(number, ...hop))
    return hops
  }

  /** A ring as it was written before there were blocks. */
  function convert(found: readonly unknown[], next: number): Ring {
    const known = converted.get(found)
    if (known) return known
    let hops = found.slice(1)
    if (typeof found[2] === 'string') {
      hops = []
      eachHop({ start: Number(found[1]), text: found[2] }, everyHop, (hop, number) => hops.push(number, ...hop))
    }
    const ring = ringOf(Number(found[0]), hops, next)
    converted.set(found, ring)
    return ring
  }

  /** Keeps the blocks that have hops not older than `oldest`; answers their generation. */
  function keep(place: Place, ring: Ring, oldest: number): number {
    const [generation] = ring
    let start = ring[1]
    let hops = 0
    for (let at = firstBlock; at < ring.length; at += size) hops += Number(ring[at + ofHops])
    let first = firstBlock
    while (first < ring.length && (start + Number(ring[first + ofSpan]) <= oldest || hops > maxHops)) {
      start += Number(ring[first + ofSpan])
      hops -= Number(ring[first + ofHops])
      first += size
    }
    if (first === ring.length) {
      if (generation !== 0) place.set(ringPart, undefined)
      return 0
    }
    const kept = generation === 0 ? place.seq : generation
    place.set(ringPart, [kept, start, ...ring.slice(first)] satisfies Ring)
    return kept
  }

  return {
    hopsOf,

    /** The ring of a generation, behind whose hops `next` is the first one; undefined where the memory has forgotten it. */
    at(place: Place, generation: number, next: number): Ring | undefined {
      if (generation === 0) return noRing
      const found = place.value(ringPart) as readonly unknown[] | undefined
      if (found?.[0] !== generation) return undefined
      return hasBlocks(found) ? found : convert(found, next)
    },

    /** Visits the hops of a range at their place in a list: those of a whole block as one, where the statistics merge. */
    each(ring: Ring, range: HopRange, visit: (list: readonly unknown[], at: number) => void): void {
      const alone = (hop: Hop): void => visit(hop, 0)
      if (!merge) {
        textsIn(ring, range, alone)
        return
      }
      let start = ring[1]
      for (let at = firstBlock; at < ring.length && start <= range.last; at += size) {
        const next = start + Number(ring[at + ofSpan])
        if (start >= range.first && next - 1 <= range.last) visit(ring, at + ofTogether)
        else if (next > range.first) eachHop({ start, text: String(ring[at + ofText]) }, range, alone)
        start = next
      }
    },

    /** Writes these hops, each its number and its items, in place of those of a generation; answers theirs. */
    write(
      place: Place,
      generation: number,
      hops: readonly unknown[],
      { oldest, next }: { readonly oldest: number; readonly next: number },
    ): number {
      return keep(place, ringOf(generation, hops, next), oldest)
    },

    /** Hops behind those of a ring; answers its generation. */
    append(
      place: Place,
      ring: Ring,
      hops: HopText,
      { oldest, next }: { readonly oldest: number; readonly next: number },
    ): number {
      const all: [number, number, ...unknown[]] = ring === noRing ? [0, hops.start] : [...ring]
      const last = all.length - size
      const block = blockOf(hops, next)
      const before = String(all[last + ofText])
      if (merge || last < firstBlock || before.length + hops.text.length > maxBlock.characters) all.push(...block)
      else {
        all[last + ofSpan] = Number(all[last + ofSpan]) + Number(block[ofSpan])
        all[last + ofHops] = Number(all[last + ofHops]) + Number(block[ofHops])
        all[last + ofText] = before + hops.text
      }
      return keep(place, all, oldest)
    },
  }
}
