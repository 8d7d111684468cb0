/** Lines of a log and of its copies at one place: of a service, of one that was restored from it, of places that are not as they were. */
import { mkdirSync, readdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { open } from 'lmdb'
import type { Since } from '../../../infra/backup/backups.ts'
import { createFolderPlace } from '../../../infra/backup/folder-place.ts'
import { BackupError, type Manifest, manifestName } from '../../../infra/backup/manifest.ts'
import { packArchive } from '../../../infra/backup/pack-archive.ts'
import type { BackupPlace } from '../../../infra/backup/place.ts'
import { restoreBackup } from '../../../infra/backup/restore-backup.ts'
import { restoreShipped } from '../../../infra/backup/restore-shipped.ts'
import { saveBackup } from '../../../infra/backup/save-backup.ts'
import { createShipping } from '../../../infra/backup/shipping.ts'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { silentLogger } from '../../../infra/logger.ts'
import { createMetrics } from '../../../infra/metrics.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const day_us = 24 * 3600 * 1_000_000
const wall = (): number => Date.now() * 1000

type Options = {
  readonly place: BackupPlace
  readonly to: string
  readonly folder?: string
  /** How far the computer's clock is ahead. */
  readonly ahead_us?: () => number
  readonly keep?: number
  /** Resolves once no client's backup is under way. */
  readonly idle?: () => Promise<void>
}

/** The log of a data folder, shipped by the service's own means. Copies are of the log alone. */
function startShipping(t: ExecutionContext, { place, to, folder = temporaryFolder(), ...more }: Options) {
  const { ahead_us = () => 0, keep = 7, idle = async () => {} } = more
  const now_us = (): number => wall() + ahead_us()
  const path = join(folder, 'log')
  const log = createLmdbLog({ path, maxBytes: 2 ** 24, shipping: { to, maxBytes: 2 ** 24 } })
  let [changes, copies] = [0, 0]
  const archive = async (since?: Since) => {
    const stage = temporaryFolder()
    await log.copy(join(stage, 'log'))
    const taken = now_us()
    let manifest: Manifest | undefined
    const packed = packArchive({
      trees: [{ folder: join(stage, 'log'), place: 'log' }],
      about: { weir_backup: 1, version: '0', taken, buckets: 'here', ...(since?.name && { since: since.name }) },
      known: since?.known,
      told: (its) => {
        manifest = its
      },
    })
    return { ...packed, taken, manifest: () => manifest }
  }
  const shipping = createShipping({
    place,
    service: 'one',
    log: log.shipping,
    backups: {
      idle,
      copy(known) {
        copies++
        return archive(known)
      },
    },
    changes: { count: () => changes, definitions: () => 0 },
    every_ms: 5,
    keep,
    metrics: createMetrics(),
    logger: silentLogger(),
    now_us,
  })
  shipping.open()
  let isEnded = false
  const end = async (): Promise<void> => {
    if (isEnded) return
    isEnded = true
    await shipping.close()
    await log.log.close()
  }
  t.teardown(end)
  const since = now_us()
  return {
    folder,
    shipping,
    line: () => log.shipping.line()?.lineage ?? '',
    change: () => changes++,
    /** Copies that were begun. */
    copies: () => copies,
    append: (line: string) => log.log.append('s.st', Buffer.from(`${line}\n`), 1),
    copied: (after_us = since) => until('a copy', () => (shipping.status().last_copy ?? 0) >= after_us),
    /** Until all that was appended is shipped. */
    shipped: () => until('the log to be shipped', () => log.shipping.line()?.shipped === log.shipping.last()),
    failing: () => until('a reason', () => shipping.status().reason),
    save: (saved: string) => saveBackup(saved, async () => (await archive()).archive),
    end,
  }
}

/** The lines that a restored folder's log has. */
async function linesIn(folder: string): Promise<string[]> {
  const { source, log } = createLmdbLog({ path: join(folder, 'log'), maxBytes: 2 ** 24 })
  const lines = [...source.chunks('s.st')].flatMap(({ lines: each }) => each.toString().trimEnd().split('\n'))
  await log.close()
  return lines
}

type Asked = { readonly to?: number; readonly line?: string }
async function restored(place: BackupPlace, { to, line }: Asked = {}): Promise<string[]> {
  const dataFolder = join(temporaryFolder(), 'data')
  await restoreShipped({ place, dataFolder, to, service: undefined, line })
  return linesIn(dataFolder)
}

const newPlace = () => {
  const to = temporaryFolder()
  return { to, place: createFolderPlace(to) }
}

/** The folders of whole copies, the earliest first. */
const copiesIn = (folder: string): string[] =>
  filesIn(folder, manifestName)
    .map((name) => dirname(name))
    .sort()

const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith(ending))

