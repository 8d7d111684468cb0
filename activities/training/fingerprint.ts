import { createHash } from 'node:crypto'
import type { Source } from '../../learn/formats/read-rows.ts'

type Open = () => Promise<Source>

/**
 * Hashes files as they are read. The fingerprint of one file is the SHA-256 of its bytes; of several, that of the lines
 * that `sha256sum` writes about them.
 */
export function createFingerprint(names: readonly string[], open: readonly Open[]) {
  const digests: (string | undefined)[] = names.map(() => undefined)

  async function* hashed(source: Source, file: number): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256')
    for await (const chunk of source) {
      hash.update(chunk)
      yield chunk
    }
    digests[file] = hash.digest('hex')
  }

  return {
    open: open.map(
      (opened, file): Open =>
        async () =>
          hashed(await opened(), file),
    ),

    /** Undefined where a file was not read to its end. */
    fingerprint(): string | undefined {
      if (digests.some((digest) => digest === undefined)) return undefined
      const [first] = digests
      if (digests.length === 1) return `sha256:${first}`
      const lines = names.map((name, file) => `${digests[file]}  ${name}\n`)
      return `sha256:${createHash('sha256').update(lines.join('')).digest('hex')}`
    },
  }
}
