import { fault } from '../../base/faults.ts'

/** Downloads at once: each holds a file, or a connection to the object store, for as long as its client takes to read. */
const usual = { max: 256, ofOne: 192 }

/** The places of all downloads of this process; those of one key or address are fewer, so that one does not take all. */
export function createDownloads({ max, ofOne } = usual) {
  const users = new Map<string, number>()
  let count = 0

  return {
    /** Takes a place, or throws a fault `limited`. Returns what gives it back, once. */
    enter(user: string): () => void {
      const own = users.get(user) ?? 0
      if (count >= max) throw full(`${max} downloads are under way, which is the most`)
      if (own >= ofOne) throw full(`${own} downloads of this key or address are under way, of ${max} in all`)
      users.set(user, own + 1)
      count++
      let hasLeft = false
      return () => {
        if (hasLeft) return
        hasLeft = true
        count--
        const left = (users.get(user) ?? 1) - 1
        if (left === 0) users.delete(user)
        else users.set(user, left)
      }
    },
  }
}

export type Downloads = ReturnType<typeof createDownloads>

const full = (text: string) =>
  fault('limited', `${text}: read those to their ends first, and try again`, { retryAfter: 5 })