test('a folder that was restored from a backup ships in a line of its own, and leaves that of the original as it is', async (t) => {
  const { to, place } = newPlace()
  const first = startShipping(t, { place, to })
  await first.copied()
  await first.append('one')
  await first.shipped()
  const saved = join(temporaryFolder(), 'saved')
  await first.save(saved)
  await first.append('two')
  await first.shipped()
  const beforeDisaster = wall()
  const line = first.line()
  await first.end()

  const folder = join(temporaryFolder(), 'data')
  await restoreBackup(saved, folder)
  const second = startShipping(t, { place, to, folder })
  await second.copied()
  await second.append('three')
  await second.shipped()
  t.not(second.line(), line)
  await second.end()
  t.deepEqual(await restored(place), ['one', 'three'])
  t.deepEqual(await restored(place, { to: beforeDisaster }), ['one', 'two'])
})

test('commits that were put twice, as their put was not noted, are there once after a restore', async (t) => {
  const { to, place } = newPlace()
  let [isCut, cuts] = [false, 0]
  const cutting: BackupPlace = {
    ...place,
    async put(name, content) {
      const put = await place.put(name, content)
      if (isCut && name.includes('/log/')) {
        cuts++
        throw new Error('the answer was lost')
      }
      return put
    },
  }
  const service = startShipping(t, { place: cutting, to })
  await service.copied()
  isCut = true
  await service.append('one')
  await until('a put that is not noted', () => cuts > 0)
  await service.append('two')
  const before = cuts
  await until('a longer one', () => cuts > before + 1)
  isCut = false
  await service.append('three')
  await service.shipped()
  await service.append('four')
  await service.shipped()
  await service.end()
  t.true(filesIn(join(to, 'one'), '').filter((name) => /\/log\/\d/.test(name)).length > 2)
  t.deepEqual(await restored(place), ['one', 'two', 'three', 'four'])
})

test('where a restored folder ships beside the original, a restore asks for the line, and takes the one that is named', async (t) => {
  const { to, place } = newPlace()
  const original = startShipping(t, { place, to })
  await original.append('one')
  await original.copied()
  await original.shipped()
  const saved = join(temporaryFolder(), 'saved')
  await original.save(saved)
  const folder = join(temporaryFolder(), 'data')
  await restoreBackup(saved, folder)
  const trial = startShipping(t, { place, to, folder })
  await trial.copied()
  await trial.append('of the trial')
  await trial.shipped()
  await original.append('two')
  await original.shipped()
  const [its, those] = [original.line(), trial.line()]
  for (const each of [original, trial]) await each.end()

  const error = await t.throwsAsync(restored(place), { instanceOf: BackupError })
  for (const line of [its, those, '--line']) t.true(error?.message.includes(line), error?.message)
  t.deepEqual(await restored(place, { line: its }), ['one', 'two'])
  t.deepEqual(await restored(place, { line: those }), ['one', 'of the trial'])
  await t.throwsAsync(restored(place, { line: 'none' }), {
    message: new RegExp(`no whole copy of the line none.*${its}`),
  })
})

test('full copies of a restored folder do not rotate out those of the original', async (t) => {
  const { to, place } = newPlace()
  const original = startShipping(t, { place, to })
  await original.append('one')
  await original.copied()
  await original.shipped()
  const saved = join(temporaryFolder(), 'saved')
  await original.save(saved)
  const line = original.line()
  await original.end()
  const folder = join(temporaryFolder(), 'data')
  await restoreBackup(saved, folder)
  let days = 0
  const trial = startShipping(t, { place, to, folder, keep: 2, ahead_us: () => days * day_us })
  await trial.copied()
  const fulls = () => filesIn(join(to, 'one', trial.line()), 'manifest.json').length
  for (days = 1; days < 6; days++) {
    const today = wall() + days * day_us
    await trial.copied(today)
    await until('two copies', () => fulls() === 2 || days < 2)
    t.true(filesIn(join(to, 'one', line), 'manifest.json').length > 0)
  }
  // A line that has been quiet for longer than a week goes.
  days = 9
  await until('the line to go', () => !readdirSync(join(to, 'one')).includes(line))
})

test('a copy that was taken while the clock was ahead is not the newest for ever', async (t) => {
  const { to, place } = newPlace()
  let ahead_us = 30 * day_us
  const service = startShipping(t, { place, to, ahead_us: () => ahead_us })
  await service.copied()
  await service.append('one')
  await service.shipped()
  ahead_us = 0
  await until('a full copy of now', () => filesIn(join(to, 'one'), '-full').length === 2)
  await until('it to be whole', () => filesIn(join(to, 'one'), 'manifest.json').length === 2)
  await service.end()
  const dataFolder = join(temporaryFolder(), 'data')
  const { taken } = await restoreShipped({ place, dataFolder, to: undefined, service: undefined })
  t.true(taken <= wall())
  t.deepEqual(await linesIn(dataFolder), ['one'])
})

