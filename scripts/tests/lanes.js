// Work beside each other: so many portions at a time, and of the heavy ones fewer.

/** @template Portion
 * @param {object} options
 * @param {Portion[]} options.portions in the order in which they are to begin
 * @param {(portion: Portion) => boolean} options.isHeavy
 * @param {number} options.most
 * @param {number} options.mostHeavy
 * @param {(portion: Portion) => Promise<void>} options.run */
export async function inLanes({ portions, isHeavy, most, mostHeavy, run }) {
  const waiting = [...portions]
  let heavy = 0
  const lane = async () => {
    for (;;) {
      const at = waiting.findIndex((portion) => heavy < mostHeavy || !isHeavy(portion))
      const [portion] = at < 0 ? [] : waiting.splice(at, 1)
      if (portion === undefined) return
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
  await Promise.all(Array.from({ length: most }, lane))
}
