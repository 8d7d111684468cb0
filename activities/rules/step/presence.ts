import type { RuleState } from '../../../infra/memory/state.ts'

/** A node has one bit for each of its children. */
const fanOut = 32
const maxIndex = Number.MAX_SAFE_INTEGER
const nodeKey = (level: number, index: number): string => `p${level}:${index}`

/** The place of the lowest bit. */
const lowest = (mask: number): number => 31 - Math.clz32(mask & -mask)

/**
 * Which of many indexes there are, as a tree of bits: the next one behind a gap of any length is found by few looks. A node
 * that has no child is not there.
 */
export function createPresence(space: string, greatest = maxIndex) {
  const levels = Math.ceil(Math.log(greatest + 1) / Math.log(fanOut))
  const maskOf = (state: RuleState, level: number, index: number): number =>
    (state.value(space, nodeKey(level, index)) as number | undefined) ?? 0

  /** The first one under a node. */
  function firstUnder(state: RuleState, level: number, index: number): number | undefined {
    let found = index
    for (let at = level; at > 0; at--) {
      const mask = maskOf(state, at, found)
      if (mask === 0) return undefined
      found = found * fanOut + lowest(mask)
    }
    return found
  }

  return {
    add(state: RuleState, added: number): void {
      let index = added
      for (let level = 1; level <= levels; level++) {
        const bit = 1 << (index % fanOut)
        index = Math.floor(index / fanOut)
        const mask = maskOf(state, level, index)
        if ((mask & bit) === 0) state.set(space, nodeKey(level, index), mask | bit)
        // The levels above know of it.
        if (mask !== 0) return
      }
    },

    remove(state: RuleState, removed: number): void {
      let index = removed
      for (let level = 1; level <= levels; level++) {
        const bit = 1 << (index % fanOut)
        index = Math.floor(index / fanOut)
        const mask = maskOf(state, level, index) & ~bit
        state.set(space, nodeKey(level, index), mask === 0 ? undefined : mask)
        if (mask !== 0) return
      }
    },

    /** The first one from `from` on; undefined where there is none. */
    nextFrom(state: RuleState, from: number): number | undefined {
      let [index, bit] = [Math.floor(from / fanOut), from % fanOut]
      for (let level = 1; level <= levels; level++) {
        const mask = bit < fanOut ? maskOf(state, level, index) & (-1 << bit) : 0
        if (mask !== 0) return firstUnder(state, level - 1, index * fanOut + lowest(mask))
        ;[index, bit] = [Math.floor(index / fanOut), (index % fanOut) + 1]
      }
      return undefined
    },
  }
}
