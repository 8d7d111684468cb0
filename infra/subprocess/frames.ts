// The frames between this process and a companion: a frame is its length, a header as JSON, and parts of plain bytes,
// so that numbers are never written as text. Lengths are 32 bits, little-endian; parts begin at multiples of 8.

export type Frame = { readonly header: unknown; readonly parts: readonly Uint8Array[] }

const lengths = 8
const padded = (bytes: number): number => Math.ceil(bytes / 8) * 8

/** The pieces of a frame, to be written one after the other: the parts are not copied. */
export function writeFrame({ header, parts }: Frame): Uint8Array[] {
  const text = Buffer.from(JSON.stringify({ header, parts: parts.map(({ byteLength }) => byteLength) }))
  const start = padded(lengths + text.byteLength)
  const head = Buffer.alloc(start)
  const total = parts.reduce((sum, { byteLength }) => sum + padded(byteLength), start)
  head.writeUInt32LE(total, 0)
  head.writeUInt32LE(text.byteLength, 4)
  text.copy(head, lengths)
  return [
    head,
    ...parts.flatMap((part) => {
      const rest = padded(part.byteLength) - part.byteLength
      return rest === 0 ? [part] : [part, new Uint8Array(rest)]
    }),
  ]
}

/**
 * Takes bytes as they come, and gives whole frames; throws where bytes are no frame, or one is longer than `max`
 * bytes. The other side is not trusted: a header is `unknown`.
 */
export function createFrameReader(max: number, take: (frame: Frame) => void) {
  let chunks: Uint8Array[] = []
  let bytes = 0
  let wanted = lengths

  const gather = (): Buffer => {
    const all = Buffer.concat(chunks)
    chunks = [all]
    return all
  }
  return (chunk: Uint8Array): void => {
    chunks.push(chunk)
    bytes += chunk.byteLength
    while (bytes >= wanted) {
      const all = gather()
      const total = all.readUInt32LE(0)
      if (total < lengths || total > max) throw new Error(`a frame of ${total} bytes; at most ${max} are taken`)
      wanted = total
      if (bytes < total) return
      const rest = all.subarray(total)
      chunks = rest.byteLength === 0 ? [] : [rest]
      bytes = rest.byteLength
      wanted = lengths
      take(frameOf(all.subarray(0, total)))
    }
  }
}

function frameOf(bytes: Buffer): Frame {
  const end = lengths + bytes.readUInt32LE(4)
  const parsed: unknown = JSON.parse(bytes.toString('utf8', lengths, end))
  if (typeof parsed !== 'object' || parsed === null || !('header' in parsed) || !('parts' in parsed)) throw noFrame()
  const { header, parts } = parsed
  if (!Array.isArray(parts)) throw noFrame()
  let at = padded(end)
  return {
    header,
    parts: parts.map((length: unknown) => {
      if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw noFrame()
      if (at + length > bytes.byteLength) throw noFrame()
      const part = bytes.subarray(at, at + length)
      at += padded(length)
      return part
    }),
  }
}

const noFrame = (): Error => new Error('the bytes are no frame')
