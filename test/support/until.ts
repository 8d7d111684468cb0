import { setTimeout as after } from 'node:timers/promises'

/** Asks again and again until `ask` answers something truthy, which it returns; an error after `timeout_ms`. */
export async function until<Value>(
  what: string,
  ask: () => Value | Promise<Value>,
  timeout_ms = 10_000,
): Promise<NonNullable<Value>> {
  const end = performance.now() + timeout_ms
  for (;;) {
    const value = await ask()
    if (value) return value
    if (performance.now() > end) throw new Error(`${what}: not within ${timeout_ms} ms`)
    await after(5)
  }
}
