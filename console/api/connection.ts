/** Whether the service answers. Where it does not, it is asked again and again; calls that wait go on once it is there. */
import { signal } from '@preact/signals'

/** The time since which the service has not answered. */
export const awaySince = signal<Date | undefined>(undefined)
/** Grows each time that the service is there again: what a page shows is asked for anew. */
export const returns = signal(0)

const pauses_ms = [500, 1000, 2000, 3000]
let isAsking = false

export function notReached(): void {
  awaySince.value ??= new Date()
  if (!isAsking) void askOn()
}

/** A service that starts answers 503 to everything. */
export function answered(status: number): void {
  if (awaySince.value === undefined || status === 503) return
  awaySince.value = undefined
  returns.value++
}

/** Resolves once the service answers, at once where it does. */
export function isThere(gone?: AbortSignal): Promise<void> {
  if (awaySince.value === undefined) return Promise.resolve()
  return new Promise((resolve) => {
    const end = awaySince.subscribe((since) => {
      if (since === undefined) finish()
    })
    gone?.addEventListener('abort', finish)
    function finish(): void {
      gone?.removeEventListener('abort', finish)
      queueMicrotask(() => end())
      resolve()
    }
  })
}

async function askOn(): Promise<void> {
  isAsking = true
  for (let tries = 0; awaySince.value !== undefined; tries++) {
    await new Promise((resolve) => setTimeout(resolve, pauses_ms[Math.min(tries, pauses_ms.length - 1)]))
    const status = await fetch('/console/session', { cache: 'no-store', headers: { 'x-weir-console': '1' } }).then(
      (response) => response.status,
      () => 503,
    )
    answered(status)
  }
  isAsking = false
}
