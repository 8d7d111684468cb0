import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type Pack, pack } from 'tar-stream'
import { BackupError, type BackupFile, failureName, type Manifest, manifestName } from './manifest.ts'

const chunkBytes = 256 * 1024

/** A folder whose files stay as they are, and their place in the archive. */
export type Tree = { readonly folder: string; readonly place: string }

/**
 * A tar of the trees, in the order of its making; the last entry is the manifest. `ended` resolves once no file of the trees
 * is read any more: after the last byte, or soon after the archive was destroyed, which it may be at any moment.
 */
export type Packed = { readonly archive: Readable; readonly ended: Promise<void> }

/** Files by their paths. A file with the mark that it had in the copy before is left out. */
export type Known = ReadonlyMap<string, Pick<BackupFile, 'mark'>>

export type PackOptions = {
  readonly trees: readonly Tree[]
  readonly about: Omit<Manifest, 'files' | 'gone'>
  /** Hears of bytes that go out. */
  readonly sent?: (bytes: number) => void
  /** Files of the copy before, of an increment; files get marks. */
  readonly known?: Known | undefined
  /** Whether all of it is as it should be: where it rejects by a `BackupError`, the archive ends with the reason in place of its manifest. */
  readonly checked?: Promise<void>
  /** Gets the manifest before the archive's end. */
  readonly told?: (manifest: Manifest) => void
}

export function packArchive({ sent = () => {}, ...options }: PackOptions): Packed {
  const packing = pack({ highWaterMark: chunkBytes })
  const gone = new AbortController()
  // An archive that has no reader any more, or none yet, hears of no error: without a listener it would end the process.
  packing.on('error', () => {})
  packing.once('close', () => gone.abort())
  const ended = write(packing, options, gone.signal).catch((error: unknown) => {
    packing.destroy(error instanceof Error ? error : new Error(String(error)))
  })
  const archive = Readable.from(inBlocks(packing, sent), { objectMode: false, highWaterMark: chunkBytes })
  // `inBlocks` does not run, and so does not end `packing`, where a reader destroys the archive before its first byte.
  archive.once('close', () => packing.destroy())
  return { archive, ended }
}

async function write(packing: Pack, options: Omit<PackOptions, 'sent'>, signal: AbortSignal): Promise<void> {
  const { trees, about, known, checked, told } = options
  const files: BackupFile[] = []
  const seen = new Set<string>()
  for (const { folder, place } of trees) {
    const isKnown = ({ path, mark }: Marked): boolean => {
      const at = join(place, path)
      seen.add(at)
      return known?.get(at)?.mark === mark
    }
    for await (const read of readAhead(folder, pathsBelow(folder), isKnown)) {
      const { mark, ...file } = await add(packing, folder, { ...read, place: join(place, read.path) }, signal)
      files.push(known ? { ...file, mark } : file)
    }
  }
  try {
    await checked
  } catch (error) {
    if (!(error instanceof BackupError)) throw error
    packing.entry({ name: failureName }, error.message)
    packing.finalize()
    return
  }
  const gone = about.since === undefined ? {} : { gone: [...(known?.keys() ?? [])].filter((path) => !seen.has(path)) }
  const manifest: Manifest = { ...about, files, ...gone }
  told?.(manifest)
  packing.entry({ name: manifestName }, JSON.stringify(manifest))
  packing.finalize()
}

/**
 * A file's header, bytes and padding come apart: sent so, each is a step of its own for the socket and for the reader.
 */
async function* inBlocks(packing: AsyncIterable<unknown>, sent: (bytes: number) => void): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of packing) {
    if (!(chunk instanceof Uint8Array)) continue
    gathered.push(chunk)
    bytes += chunk.length
    if (bytes < chunkBytes) continue
    sent(bytes)
    yield Buffer.concat(gathered)
    gathered = []
    bytes = 0
  }
  sent(bytes)
  if (bytes > 0) yield Buffer.concat(gathered)
}

/** Each entry of a tar has a header, and is filled up to whole blocks. */
const block = 512