for (const [what, spoil] of [
  ['damaged', (file: string) => truncateSync(file, 100)],
  ['missing', (file: string) => rmSync(file)],
] as const) {
  test(`a manifest that is ${what} at its place ends no copies: after a start a full one follows`, async (t) => {
    const { to, place } = newPlace()
    const first = startShipping(t, { place, to })
    await first.copied()
    const copies = () => filesIn(join(to, 'one'), 'manifest.json')
    const [full = ''] = copies()
    await first.append('one')
    first.change()
    await until('an increment', () => copies().length === 2)
    await first.end()
    spoil(join(to, 'one', full))
    const second = startShipping(t, { place, to, folder: first.folder })
    await second.copied()
    await second.append('two')
    await second.shipped()
    t.is(second.shipping.status().reason, undefined)
    await second.end()
    t.deepEqual(await restored(place), ['one', 'two'])
  })
}

test('a folder that is not there is made before the first copy, and never again: its disk may not be mounted', async (t) => {
  const to = join(temporaryFolder(), 'absent/place')
  const first = startShipping(t, { place: createFolderPlace(to), to })
  await first.append('one')
  await first.copied()
  await first.shipped()
  await first.end()
  renameSync(to, `${to}-unmounted`)
  const second = startShipping(t, { place: createFolderPlace(to), to, folder: first.folder })
  await second.append('two')
  t.regex(await second.failing(), /place is not there: mount its disk, or make the folder/)
  t.throws(() => readdirSync(to), { code: 'ENOENT' })
  renameSync(`${to}-unmounted`, to)
  await second.shipped()
  await second.end()
  t.deepEqual(await restored(createFolderPlace(to)), ['one', 'two'])
})

test('an empty folder in place of the disk that took copies gets none, and the disk goes on once it is back', async (t) => {
  const { to, place } = newPlace()
  const first = startShipping(t, { place, to })
  await first.copied()
  await first.append('one')
  await first.shipped()
  await first.end()
  renameSync(to, `${to}-unmounted`)
  mkdirSync(to)
  const second = startShipping(t, { place, to, folder: first.folder })
  await second.append('two')
  t.regex(await second.failing(), /has nothing of this service.*mount its disk.*make the folder one/)
  t.deepEqual(readdirSync(to), [])
  rmSync(to, { recursive: true })
  renameSync(`${to}-unmounted`, to)
  await second.copied()
  await second.shipped()
  await second.end()
  t.deepEqual(await restored(place), ['one', 'two'])
})

test('a place that was emptied takes a full copy once the folder of the service is made', async (t) => {
  const { to, place } = newPlace()
  const service = startShipping(t, { place, to })
  await service.copied()
  await service.append('one')
  await service.shipped()
  rmSync(join(to, 'one'), { recursive: true })
  service.change()
  await service.failing()
  mkdirSync(join(to, 'one'))
  await until('a full copy', () => filesIn(to, '-full').length === 1 && filesIn(to, 'manifest.json').length === 1)
  await service.append('two')
  await service.shipped()
  await service.end()
  t.deepEqual(await restored(place), ['one', 'two'])
})

test('parts of files that a kill left at the place go after a day, and later ones stay', async (t) => {
  const { to, place } = newPlace()
  const folder = join(to, 'one', 'line')
  mkdirSync(folder, { recursive: true })
  const old = new Date(Date.now() - 25 * 3600 * 1000)
  for (const name of ['old.part', 'new.part', 'whole']) writeFileSync(join(folder, name), 'half')
  for (const name of ['old.part', 'whole']) utimesSync(join(folder, name), old, old)
  mkdirSync(join(to, 'other'))
  writeFileSync(join(to, 'other', 'old.part'), 'of another service')
  utimesSync(join(to, 'other', 'old.part'), old, old)
  const service = startShipping(t, { place, to })
  await service.copied()
  await until('the part to go', () => !readdirSync(folder).includes('old.part'))
  await service.end()
  t.deepEqual(readdirSync(folder).sort(), ['new.part', 'whole'])
  t.deepEqual(readdirSync(join(to, 'other')), ['old.part'])
})

