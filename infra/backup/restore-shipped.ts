import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { syncFolder } from '../buckets/folder/publish.ts'
import { openReplay } from '../log/embedded/replay.ts'
import type { ShippedCommit } from '../log/embedded/spool.ts'
import { archivePieces } from './archive-pieces.ts'
import { chooseLine, timeOf } from './choose-line.ts'
import { BackupError, manifestName } from './manifest.ts'
import { type CopyName, lineageOf, logFolder, type Segment, sortNames } from './names.ts'
import type { BackupPlace } from './place.ts'
import { readArchive } from './read-archive.ts'
import { type CopiedFile, readCopy } from './read-copy.ts'
import { newFilesIn, restoreInto } from './restore-backup.ts'
import { decodeSegment } from './segment.ts'

/** Bytes of commits that are committed together. */
const commitBytes = 8 * 1024 * 1024
const commitRows = 100_000
const commitKeys = 2_000
const commitChanges = 4_000

export type RestoreRequest = {
  readonly place: BackupPlace
  readonly dataFolder: string
  /** Microseconds since 1970: all that was acknowledged until then; undefined for all. */
  readonly to: number | undefined
  /** The id of a service, where the place has backups of several. */
  readonly service: string | undefined
  /** A line of it, where data folders shipped beside each other. */
  readonly line?: string | undefined
}

export type Restored = {
  readonly line: string
  /** Lines of other data folders of the service, from which a restore could go instead. */
  readonly others: readonly string[]
  readonly copy: string
  readonly taken: number
  readonly buckets: 'here' | 'S3'
  readonly files: number
  /** Events that came after the copy, by the log. */
  readonly events: number
  /** The time of the last commit of them. */
  readonly until: number | undefined
  /** Where commits were left out: they came after the definition of a table was changed, of which no copy was taken. */
  readonly stoppedAt: number | undefined
}

/**
 * Makes a data folder of shipped copies and of the commits that came after them. The folder is as a `kill -9` would have left
 * it: the log has what came after the copy, and a start feeds it. Throws a `BackupError` that names what is damaged or missing;
 * then nothing is kept.
 */
