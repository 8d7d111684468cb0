import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import { BackupError, type BackupFile, failureName, type Manifest, manifestName, parseManifest } from './manifest.ts'

/** Takes a file's bytes, all of them. A folder without files has a path that ends with "/". */
export type Keep = (path: string, content: AsyncIterable<Uint8Array>) => Promise<void>

/**
 * Reads an archive to its end and compares its files with its manifest, which is the last entry. `allows` says whether
 * a file may be there, before its first byte is kept. Throws a `BackupError` where anything differs.
 */
export async function readArchive(
  source: Readable,
  keep: Keep = skip,
  allows: (path: string) => boolean = () => true,
): Promise<{ readonly manifest: Manifest; readonly text: string }> {
  const seen = new Map<string, BackupFile>()
  let text: string | undefined
  const entries = extract()
  source.once('error', (error) => entries.destroy(error))
  source.pipe(entries)
  try {
    for await (const entry of entries) {
      const { name, type } = entry.header
      if (text !== undefined) throw new BackupError('the archive goes on behind its manifest')
      if (name === manifestName) {
        text = (await buffer(bytesOf(entry))).toString('utf8')
        continue
      }
      if (name === failureName) {
        throw new BackupError(`the service could not back up all: ${(await buffer(bytesOf(entry))).toString('utf8')}`)
      }
      const path = type === 'directory' ? `${name.replace(/\/$/, '')}/` : name
      if ((type !== 'file' && type !== 'directory') || seen.has(path) || !allows(path)) {
        throw new BackupError(`the archive holds what the manifest does not have: ${path.slice(0, 200)}`)
      }
      const hash = createHash('sha256')
      let bytes = 0
      const counted = async function* () {
        for await (const chunk of bytesOf(entry)) {
          hash.update(chunk)
          bytes += chunk.length
          yield chunk
        }
      }
      await keep(path, counted())
      seen.set(path, { path, bytes, sha256: hash.digest('hex') })
    }
  } catch (error) {
    if (error instanceof BackupError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new BackupError(`the archive cannot be read to its end: ${reason}`, { cause: error })
  } finally {
    source.destroy()
  }
  if (text === undefined) throw new BackupError('the archive is cut off: its manifest, the last of it, is not there')
  const manifest = parseManifest(text)
  compare(manifest.files, seen)
  return { manifest, text }
}

function compare(files: readonly BackupFile[], seen: ReadonlyMap<string, BackupFile>): void {
  for (const { path, bytes, sha256 } of files) {
    const found = seen.get(path)
    if (!found) throw new BackupError(`the archive lacks ${path}`)
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new BackupError(`${path} is not what was backed up: its size or SHA-256 differs`)
    }
  }
  if (files.length !== seen.size) throw new BackupError('the archive holds files that its manifest does not have')
}

/** streamx does not type its chunks. */
async function* bytesOf(entry: AsyncIterable<unknown>): AsyncGenerator<Uint8Array> {
  for await (const chunk of entry) if (chunk instanceof Uint8Array) yield chunk
}

async function skip(_: string, content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of content) void chunk
}
