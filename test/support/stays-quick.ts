import type { ExecutionContext } from 'ava'

/** Processor time that one text may take. Linear work on the largest takes a tenth of it, quadratic work hundreds of times. */
const most_ms = 4_000

/**
 * Fails where the work grows faster than the text: texts of 1, 2, 4 ... times the length are worked on, up to one of `most`
 * times, and none may take long. The first that does ends it, so that a test of exponential work ends, too.
 * @param work does it for a text of that many pieces; what it throws is an answer like another
 */
export function staysQuick(t: ExecutionContext, name: string, work: (pieces: number) => unknown, most: number): void {
  for (let pieces = 1; pieces <= most; pieces *= 2) {
    const begin = process.cpuUsage()
    try {
      work(pieces)
    } catch (error) {
      if (error instanceof RangeError) throw error
    }
    const { user, system } = process.cpuUsage(begin)
    const took_ms = (user + system) / 1000
    if (took_ms > most_ms) {
      t.fail(`${name}: ${pieces} pieces took ${Math.round(took_ms)} ms of the processor`)
      return
    }
  }
  t.pass()
}
