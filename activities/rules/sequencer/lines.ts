import { LineBuffer } from '../../events/plain/line-buffer.ts'

const usualBytes = 1024

type Gathered = { readonly buffer: LineBuffer; rows: number }

/** Lines for several queues, in the order in which they are added; those of `queue` have about so many bytes. */
export function createLineGatherer(queue: string, bytes: number) {
  const own: Gathered = { buffer: new LineBuffer(bytes), rows: 0 }
  const others = new Map<string, Gathered>()

  function gatheredOf(name: string): Gathered {
    if (name === queue) return own
    const known = others.get(name)
    if (known) return known
    const made: Gathered = { buffer: new LineBuffer(usualBytes), rows: 0 }
    others.set(name, made)
    return made
  }

  return {
    add(name: string, line: string): void {
      const gathered = gatheredOf(name)
      gathered.buffer.text(line)
      gathered.rows++
    },
    /** Takes a line of `queue` that `write` writes, unless it says that it did not. */
    addOwn(write: (buffer: LineBuffer) => boolean): boolean {
      if (!write(own.buffer)) return false
      own.rows++
      return true
    },
    own: () => ({ lines: own.buffer.taken(), rows: own.rows }),
    others: () => [...others].map(([name, { buffer, rows }]) => ({ queue: name, lines: buffer.taken(), rows })),
  }
}

export type LineGatherer = ReturnType<typeof createLineGatherer>
