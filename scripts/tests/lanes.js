// Work beside each other: so many portions at a time, and of the heavy ones fewer.

/** @template Portion
 * @param {object} options
 * @param {Portion[]} options.portions in the order in which they are to begin
 * @param {(portion: Portion) => boolean} options.isHeavy
 * @param {number} options.sure so many lanes run whatever the machine does
 * @param {number} options.most and so many where `hasRoom` says so before each portion
 * @param {number} options.maxHeavy
 * @param {() => Promise<boolean>} options.hasRoom takes its time to find out
 * @param {(portion: Portion) => Promise<unknown> | undefined} [options.ready] resolves once it may begin; undefined is at once
 * @param {(portion: Portion) => Promise<void>} options.run */
export async function inLanes({ portions, isHeavy, sure, most, maxHeavy, hasRoom, run, ready = () => undefined }) {
  const waiting = [...portions]
  /** @type {Map<Portion, Promise<unknown>>} */
  const unready = new Map()
  for (const portion of portions) {
    const prepared = ready(portion)?.finally(() => unready.delete(portion))
    if (prepared) unready.set(portion, prepared)
  }
  let heavy = 0
  /** @param {number} number */
  const lane = async (number) => {
    for (;;) {
      while (number >= sure && waiting.length > 0) if (await hasRoom()) break
      const at = waiting.findIndex((portion) => !unready.has(portion) && (heavy < maxHeavy || !isHeavy(portion)))
      const [portion] = at < 0 ? [] : waiting.splice(at, 1)
      if (portion === undefined) {
        const next = waiting.flatMap((each) => unready.get(each) ?? [])
        if (next.length === 0) return
        await Promise.race(next)
        continue
      }
      if (!isHeavy(portion)) {
        await run(portion)
        continue
      }
      heavy++
      await run(portion)
      heavy--
    }
  }
  // A lane that finds only heavy ones ends; the lanes that run heavy ones take those.
  await Promise.all(Array.from({ length: most }, (_, number) => lane(number)))
}
