const offset = 0x811c9dc5
const prime = 0x01000193

/** FNV-1a of 32 bits over UTF-8 (Fowler, Noll and Vo), which any language redoes in three lines. Goes on from `state`. */
export function hashText(text: string, state = offset): number {
  let hash = state
  for (let at = 0; at < text.length; at += 1) {
    const point = text.codePointAt(at) ?? 0
    if (point > 0xffff) at += 1
    hash = hashPoint(point, hash)
  }
  return hash
}

/** Goes on from `hash` by the UTF-8 of one code point; half of a surrogate pair counts as U+FFFD, as in TextEncoder. */
export function hashPoint(codePoint: number, hash: number): number {
  if (codePoint < 0x80) return Math.imul(hash ^ codePoint, prime)
  const point = codePoint >= 0xd800 && codePoint <= 0xdfff ? 0xfffd : codePoint
  if (point < 0x800) return tail(point, 0, Math.imul(hash ^ (0xc0 | (point >> 6)), prime))
  if (point < 0x10000) return tail(point, 6, Math.imul(hash ^ (0xe0 | (point >> 12)), prime))
  return tail(point, 12, Math.imul(hash ^ (0xf0 | (point >> 18)), prime))
}

/** The bytes of UTF-8 after the first, six bits each. */
function tail(point: number, shift: number, start: number): number {
  let hash = start
  for (let bits = shift; bits >= 0; bits -= 6) hash = Math.imul(hash ^ (0x80 | ((point >> bits) & 0x3f)), prime)
  return hash
}

/** One of 2^bits buckets: the hash's upper bits folded onto its lower ones. */
export const bucketOf = (hash: number, bits: number): number => ((hash >>> bits) ^ hash) & (2 ** bits - 1)