/** The bytes that the files of the trees take in an archive. */
export async function bytesOf(trees: readonly Tree[]): Promise<number> {
  let blocks = 0
  for (const { folder } of trees) {
    for await (const path of pathsBelow(folder)) {
      const size = path.endsWith('/') ? 0 : (await stat(join(folder, path))).size
      blocks += 1 + Math.ceil(size / block)
    }
  }
  return blocks * block
}

async function* pathsBelow(folder: string, inside = ''): AsyncGenerator<string> {
  let isEmpty = true
  for await (const entry of await opendir(join(folder, inside))) {
    isEmpty = false
    const path = join(inside, entry.name)
    if (entry.isDirectory()) yield* pathsBelow(folder, path)
    else if (entry.isFile()) yield path
  }
  if (isEmpty && inside !== '') yield `${inside}/`
}

type Placed = Read & { readonly place: string }

async function add(packing: Pack, folder: string, file: Placed, signal: AbortSignal) {
  const { path, size, place, mark } = file
  const hash = createHash('sha256')
  signal.throwIfAborted()
  if (path.endsWith('/')) packing.entry({ name: place, type: 'directory' }).end(undefined)
  else {
    const entry = packing.entry({ name: place, size })
    entry.on('error', () => {}) // The archive's own says it.
    const send = async (chunk: Buffer): Promise<void> => {
      hash.update(chunk)
      signal.throwIfAborted()
      if (!entry.write(chunk)) await once(entry, 'drain', { signal })
    }
    if (file.content === undefined) await sendLarge(join(folder, path), size, send)
    else if (size > 0) await send(file.content)
    entry.end(undefined)
  }
  return { path: place, bytes: size, sha256: hash.digest('hex'), mark }
}

async function sendLarge(path: string, size: number, send: (chunk: Buffer) => Promise<void>): Promise<void> {
  const file = await open(path)
  try {
    for (let position = 0; position < size; ) {
      const buffer = Buffer.allocUnsafe(Math.min(chunkBytes, size - position))
      const { bytesRead } = await file.read(buffer, 0, buffer.length, position)
      if (bytesRead === 0) throw new Error(`${path} has become shorter`)
      await send(buffer.subarray(0, bytesRead))
      position += bytesRead
    }
  } finally {
    await file.close()
  }
}

const filesAhead = 32
/** A larger file is read as it is sent. */
const smallBytes = 256 * 1024

/** `mark` tells a file from others that had its name: its place on the disk, and when it was written. */
type Marked = { readonly path: string; readonly mark: string }
/** `content` is there of a small file. */
export type Read = Marked & { readonly size: number; readonly content?: Buffer }

async function readSmall(folder: string, path: string, isKnown: (file: Marked) => boolean): Promise<Read | undefined> {
  const file = join(folder, path)
  if (path.endsWith('/')) return isKnown({ path, mark: 'folder' }) ? undefined : { path, size: 0, mark: 'folder' }
  const { size, ino, mtimeNs } = await stat(file, { bigint: true })
  const read = { path, size: Number(size), mark: `${ino.toString(36)}-${mtimeNs.toString(36)}` }
  if (isKnown(read)) return undefined
  return read.size > smallBytes ? read : { ...read, content: await readFile(file) }
}

/** Reads small files some time before their turn: on a busy machine each step of a read waits for its own. */
async function* readAhead(
  folder: string,
  paths: AsyncIterable<string>,
  isKnown: (file: Marked) => boolean,
): AsyncGenerator<Read> {
  const waiting: Promise<Read | undefined>[] = []
  try {
    for await (const path of paths) {
      const reading = readSmall(folder, path, isKnown)
      reading.catch(() => {}) // Told when its turn comes.
      waiting.push(reading)
      const first = waiting.length > filesAhead ? await waiting.shift() : undefined
      if (first) yield first
    }
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const first = await next
      if (first) yield first
    }
  } finally {
    await Promise.allSettled(waiting)
  }
}
