/**
 * The numbers of the C library's rand() on Linux (additive feedback, x[i] = x[i-3] + x[i-31]), 0 to 2^31 - 1:
 * with seed 1 folds are the ones that svm-train draws, so probabilities can be compared with its.
 */
export function createLibcRandom(seed: number): () => number {
  const state = new Uint32Array(31)
  let word = seed === 0 ? 1 : seed
  for (let i = 0; i < 31; i++) {
    state[i] = word
    word = (16807 * word) % 2147483647
    if (word < 0) word += 2147483647
  }
  let at = 3
  const next = (): number => {
    const sum = ((state[at] ?? 0) + (state[(at + 28) % 31] ?? 0)) >>> 0
    state[at] = sum
    at = (at + 1) % 31
    return sum >>> 1
  }
  for (let i = 0; i < 310; i++) next()
  return next
}

/** A random order of 0..length. */
export function shuffled(length: number, random: () => number): Int32Array {
  const order = Int32Array.from({ length }, (_, i) => i)
  for (let i = 0; i < length; i++) {
    const j = i + (random() % (length - i))
    const value = order[i] ?? 0
    order[i] = order[j] ?? 0
    order[j] = value
  }
  return order
}
