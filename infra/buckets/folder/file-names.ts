import { join } from 'node:path'

/**
 * Keys as file names that mean the same on every file system, also where that ignores case, normalises Unicode or ends
 * a name at 255 bytes:
 *
 * - of a key's UTF-8 bytes, `a-z 0-9 . _ -` stand for themselves and all others become `%xx`: `Ab/c.csv` is `%41b%2fc.csv`;
 * - that is cut into pieces of 200; every piece but the last is a folder, its name ended by `+`, which no file has;
 * - a piece never begins with a dot (`%2e`), so that names which do are free for our own use.
 *
 * Joined, the pieces are the key again, so that two keys never share a file, and none is in another one's way.
 */
export function piecesOf(key: string): string[] {
  const text = Array.from(Buffer.from(key), (byte) => escapes[byte]).join('')
  const pieces = text.match(/.{1,200}/g) ?? []
  return pieces.map((piece, i) => piece.replace(/^\./, '%2e') + (i < pieces.length - 1 ? '+' : ''))
}

export const filePath = (folder: string, key: string): string => join(folder, ...piecesOf(key))

/** The key that was cut into these pieces; undefined where no key is. */
export function keyOf(pieces: readonly string[]): string | undefined {
  try {
    const key = decodeURIComponent(
      pieces.map((piece, i) => (i < pieces.length - 1 ? piece.slice(0, -1) : piece)).join(''),
    )
    return piecesOf(key).join('/') === pieces.join('/') ? key : undefined
  } catch {
    return undefined
  }
}

const escapes = Array.from({ length: 256 }, (_, byte) => {
  const letter = String.fromCharCode(byte)
  return /[a-z0-9._-]/.test(letter) ? letter : `%${byte.toString(16).padStart(2, '0')}`
})
