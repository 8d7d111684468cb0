const utf8 = new TextEncoder()

/** MurmurHash3 x86 32 bit (Austin Appleby, public domain) of UTF-8, seed 0: the result of ONNX Runtime's operator MurmurHash3. */
export function murmur3(text: string): number {
  const bytes = utf8.encode(text)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const whole = bytes.length - (bytes.length % 4)
  let hash = 0
  for (let at = 0; at < whole; at += 4) {
    hash ^= mix(view.getUint32(at, true))
    hash = (Math.imul(rotate(hash, 13), 5) + 0xe6546b64) | 0
  }
  let tail = 0
  for (let at = bytes.length - 1; at >= whole; at -= 1) tail = (tail << 8) | view.getUint8(at)
  if (whole < bytes.length) hash ^= mix(tail)
  hash ^= bytes.length
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits))

const mix = (word: number): number => Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593)
