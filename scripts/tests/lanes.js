// Work beside each other: so many portions at a time, and of the heavy ones fewer.

/** @template Portion
 * @param {object} options
 * @param {Portion[]} options.portions in the order in which they are to begin
 * @param {(portion: Portion) => boolean} options.isHeavy
 * @param {number} options.sure so many lanes run whatever the machine does
 * @param {number} options.most and so many where `hasRoom` says so before each portion
 * @param {number} options.maxHeavy
 * @param {() => Promise<boolean>} options.hasRoom takes its time to find out
 * @param {(portion: Portion) => boolean} [options.waits] whether it may begin only once all is `prepared`
 * @param {Promise<unknown>} [options.prepared]
 * @param {(portion: Portion) => Promise<void>} options.run */
export async function inLanes({
  portions,
  isHeavy,
  sure,
  most,
  maxHeavy,
  hasRoom,
  run,
  waits = () => false,
  prepared,
}) {
  const waiting = [...portions]
  let heavy = 0
  let isPrepared = prepared === undefined
  const preparing = prepared?.finally(() => (isPrepared = true))
  /** @param {number} number */
  const lane = async (number) => {
    for (;;) {
      while (number >= sure && waiting.length > 0) if (await hasRoom()) break
      const at = waiting.findIndex(
        (portion) => (isPrepared || !waits(portion)) && (heavy < maxHeavy || !isHeavy(portion)),
      )
      const [portion] = at < 0 ? [] : waiting.splice(at, 1)
      if (portion === undefined) {
        if (isPrepared || !waiting.some(waits)) return
        await preparing
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
