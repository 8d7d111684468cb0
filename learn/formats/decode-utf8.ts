import { isUtf8 } from 'node:buffer'

/**
 * Stands for bytes that are no UTF-8: half of a surrogate pair, which no bytes decode to. The character U+FFFD, which
 * decoders put there, may also have been written by somebody, and is then a character like others.
 */
export const invalid = '\udfff'

const written = Buffer.from('\ufffd')

/** Decodes pieces of UTF-8 of any size; characters may be cut between two. */
export function createUtf8Decoder() {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true

  const textOf = (bytes: Buffer): string => {
    const text = isUtf8(bytes) ? decoder.decode(bytes) : marked(bytes)
    if (text === '' || !isFirst) return text
    isFirst = false
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }

  /** Each of its parts between characters U+FFFD has bytes that are no UTF-8 alone where a decoder puts that character. */
  const marked = (bytes: Buffer): string => {
    const parts: string[] = []
    let from = 0
    for (let at = bytes.indexOf(written); at >= 0; at = bytes.indexOf(written, from)) {
      parts.push(decoder.decode(bytes.subarray(from, at)))
      from = at + written.length
    }
    parts.push(decoder.decode(bytes.subarray(from)))
    return parts.map((part) => part.replaceAll('\ufffd', invalid)).join('\ufffd')
  }

  return {
    push: (chunk: Uint8Array): string => {
      const bytes =
        rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength) : Buffer.concat([rest, chunk])
      const end = endOfWhole(bytes)
      rest = Buffer.from(bytes.subarray(end))
      return textOf(bytes.subarray(0, end))
    },
    end: (): string => {
      const bytes = rest
      rest = Buffer.alloc(0)
      return textOf(bytes)
    },
  }
}

/** Where the bytes end that need no following ones: before a character that is cut off. */
function endOfWhole(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return length > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
