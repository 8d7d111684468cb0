import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom, type Random } from '../support/random/random.ts'
import type { Generation } from './loads/generation.ts'

/** Clients at work until they are stopped; an error of one, which is a fault of the campaign, comes with `stop`. */
export function startTraffic(generations: readonly Generation[], random: Random) {
  let isGoing = true
  const clients = generations.flatMap((generation) => generation.clients)
  const running = clients.flatMap(({ count, pause_ms, act }) =>
    Array.from({ length: count }, async () => {
      const own = createRandom(random.whole(0, 2 ** 31))
      while (isGoing) {
        await act(own)
        await sleep(own.next() * pause_ms)
      }
    }),
  )
  const all = Promise.all(running)
  all.catch(() => {})
  return {
    async stop(): Promise<void> {
      isGoing = false
      await all
    },
  }
}
