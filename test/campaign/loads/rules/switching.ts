/** Times, of this process's clock, between which a stream was OFF for an event: for sure, and perhaps. */
type Off = { readonly asked: number; done: number; asking: number; on: number }

/** The times at which a stream went OFF and ON again. */
export function createSwitching() {
  const offs: Off[] = []
  return {
    /** `off` and `on` resolve once they are answered. */
    async turn(
      off: () => Promise<unknown>,
      meanwhile: () => Promise<unknown>,
      on: () => Promise<unknown>,
    ): Promise<void> {
      const one: Off = { asked: performance.now(), done: Infinity, asking: Infinity, on: Infinity }
      offs.push(one)
      await off()
      one.done = performance.now()
      await meanwhile()
      one.asking = performance.now()
      await on()
      one.on = performance.now()
    },
    /** Whether an event that was sent and answered at these times came while the stream was ON; undefined where both may be. */
    wasOn(sent: number, answered: number): boolean | undefined {
      if (offs.some(({ done, asking }) => sent > done && answered < asking)) return false
      return offs.every(({ asked, on }) => answered < asked || sent > on) ? true : undefined
    },
  }
}
