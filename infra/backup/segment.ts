import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'

const pack = promisify(gzip)
const unpack = promisify(gunzip)

export type Kept = { readonly position: number; readonly value: Buffer }

const headBytes = 12
/** Of lines of JSON a seventh is left or less; a higher level takes three times as long for a tenth of that. */
const level = 1

/** Commits one behind the other, each with its position and length before it, packed by gzip: its checksum tells damage. */
export async function encodeSegment(commits: readonly Kept[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  for (const { position, value } of commits) {
    const head = Buffer.allocUnsafe(headBytes)
    head.writeDoubleBE(position, 0)
    head.writeUInt32BE(value.length, 8)
    pieces.push(head, value)
  }
  return pack(Buffer.concat(pieces), { level })
}

/** Throws where the bytes are not what was encoded. */
export async function decodeSegment(bytes: Buffer): Promise<Kept[]> {
  const whole = await unpack(bytes)
  const commits: Kept[] = []
  for (let at = 0; at < whole.length; ) {
    const position = whole.readDoubleBE(at)
    const length = whole.readUInt32BE(at + 8)
    at += headBytes
    if (at + length > whole.length) throw new Error('it ends amid a commit')
    commits.push({ position, value: whole.subarray(at, at + length) })
    at += length
  }
  return commits
}