test('a data folder that an earlier version shipped, which noted no copies, ships to no folder that it would have to make', async (t) => {
  const { to, place } = newPlace()
  const first = startShipping(t, { place, to })
  await first.append('one')
  await first.copied()
  await first.shipped()
  await first.end()
  const root = open({ path: join(first.folder, 'log', 'log.mdb'), maxDbs: 16 })
  const notes = root.openDB<string, string>({ name: 'notes' })
  t.is(notes.get('copied to'), to)
  await notes.remove('copied to')
  await root.close()
  renameSync(to, `${to}-unmounted`)
  const second = startShipping(t, { place, to, folder: first.folder })
  await second.append('two')
  t.regex(await second.failing(), /mount its disk/)
  await second.end()
  t.throws(() => readdirSync(to), { code: 'ENOENT' })
})

test('a folder that a kill before the first copy left unmade is made at the next start', async (t) => {
  const to = join(temporaryFolder(), 'absent/place')
  const away = async () => {
    throw new Error('away')
  }
  const first = startShipping(t, {
    place: { ...createFolderPlace(to), make: async () => {}, list: async () => [], put: away },
    to,
  })
  await until('a line', () => first.line())
  await first.end()
  const second = startShipping(t, { place: createFolderPlace(to), to, folder: first.folder })
  await second.copied()
  t.is(second.shipping.status().reason, undefined)
})

test('the first copy makes its folder before it looks into it', async (t) => {
  const to = join(temporaryFolder(), 'absent/place')
  const place = createFolderPlace(to)
  let made = 0
  const isMade: boolean[] = []
  const service = startShipping(t, {
    to,
    place: {
      ...place,
      async make() {
        await place.make()
        made++
      },
      list(prefix) {
        isMade.push(made > 0)
        return place.list(prefix)
      },
    },
  })
  await service.copied()
  t.false(isMade.includes(false))
})

test('a full copy follows where the newest one is not at its place any more, though nothing has changed', async (t) => {
  const { to, place } = newPlace()
  const service = startShipping(t, { place, to })
  await service.copied()
  service.change()
  await until('an increment', () => copiesIn(to).length === 2)
  const [full = '', increment = ''] = copiesIn(to)
  t.deepEqual(
    [full, increment].map((name) => name.includes('full')),
    [true, false],
  )
  rmSync(join(to, increment), { recursive: true })
  await until('another copy', () => copiesIn(to).length === 2)
  t.true(
    copiesIn(to).every((name) => name.includes('full')),
    copiesIn(to).join(' '),
  )
})

test("nothing is asked of the place between the end of a client's backup and the copy that waited for it", async (t) => {
  const { to, place } = newPlace()
  let [isIdle, asked] = [false, 0]
  const service = startShipping(t, {
    to,
    idle: async () => {
      isIdle = true
    },
    place: {
      ...place,
      list(prefix) {
        if (isIdle && service.copies() === 0) asked++
        return place.list(prefix)
      },
    },
  })
  await service.copied()
  t.is(asked, 0)
})

test("a copy that waits for a client's backup does not begin once the service stops", async (t) => {
  const { to, place } = newPlace()
  let finish: (() => void) | undefined
  const idle = (): Promise<void> =>
    new Promise((done) => {
      finish = done
    })
  const service = startShipping(t, { place, to, idle })
  await until('the copy to wait', () => finish)
  const ended = service.end()
  finish?.()
  await ended
  t.is(service.copies(), 0)
})

test('a copy that failed is failing until a later one succeeds, also between the tries', async (t) => {
  const { to, place } = newPlace()
  let isAway = true
  const seen: (string | undefined)[] = []
  const service = startShipping(t, {
    to,
    place: {
      ...place,
      async put(name, content) {
        if (isAway && !name.includes('/log/')) {
          seen.push(service.shipping.status().reason)
          throw new Error('the place is away')
        }
        return place.put(name, content)
      },
    },
  })
  await until('some tries', () => seen.length >= 5)
  t.deepEqual(new Set(seen.slice(1)), new Set(['the place is away']))
  isAway = false
  await service.copied()
  await until('no reason', () => service.shipping.status().reason === undefined)
})

test('parts that cannot be removed fail no copy', async (t) => {
  const { to, place } = newPlace()
  let swept = 0
  const sweep = async (): Promise<void> => {
    swept++
    throw new Error('AccessDenied')
  }
  const seen: (string | undefined)[] = []
  const put: BackupPlace['put'] = (name, content) => {
    if (swept > 0 && !name.includes('/log/')) seen.push(service.shipping.status().reason)
    return place.put(name, content)
  }
  const service = startShipping(t, { place: { ...place, sweep, put }, to })
  await until('the sweep', () => swept > 0)
  service.change()
  await until('the next copy', () => seen.length > 0)
  t.deepEqual(new Set(seen), new Set([undefined]))
})
