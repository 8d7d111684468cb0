import { setTimeout as sleep } from 'node:timers/promises'

const [first_ms, longest_ms, growth] = [5, 200, 1.3]
/** Machines of CI are a third as fast at times, and a wait there takes so much longer before it is given up. */
const slack = process.env.CI === undefined ? 1 : 3

/**
 * Asks again and again until `ask` answers something truthy, which it returns; an error after `timeout_ms`, in CI later. The pauses
 * grow: a caller that asks all the time takes the processor from the work that is waited for.
 */
export async function until<Value>(
  what: string,
  ask: () => Value | Promise<Value>,
  timeout_ms = 30_000,
): Promise<NonNullable<Value>> {
  const end = performance.now() + slack * timeout_ms
  for (let pause_ms = first_ms; ; pause_ms = Math.min(pause_ms * growth, longest_ms)) {
    const value = await ask()
    if (value) return value
    if (performance.now() > end) throw new Error(`${what}: not within ${slack * timeout_ms} ms`)
    await sleep(pause_ms)
  }
}
