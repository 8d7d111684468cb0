import { Readable } from 'node:stream'
import { archiveName } from './manifest.ts'

/** S3 takes 80 GB in one object, and a piece is sent again where it fails. */
const pieceBytes = 1024 * 1024 * 1024

/** The name of a piece of an archive; pieces are joined in the order of their names. */
export const archivePieces = (number: number): string => `${archiveName}.${String(number).padStart(6, '0')}`

/** Hands an archive on in pieces, each once the one before is there. */
export async function inPieces(
  archive: Readable,
  put: (number: number, piece: Readable) => Promise<unknown>,
  max = pieceBytes,
): Promise<void> {
  const chunks = archive[Symbol.asyncIterator]()
  let next = await chunks.next()
  async function* piece(): AsyncGenerator<Buffer> {
    for (let bytes = 0; !next.done && bytes < max; next = await chunks.next()) {
      bytes += next.value.length
      yield next.value
    }
  }
  for (let number = 0; number === 0 || !next.done; number++) {
    await put(number, Readable.from(piece(), { objectMode: false }))
  }
}
