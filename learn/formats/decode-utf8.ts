import { Refusal } from '../../base/refusal.ts'

/**
 * Stands for bytes that are no UTF-8: half of a surrogate pair, which no bytes decode to. The character U+FFFD, which
 * decoders put there, may also have been written by somebody, and is then a character like others.
 */
export const invalid = '\udfff'

const written = new TextEncoder().encode('\ufffd')

/** First bytes of files that are no text in UTF-8. */
const others: readonly { readonly bytes: readonly number[]; readonly what: string }[] = [
  { bytes: [0x1f, 0x8b], what: 'packed by gzip: upload them unpacked' },
  { bytes: [0x50, 0x4b, 0x03, 0x04], what: 'a ZIP archive, as a workbook of Excel is: save them as CSV' },
  { bytes: [0x50, 0x41, 0x52, 0x31, 0x15], what: 'a Parquet file: write them as CSV or lines of JSON' },
  { bytes: [0xff, 0xfe], what: 'text in UTF-16: save them as UTF-8' },
  { bytes: [0xfe, 0xff], what: 'text in UTF-16: save them as UTF-8' },
]

function refuseOthers(bytes: Uint8Array): void {
  const found = others.find((other) => other.bytes.every((byte, at) => bytes[at] === byte))
  if (found !== undefined) throw new Refusal(`the data are ${found.what}`)
}

/** Decodes pieces of UTF-8 of any size; characters may be cut between two. */
export function createUtf8Decoder() {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const strict = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
  let rest = new Uint8Array()
  let isFirst = true

  const decoded = (bytes: Uint8Array): string => {
    try {
      return strict.decode(bytes)
    } catch {
      return marked(bytes)
    }
  }

  const textOf = (bytes: Uint8Array): string => {
    const text = decoded(bytes)
    if (text === '' || !isFirst) return text
    isFirst = false
    return text.startsWith('\ufeff') ? text.slice(1) : text
  }

  /** Each of its parts between characters U+FFFD has bytes that are no UTF-8 alone where a decoder puts that character. */
  const marked = (bytes: Uint8Array): string => {
    const parts: string[] = []
    let from = 0
    for (let at = placeOf(bytes, 0); at >= 0; at = placeOf(bytes, from)) {
      parts.push(decoder.decode(bytes.subarray(from, at)))
      from = at + written.length
    }
    parts.push(decoder.decode(bytes.subarray(from)))
    return parts.map((part) => part.replaceAll('\ufffd', invalid)).join('\ufffd')
  }

  return {
    /** Throws a `Refusal` where the first bytes are those of a packed file or the like. */
    push: (chunk: Uint8Array): string => {
      const bytes = rest.length === 0 ? chunk : joined(rest, chunk)
      if (isFirst) refuseOthers(bytes)
      const end = endOfWhole(bytes)
      rest = bytes.slice(end)
      return textOf(bytes.subarray(0, end))
    },
    end: (): string => {
      const bytes = rest
      rest = new Uint8Array()
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

/** Where U+FFFD itself is written; -1 where it is not. */
function placeOf(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xef, from); at >= 0; at = bytes.indexOf(0xef, at + 1)) {
    if (bytes[at + 1] === written[1] && bytes[at + 2] === written[2]) return at
  }
  return -1
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
