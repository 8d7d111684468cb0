import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { LmdbLog } from '../log/embedded/log.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { archivePieces, inPieces } from './archive-pieces.ts'
import type { Backups } from './backups.ts'
import type { Changes } from './changes.ts'
import { BackupError, type BackupFile, manifestName } from './manifest.ts'
import { type CopyName, copyName, familyOf, segmentName, sortNames } from './names.ts'
import type { BackupPlace } from './place.ts'
import { readCopy } from './read-copy.ts'
import { encodeSegment } from './segment.ts'

const segmentBytes = 16 * 1024 * 1024
const day_us = 24 * 3600 * 1_000_000
/** Another data folder's line that was quiet this long has ended, as a rule: a copy a day comes of a line that goes on. */
const quiet_us = 7 * day_us
/** Of the time an increment may take a tenth. */
const restPerCopy = 10
const longestRest_ms = 3_600_000
/** Later than so many intervals, shipping is ill. */
const lateIntervals = 3
const lastShip_ms = 2_000

export type ShippingDeps = {
  readonly place: BackupPlace
  /** The id of the data folder, which a restore keeps. */
  readonly service: string
  readonly log: LmdbLog['shipping']
  readonly backups: Pick<Backups, 'copy' | 'idle'>
  readonly changes: Pick<Changes, 'count' | 'definitions'>
  readonly every_ms: number
  /** Full copies that are kept. */
  readonly keep: number
  readonly metrics: Pick<Metrics, 'backupSuccess' | 'backupShipped' | 'backupInterval' | 'backupWaiting'>
  readonly logger: Logger
  readonly now_us: () => number
}

type LastCopy = {
  readonly name: string
  readonly line: string
  /** The time of the full copy on which the increments build. */
  readonly full_us: number
  readonly files: ReadonlyMap<string, BackupFile>
}

/**
 * Ships commits of the log every `every_ms`, and beside them a full copy a day, and increments of it where something else
 * than events has changed. The two go on by themselves: a copy that takes an hour delays no commit.
 *
 * Ingest waits for none of it. Where the place is away, commits wait in the log's own file up to a bound; past it they are
 * forgotten, and a full copy begins a new line once the place is back.
 */
