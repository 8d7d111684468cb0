/** Lines for several queues, in the order in which they are added. */
export function createLineGatherer() {
  const byQueue = new Map<string, { text: string; rows: number }>()
  return {
    add(queue: string, line: string): void {
      const known = byQueue.get(queue)
      if (known === undefined) byQueue.set(queue, { text: line, rows: 1 })
      else {
        known.text += line
        known.rows++
      }
    },
    /** The lines of one queue, and of the others. */
    of(queue: string): { readonly lines: Buffer; readonly rows: number } {
      const { text, rows } = byQueue.get(queue) ?? { text: '', rows: 0 }
      return { lines: Buffer.from(text), rows }
    },
    besides: (queue: string): { readonly queue: string; readonly lines: Buffer; readonly rows: number }[] =>
      [...byQueue].flatMap(([name, { text, rows }]) =>
        name === queue ? [] : [{ queue: name, lines: Buffer.from(text), rows }],
      ),
  }
}

export type LineGatherer = ReturnType<typeof createLineGatherer>
