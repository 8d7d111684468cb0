/** The partition of a key, where Kafka's own clients put it: murmur2 of its UTF-8 bytes. */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key)) & 0x7fffffff) % partitions
}

const multiplier = 0x5bd1e995
const seed = 0x9747b28c

/** MurmurHash2 for 32 bits (Austin Appleby), little-endian. */
function murmur2(bytes: Buffer): number {
  const { length } = bytes
  const whole = length - (length % 4)
  let hash = seed ^ length
  for (let at = 0; at < whole; at += 4) {
    const mixed = Math.imul(bytes.readInt32LE(at), multiplier)
    hash = Math.imul(hash, multiplier) ^ Math.imul(mixed ^ (mixed >>> 24), multiplier)
  }
  if (whole < length) {
    hash = Math.imul(hash ^ bytes.readUIntLE(whole, length - whole), multiplier)
  }
  hash = Math.imul(hash ^ (hash >>> 13), multiplier)
  return hash ^ (hash >>> 15)
}