export function createShipping(deps: ShippingDeps) {
  const { place, service, log, backups, changes, every_ms, keep, metrics, logger, now_us } = deps
  const closing = new AbortController()
  let shippedUntil_us = 0
  let lastCopy: LastCopy | undefined
  let counted: number | undefined
  let defined: number | undefined
  let copied: { readonly taken_us: number } | undefined
  const failures = new Map<'log' | 'copy', string>()
  let failed = 0
  let hadLine = log.line() !== undefined
  let nextCopy_ms = 0
  const began_us = now_us()
  metrics.backupInterval.set(every_ms / 1000)

  function fails(what: 'log' | 'copy', error: unknown): void {
    if (closing.signal.aborted) return
    const reason = error instanceof Error ? error.message : String(error)
    if (failures.get(what) !== reason) logger.warn({ err: error }, `backup of the ${what} failed, trying again`)
    failures.set(what, reason)
  }

  function isWell(what: 'log' | 'copy'): void {
    if (failures.delete(what)) logger.info({}, `backup of the ${what} goes on`)
  }

  const lineOf = (lineage: string): string => `${service}/${lineage}`

  /** Ships all that has been committed until now. */
  async function shipLog(): Promise<void> {
    const until_us = now_us()
    if (hadLine && !log.line())
      logger.warn({}, 'too much waited for the backup and was forgotten; a full copy begins anew')
    hadLine = log.line() !== undefined
    const through = log.last()
    await needPlace(deps)
    for (let line = log.line(); line && line.shipped < through; line = log.line()) {
      const commits = [...log.waiting(segmentBytes)]
      const last = commits.at(-1)
      if (!last) break
      const bytes = await encodeSegment(commits)
      await place.put(segmentName(lineOf(line.lineage), line.shipped, last.position), Readable.from([bytes]))
      await log.shipped(line.lineage, last.position)
    }
    if (log.line()) {
      shippedUntil_us = Math.max(shippedUntil_us, until_us)
      metrics.backupShipped.set(shippedUntil_us / 1e6)
    }
  }

  /** The copy that an increment of this line goes on from, where an earlier process took it. */
  async function known(line: string): Promise<LastCopy | undefined> {
    if (lastCopy?.line === line) {
      const manifest = `${lastCopy.name}/${manifestName}`
      if ((await place.list(manifest)).length > 0) return lastCopy
      logger.warn({ manifest }, 'the copy before is not at its place any more, taking a full copy')
      lastCopy = undefined
      return undefined
    }
    const { copies } = sortNames(await place.list(`${line}/`), manifestName, now_us())
    const latest = copies.at(-1)
    if (!latest) return undefined
    const read = await readCopy(place, latest, copies).catch((error: unknown) => {
      if (!(error instanceof BackupError)) throw error
      logger.warn({ err: error }, 'the copy before cannot be gone on from, taking a full copy')
    })
    if (!read) return undefined
    const { files, full } = read
    const ofFiles = new Map([...files].map(([path, { file }]) => [path, file]))
    lastCopy = { name: latest.name, line, full_us: full.taken, files: ofFiles }
    copied = { taken_us: latest.taken }
    metrics.backupSuccess.set(latest.taken / 1e6)
    return lastCopy
  }

  /** Resolves to the time that it took, in milliseconds, the wait for another backup left out. */
  async function copyOnce(line: string, before: LastCopy | undefined): Promise<number> {
    // A client's backup, which may have begun since this copy was due.
    await backups.idle()
    closing.signal.throwIfAborted()
    const began_ms = performance.now()
    const [count, definitions] = [changes.count(), changes.definitions()]
    const position = log.last()
    const { archive, taken, manifest } = await backups.copy({
      name: before?.name ?? '',
      known: before?.files ?? new Map(),
    })
    const name = copyName(line, taken, position, !before)
    const giveUp = (): void => void archive.destroy()
    closing.signal.addEventListener('abort', giveUp)
    try {
      closing.signal.throwIfAborted()
      await inPieces(archive, (number, piece) => place.put(`${name}/${archivePieces(number)}`, piece))
      const its = manifest()
      if (!its) throw new BackupError('it is not whole')
      await place.put(`${name}/${manifestName}`, Readable.from([Buffer.from(JSON.stringify(its))]))
      const files = new Map(before?.files)
      for (const path of its.gone ?? []) files.delete(path)
      for (const file of its.files) files.set(file.path, file)
      lastCopy = { name, line, full_us: before?.full_us ?? taken, files }
      copied = { taken_us: taken }
      counted = count
      defined = definitions
      metrics.backupSuccess.set(taken / 1e6)
      await log.noteCopied()
      return performance.now() - began_ms
    } finally {
      closing.signal.removeEventListener('abort', giveUp)
      archive.destroy()
      await finished(archive).catch(() => {})
    }
  }

  function isCopyDue(): boolean {
    // Events wait for a copy that has the definitions which they fit.
    const isWanted = failed === 0 && defined !== changes.definitions()
    return performance.now() >= nextCopy_ms || isWanted
  }

  async function copyIfChanged(): Promise<void> {
    // A place that is away is not worth a copy.
    await needPlace(deps)
    await place.list(`${service}/none`)
    closing.signal.throwIfAborted()
    if (!log.line()) {
      lastCopy = undefined
      await log.begin()
    }
    const lineage = log.line()?.lineage
    if (lineage === undefined) return
    const line = lineOf(lineage)
    const before = await known(line)
    closing.signal.throwIfAborted()
    const age_us = now_us() - (before?.full_us ?? 0)
    // One of the future was taken while the clock was ahead.
    const isFull = !before || age_us >= day_us || age_us < 0
    if (!isFull && counted === changes.count()) return
    const took_ms = await copyOnce(line, isFull ? undefined : before)
    failed = 0
    nextCopy_ms = performance.now() + restPerCopy * took_ms
    if (isFull) await rotate()
  }

  /**
   * Removes what no full copy needs that is kept: of this data folder. Another folder of this service, which was restored from this
   * one or the other way round, has its own; what it shipped goes once it has been quiet for a week, and no copy here is as old.
   */
  async function rotate(): Promise<void> {
    const { segments, copies, broken, files } = sortNames(await place.list(`${service}/`), manifestName, now_us())
    const present = log.line()
    if (!present) return
    const family = familyOf(lineOf(present.lineage))
    const isOwn = ({ line }: { readonly line: string }): boolean => familyOf(line) === family
    const old_us = now_us() - day_us
    const goes = new Set<string>()
    const drop = ({ name }: CopyName): void => {
      const names = files.get(name) ?? []
      // Deletes the manifest first: without it the remaining files are no copy.
      for (const file of [...names.filter((each) => each.endsWith(manifestName)), ...names]) goes.add(file)
    }
    for (const copy of broken) if (isOwn(copy) && copy.taken < old_us) drop(copy)
    const own = copies.filter(isOwn)
    const oldest = own.filter(({ isFull }) => isFull).at(-keep)
    if (oldest) {
      for (const copy of own.slice(0, own.indexOf(oldest))) drop(copy)
      for (const { name, line, through } of segments) {
        if (isOwn({ line }) && through <= oldest.position) goes.add(name)
      }
      const quietSince_us = Math.min(oldest.taken, now_us() - quiet_us)
      const others = [...copies, ...broken].filter((copy) => !isOwn(copy))
      const otherSegments = segments.filter((segment) => !isOwn(segment))
      const isAlive = new Set([
        ...others.filter(({ taken }) => taken >= quietSince_us).map(({ line }) => familyOf(line)),
        // Positions are times as a rule.
        ...otherSegments.filter(({ through }) => through >= quietSince_us).map(({ line }) => familyOf(line)),
      ])
      for (const copy of others) if (!isAlive.has(familyOf(copy.line))) drop(copy)
      for (const { name, line } of otherSegments) if (!isAlive.has(familyOf(line))) goes.add(name)
    }
    for (const name of goes) await place.remove(name)
    // Takes rights of S3 that copies do without.
    await place.sweep(`${service}/`, old_us).catch((error: unknown) => {
      logger.warn({ err: error }, 'parts that a kill left at the place of backups were not removed')
    })
  }

  async function tick(what: 'log' | 'copy', work: () => Promise<void>): Promise<void> {
    try {
      await work()
      isWell(what)
    } catch (error) {
      if (what === 'copy')
        nextCopy_ms = performance.now() + Math.min(log.line() ? longestRest_ms : 4 * every_ms, every_ms * 2 ** failed++)
      fails(what, error)
    }
  }

  async function loop(what: 'log' | 'copy', work: () => Promise<void>, isDue = (): boolean => true): Promise<void> {
    while (!closing.signal.aborted) {
      if (isDue()) await tick(what, work)
      metrics.backupWaiting.set(log.bytes())
      await sleep(every_ms, undefined, { signal: closing.signal, ref: false }).catch(() => {})
    }
  }

  let running: Promise<unknown> | undefined

  return {
    open(): void {
      // Copies first: they begin the line that commits are kept of.
      running = Promise.all([loop('copy', copyIfChanged, isCopyDue), loop('log', shipLog)])
    },
    status() {
      const late_us = now_us() - Math.max(shippedUntil_us, began_us)
      const isLate = late_us > lateIntervals * every_ms * 1000 + 1e6
      const late = isLate ? `nothing was shipped for ${Math.round(late_us / 1e6)} s` : undefined
      const reason = failures.get('log') ?? failures.get('copy') ?? late
      return {
        status: reason === undefined ? ('up' as const) : ('failing' as const),
        waiting_bytes: log.bytes(),
        ...(shippedUntil_us > 0 && { shipped_until: shippedUntil_us }),
        ...(copied && { last_copy: copied.taken_us }),
        ...(reason !== undefined && { reason }),
      }
    },
    /** Ships the remaining commits, if the place takes them within two seconds. */
    async close(): Promise<void> {
      closing.abort()
      const last = running?.then(() => tick('log', shipLog))
      await Promise.race([last, sleep(lastShip_ms, undefined, { ref: false })])
      await place.close()
    },
  }
}

/** A folder on a disk that is not mounted any more is there as a rule, and empty. */
async function needPlace({ place, service, log }: Pick<ShippingDeps, 'place' | 'service' | 'log'>): Promise<void> {
  if (!log.isCopied()) return place.make()
  if (!(await place.has(service)))
    throw new BackupError(
      `BACKUP_TO has nothing of this service, though copies were shipped there: mount its disk. Where it was emptied, make the folder ${service} in it, and a full copy begins anew`,
    )
}

export type Shipping = ReturnType<typeof createShipping>
