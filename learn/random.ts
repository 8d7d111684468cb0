/** Repeatable numbers for whatever learns by chance. */
export type Random = {
  /** Uniform in [0, 1), 53 bits. */
  readonly uniform: () => number
  /** An integer from 0 up to but without `limit`, which is at most 2^32. */
  readonly below: (limit: number) => number
}

/** xoshiro128** (Blackman and Vigna, 2018), its state filled from the seed by splitmix32. */
export function createRandom(seed: number): Random {
  const fill = splitmix(seed)
  let [a, b, c, d] = [fill(), fill(), fill(), fill()]

  const next = (): number => {
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotate(d, 11)
    return result
  }
  return {
    uniform: () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) / 2 ** 53,
    below: (limit) => Math.floor((next() / 2 ** 32) * limit),
  }
}

/** Shuffles the first `size` entries among themselves (Fisher and Yates). */
export function shuffle(entries: Int32Array, random: Random, size = entries.length): void {
  draw(entries.subarray(0, size), random, size)
}

/** Brings a uniform sample of all entries to the front, in random order; the others stay behind it. */
export function draw(entries: Int32Array, random: Random, count: number): void {
  for (let i = 0; i < count; i++) {
    const j = i + random.below(entries.length - i)
    const swapped = entries[i] ?? 0
    entries[i] = entries[j] ?? 0
    entries[j] = swapped
  }
}

function rotate(word: number, bits: number): number {
  return (word << bits) | (word >>> (32 - bits))
}

function splitmix(seed: number): () => number {
  let state = seed ^ Math.imul(Math.floor(seed / 2 ** 32), 0x85ebca6b)
  return () => {
    state = (state + 0x9e3779b9) | 0
    let word = Math.imul(state ^ (state >>> 16), 0x21f0aaad)
    word = Math.imul(word ^ (word >>> 15), 0x735a2d97)
    return word ^ (word >>> 15)
  }
}
