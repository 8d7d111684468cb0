import { type HopText, hopText, withoutOld } from './hop-text.ts'
import type { Place } from './unique-count.ts'

/**
 * The earlier hops of a window, a part of its own (`Place`): its generation, the number of the first one, and their text.
 * Weir 0.1 had of each hop the number and the items, one behind the other.
 */
export type Ring = readonly [generation: number, start: number, text: string]

export const ringPart = 'hops'

/** That of generation 0, which the memory does not have. */
export const noRing: Ring = [0, 0, '']

/** Beyond it the oldest go: a key whose clock is ahead has hops of two times. Up to 64 more are behind the ring. */
const maxHops = 1_024 - 64

/** `width`: how many items a hop has. */
export function createRings(width: number) {
  const entry = 1 + width
  /** Rings of 0.1, which stay as they are until their next change. */
  const converted = new WeakMap<readonly unknown[], Ring>()

  /** The text of a list of hops, each its number and its items. `next`: the number of the hop behind them. */
  function textOf(hops: readonly unknown[], next: number): HopText {
    let text = ''
    for (let at = 0; at < hops.length; at += entry) {
      const number = Number(hops[at])
      text += hopText(hops.slice(at + 1, at + entry), Number(hops[at + entry] ?? next) - number)
    }
    return { start: Number(hops[0] ?? next), text }
  }

  return {
    textOf,

    /** The ring of a generation, behind whose hops `next` is the first one; undefined where the memory has forgotten it. */
    at(place: Place, generation: number, next: number): Ring | undefined {
      if (generation === 0) return noRing
      const found = place.value(ringPart) as Ring | readonly unknown[] | undefined
      if (found?.[0] !== generation) return undefined
      if (typeof found[2] === 'string') return found as Ring
      const known = converted.get(found)
      if (known) return known
      const { start, text } = textOf(found.slice(1), next)
      const ring: Ring = [generation, start, text]
      converted.set(found, ring)
      return ring
    },

    /** Keeps the hops that are not older than `oldest` as the ring; answers its generation. */
    keep(
      place: Place,
      generation: number,
      hops: HopText,
      { oldest, next }: { readonly oldest: number; readonly next: number },
    ): number {
      const { start, text } = withoutOld(hops, { first: oldest, next, width, most: maxHops })
      if (text === '') {
        if (generation !== 0) place.set(ringPart, undefined)
        return 0
      }
      const kept = generation === 0 ? place.seq : generation
      place.set(ringPart, [kept, start, text] satisfies Ring)
      return kept
    },
  }
}
