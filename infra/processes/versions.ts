import type { Clock } from '../clock.ts'

/** Versions of schemas, states and tables: each greater than all that this process knows of, its own and others'. */
export function createVersions(clock: Clock) {
  let seen = 0
  let last = 0
  return {
    next(): number {
      last = Math.max(clock.next(), last + 1, seen + 1)
      return last
    },
    /** The version up to which this process has followed the catalogue. */
    seen: () => seen,
    saw(version: number): void {
      seen = Math.max(seen, version)
    },
  }
}

export type Versions = ReturnType<typeof createVersions>