export async function restoreShipped({ place, dataFolder, to, service, line }: RestoreRequest): Promise<Restored> {
  const names = await place.list('')
  const services = [...new Set(names.flatMap((name) => /^([^/]+)\/[^/]+\/(?:log|copies)\//.exec(name)?.[1] ?? []))]
  const [only, another] = services
  if (only === undefined) throw new BackupError('there is no backup: no copy and no log was shipped there')
  if (service === undefined && another !== undefined)
    throw new BackupError(`there are backups of several services; name one by --service: ${services.join(', ')}`)
  const chosen = service ?? only
  if (!services.includes(chosen))
    throw new BackupError(`there is no backup of ${chosen}, but of ${services.join(', ')}`)
  const { copies, segments } = sortNames(
    names.filter((name) => name.startsWith(`${chosen}/`)),
    manifestName,
    Date.now() * 1000,
  )
  const early = copies.filter(({ taken }) => to === undefined || taken <= to)
  const choice = chooseLine(early, segments, line)
  const copy = choice?.copies.at(-1)
  if (!choice || !copy) {
    const [first] = copies.toSorted((one, other) => one.taken - other.taken)
    throw new BackupError(
      first
        ? `there is no copy of before ${timeOf(to ?? 0)}: the first is of ${timeOf(first.taken)}`
        : 'no copy was ended there',
    )
  }
  const { files, manifest } = await readCopy(place, copy, copies)
  const behind = await readSegments(place, segments, copy, to)
  return restoreInto(dataFolder, async (aside) => {
    await unpackFiles(place, files, aside)
    const replayed = await replay(join(aside, 'log'), behind, to)
    const { taken, buckets } = manifest
    const { others } = choice
    return { line: lineageOf(copy.line), others, copy: copy.name, taken, buckets, files: files.size, ...replayed }
  })
}

/** Reads each file from the copy that has its bytes; all of an archive is compared with its manifest on the way. */
async function unpackFiles(place: BackupPlace, files: ReadonlyMap<string, CopiedFile>, to: string): Promise<void> {
  const { folders, keep } = newFilesIn(to)
  const found = new Set<string>()
  const copies = new Map([...files.values()].map(({ copy }) => [copy.name, copy]))
  for (const { name } of copies.values()) {
    try {
      await readArchive(Readable.from(pieces(place, name), { objectMode: false }), async (path, content) => {
        const wanted = files.get(path)
        if (wanted?.copy.name !== name) {
          for await (const chunk of content) void chunk
          return
        }
        found.add(path)
        await keep(path, content)
      })
    } catch (error) {
      if (error instanceof BackupError) throw new BackupError(`${name}: ${error.message}`, { cause: error })
      throw error
    }
  }
  for (const [path, { copy }] of files) {
    if (!found.has(path)) throw new BackupError(`${copy.name} lacks ${path}`)
  }
  for (const folder of folders) await syncFolder(folder)
}

async function* pieces(place: BackupPlace, copy: string): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number++) {
    const piece = await place.get(`${copy}/${archivePieces(number)}`)
    // The archive ends by its manifest: one that lacks a piece is cut off.
    if (!piece) return
    yield* piece
  }
}

type Commits = { readonly segment: Segment; read(): Promise<Awaited<ReturnType<typeof decodeSegment>>> }

/** The segments that go on behind a copy, in their order; none may be missing among them. */
async function readSegments(
  place: BackupPlace,
  all: readonly Segment[],
  copy: CopyName,
  to: number | undefined,
): Promise<Commits[]> {
  const own = all
    .filter(({ line, through }) => line === copy.line && through > copy.position)
    .sort((one, other) => one.behind - other.behind)
  let reached = copy.position
  for (const { name, behind, through } of own) {
    if (behind > reached) {
      throw new BackupError(
        `commits behind ${reached} and through ${behind} are missing in ${copy.line}/${logFolder}: ${name} does not go on from there${untilThere(reached, to)}`,
      )
    }
    reached = Math.max(reached, through)
  }
  return own.map((segment) => ({
    segment,
    async read() {
      const content = await place.get(segment.name)
      if (!content) throw new BackupError(`${segment.name} is not there`)
      try {
        return await decodeSegment(await buffer(content))
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        throw new BackupError(`${segment.name} is damaged: ${reason}${untilThere(segment.behind, to)}`, {
          cause: error,
        })
      }
    },
  }))
}

/** Positions are times as a rule. */
const untilThere = (position: number, to: number | undefined): string =>
  to === undefined ? `; --to ${timeOf(position)} restores what came before it` : ''

async function replay(folder: string, segments: readonly Commits[], to: number | undefined) {
  const log = openReplay(folder)
  let [events, bytes, rows, keys, changes] = [0, 0, 0, 0, 0]
  let until: number | undefined
  let stoppedAt: number | undefined
  let together: ShippedCommit[] = []
  let last = 0
  async function commit(): Promise<void> {
    if (together.length > 0) await log.replay(last, together)
    together = []
    ;[bytes, rows, keys, changes] = [0, 0, 0, 0]
  }
  try {
    walk: for (const { read } of segments) {
      for (const { position, value } of await read()) {
        // A segment whose put was not noted is shipped again, longer, under another name.
        if (position <= Math.max(log.committed, last)) continue
        const kept = log.decode(value)
        if (to !== undefined && kept.at_us > to) break walk
        if (kept.shape !== log.shape) {
          stoppedAt = kept.at_us
          break walk
        }
        together.push(kept)
        last = position
        until = kept.at_us
        bytes += value.length
        changes += kept.changes.length
        for (const queue of kept.queues) {
          rows += queue.rows
          events += queue.rows
          keys += queue.answers.length
        }
        if (bytes >= commitBytes || rows >= commitRows || keys >= commitKeys || changes >= commitChanges) await commit()
      }
    }
    await commit()
  } finally {
    await log.close()
  }
  return { events, until, stoppedAt }
}
