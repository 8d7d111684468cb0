import { mkdir, readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { fault } from '../../base/faults.ts'
import { qualified } from '../../sql/identifier.ts'
import { type ClickHouse, isAbsent } from '../clickhouse/clickhouse.ts'
import type { PauseWrites } from '../clickhouse/embedded/client.ts'
import type { Config } from '../config.ts'
import type { Logger } from '../logger.ts'
import { version } from '../version.ts'
import { createFreeze } from './freeze-tables.ts'
import { dropGone, linkTree } from './link-file.ts'
import { BackupError, backupFormat, type Manifest } from './manifest.ts'
import { bytesOf, type Known, type Packed, packArchive, type Tree } from './pack-archive.ts'
import { type BackupProgress, createBackupProgress } from './progress.ts'

export type BackupsDeps = {
  readonly config: Pick<Config, 'DATA_DIR' | 'S3_ENDPOINT'>
  readonly clickhouse: Pick<ClickHouse, 'rows'>
  /** Pauses the writes of embedded ClickHouse; undefined where ClickHouse is a server. */
  readonly still: PauseWrites | undefined
  /** Copies the embedded log; undefined where the log is Kafka. */
  readonly copyLog: ((folder: string) => Promise<void>) | undefined
  readonly now_us: () => number
  readonly logger: Logger
  /** How the latest backup of an earlier process ended. */
  readonly before?: BackupProgress | undefined
  /** Hears how a client's backup ended. */
  readonly ended?: (progress: BackupProgress) => void
}

/** A copy that goes on from another one has the files that the other one has not. */
export type Since = { readonly name: string; readonly known: Known }

export type Copy = {
  /** The caller reads it to its end, or destroys it. */
  readonly archive: Readable
  /** When all that is in it was there, in microseconds since 1970. */
  readonly taken: number
  /** Its list of files, once its archive has ended; undefined where the archive is no backup. */
  manifest(): Manifest | undefined
}

const freezeName = 'weir_backup'

/**
 * Copies the data folder while events come in. A copy holds the bytes that `kill -9` would leave behind at one moment,
 * so a restore keeps every promise of a start after a kill.
 *
 * ClickHouse's tables are linked while writes go on; for the parts that came meanwhile, writes to ClickHouse pause for
 * a moment. Events go on into the log, which is copied within that pause: its copy has every event that the tables'
 * copy has not. Objects are linked before and after it, so that each object that the tables name is there; the objects that
 * are deleted before the pause are left out.
 */
export function createBackups({ config, clickhouse, still, copyLog, now_us, logger, before, ended }: BackupsDeps) {
  const root = resolve(config.DATA_DIR)
  const stage = join(root, '.backup')
  const shadow = join(root, 'clickhouse', 'shadow')
  const isInS3 = config.S3_ENDPOINT !== undefined
  const progress = createBackupProgress(now_us, before)
  let isClosing = false
  let underWay: { readonly ended: Promise<void>; end(): void } | undefined

  const clean = async (): Promise<void> => {
    for (const folder of [stage, shadow]) await rm(folder, { recursive: true, force: true })
  }

  const linkBuckets = async (): Promise<void> => {
    const isWhole = (path: string): boolean => path !== '.scratch'
    if (!isInS3) await linkTree(join(root, 'buckets'), join(stage, 'buckets'), isWhole)
  }

  /** Returns how long ClickHouse's writes were paused, in milliseconds. */
  async function hold(pause: PauseWrites, copy: (folder: string) => Promise<void>): Promise<number> {
    const from = join(root, 'clickhouse')
    const freeze = createFreeze({ from, to: join(stage, 'clickhouse'), rowsTo: join(shadow, freezeName) })
    await freeze.prepare(clickhouse)
    // An object that is deleted from here on may be named by the tables of the copy, and stays in it.
    if (!isInS3) await dropGone(join(root, 'buckets'), join(stage, 'buckets'))
    const still_ms = await pause(async (held) => {
      const began = performance.now()
      await Promise.all([freeze.hold(held), copy(join(stage, 'log'))])
      return Math.round(performance.now() - began)
    })
    await freeze.finish()
    return still_ms
  }

  type Began = Packed & { readonly taken: number; manifest(): Manifest | undefined }

  async function begin(
    pause: PauseWrites,
    copy: (folder: string) => Promise<void>,
    shown: typeof progress | undefined,
    since: Since | undefined,
  ): Promise<Began> {
    const began = performance.now()
    await clean()
    await mkdir(stage, { recursive: true, mode: 0o700 })
    await linkBuckets()
    const still_ms = await hold(pause, copy)
    await linkBuckets()
    const taken = now_us()
    const trees: Tree[] = (await readdir(stage)).map((name) => ({ folder: join(stage, name), place: name }))
    trees.push({ folder: join(shadow, freezeName), place: 'clickhouse' })
    logger.info({ still_ms, took_ms: Math.round(performance.now() - began) }, 'backup taken, sending it')
    shown?.send(await bytesOf(trees))
    const about = {
      weir_backup: backupFormat,
      version: version(),
      taken,
      buckets: isInS3 ? 'S3' : 'here',
      ...(since && since.name !== '' && { since: since.name }),
    } as const
    const gone = new AbortController()
    // Parts of an increment were written a moment ago.
    const checked = about.since === undefined ? checkParts(clickhouse, gone.signal) : Promise.resolve()
    checked.catch(() => {}) // Told at the archive's end.
    let manifest: Manifest | undefined
    const packed = packArchive({
      trees,
      about,
      checked,
      known: since?.known,
      told: (its) => {
        manifest = its
      },
      ...(shown && { sent: shown.sent }),
    })
    packed.archive.once('close', () => gone.abort())
    return { ...packed, taken, manifest: () => manifest }
  }

  /** Takes a copy, one at a time, and reports its progress to `shown`. */
  async function take(since: Since | undefined, shown: typeof progress | undefined): Promise<Began> {
    if (!still || !copyLog) {
      throw fault(
        'invalid',
        'a backup is of the embedded mode: CLICKHOUSE_URL or KAFKA_BROKERS is set here, and docs/operate.md says how servers are backed up',
      )
    }
    if (isClosing) throw fault('unavailable', 'the service stops: a backup is taken once it has started again')
    if (underWay) throw fault('conflict', 'another backup is under way; wait for its end')
    let resolveEnded = (): void => {}
    const isOver = new Promise<void>((done) => {
      resolveEnded = done
    })
    let began: Began | undefined
    underWay = { ended: isOver, end: () => began?.archive.destroy() }
    shown?.begin()
    const finish = async (): Promise<void> => {
      await clean().catch((error: unknown) => logger.warn({ err: error }, 'backup not cleaned up'))
      underWay = undefined
      resolveEnded()
    }
    try {
      began = await begin(still, copyLog, shown, since)
    } catch (error) {
      shown?.end(false)
      await finish()
      throw error
    }
    const { archive, ended: walked } = began
    // The walk ends before the files go that it reads.
    archive.once('close', () => void walked.then(finish))
    if (isClosing) archive.destroy()
    return began
  }

  return {
    /** How the latest backup of this process stands. */
    progress: progress.now,

    /** Removes the files of a backup that a kill cut off. */
    async open(): Promise<void> {
      if (still) await clean()
    },

    /**
     * A tar (see `packArchive`) of all that was acknowledged until now, and perhaps more. The caller reads it to its
     * end or destroys it. Fault `conflict` where another backup is under way, `invalid` where ClickHouse or the log is
     * a server, `unavailable` while the service stops.
     */
    async take(): Promise<Readable> {
      const { archive, manifest } = await take(undefined, progress)
      let isRead = false
      archive.once('end', () => {
        isRead = true
      })
      archive.once('close', () => {
        progress.end(isRead && manifest() !== undefined)
        ended?.(progress.now())
      })
      return archive
    },

    /** Resolves once no backup is under way. */
    async idle(): Promise<void> {
      while (underWay) await underWay.ended
    },

    /** As `take`, of files that another copy does not have; all of them where its name is empty. */
    copy: (since: Since): Promise<Copy> => take(since, undefined),

    async close(): Promise<void> {
      isClosing = true
      underWay?.end()
      await underWay?.ended
    },
  }
}

export type Backups = ReturnType<typeof createBackups>

const reasonLength = 200
const own = "('system', 'information_schema', 'INFORMATION_SCHEMA')"

type Checked = { readonly part_path: string; readonly is_passed: number; readonly message: string }

/**
 * Has ClickHouse compare all parts with the checksums that it wrote with them. A part that was merged away since a copy was
 * taken is not asked for: what was merged has been read, and compared, for that. Throws a `BackupError` that names the first
 * part that is damaged.
 */
async function checkParts(clickhouse: Pick<ClickHouse, 'rows'>, signal: AbortSignal): Promise<void> {
  const tables = await clickhouse.rows<{ database: string; name: string }>({
    text: `SELECT DISTINCT database, table AS name FROM system.parts WHERE active AND database NOT IN ${own}`,
    params: {},
  })
  for (const { database, name } of tables) {
    signal.throwIfAborted()
    const bad = await damagedPart(clickhouse, qualified(database, name))
    if (bad) {
      const reason = bad.message.replace(/\s+/g, ' ').slice(0, reasonLength)
      throw new BackupError(`the part ${bad.part_path} of ${database}.${name} is damaged: ${reason}`)
    }
  }
}

async function damagedPart(clickhouse: Pick<ClickHouse, 'rows'>, table: string): Promise<Checked | undefined> {
  try {
    const text = `CHECK TABLE ${table} SETTINGS check_query_single_value_result = 0`
    return (await clickhouse.rows<Checked>({ text, params: {} })).find(({ is_passed }) => is_passed === 0)
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}
