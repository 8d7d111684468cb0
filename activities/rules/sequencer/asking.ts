/** A failure that came sooner is that of its turn alone. */
const long_ms = 1_000
const held_ms = 1_500

/**
 * Asks what turns wait for, one after the other. A part that hangs fails only after many seconds, and each turn behind would
 * wait as long again: those that ask within a moment of such a failure get it at once.
 */
export function createAsking(now_ms = (): number => performance.now()) {
  let failed: { readonly error: unknown; readonly until_ms: number } | undefined
  return async function ask<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const began_ms = now_ms()
    if (failed && began_ms < failed.until_ms) throw failed.error
    try {
      return await work()
    } catch (error) {
      const ended_ms = now_ms()
      if (ended_ms - began_ms >= long_ms) failed = { error, until_ms: ended_ms + held_ms }
      throw error
    }
  }
}
