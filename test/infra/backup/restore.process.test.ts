/** Folders that pass for a backup, and folders that do not. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import test from 'ava'
import { pack } from 'tar-stream'
import { packArchive } from '../../../infra/backup/pack-archive.ts'
import { restoreBackup } from '../../../infra/backup/restore-backup.ts'
import { saveBackup } from '../../../infra/backup/save-backup.ts'
import { NotStarted, spawnService } from '../../support/process.ts'
import { programOf } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const root = temporaryFolder()
let count = 0
const place = (): string => join(root, String(count++))

const about = { weir_backup: 1, version: '0', taken: 1, buckets: 'here' } as const
const large = Buffer.alloc(3_000_000, 'weir')

/** An archive of some files, one of them large, and an empty bucket. */
function archive(): Readable {
  const folder = place()
  mkdirSync(join(folder, 'log'), { recursive: true })
  mkdirSync(join(folder, 'buckets', 'empty'), { recursive: true })
  writeFileSync(join(folder, 'log', 'clock'), '1')
  writeFileSync(join(folder, 'buckets', `${'long'.repeat(40)}+`), large)
  writeFileSync(join(folder, 'buckets', 'nothing'), '')
  const trees = ['log', 'buckets'].map((name) => ({ folder: join(folder, name), place: name }))
  return packArchive({ trees, about }).archive
}

async function backup(): Promise<string> {
  const folder = place()
  await saveBackup(folder, async () => archive())
  return folder
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

test('a backup comes back as it was, empty buckets and files too', async (t) => {
  const [from, to] = [await backup(), place()]
  t.deepEqual(readdirSync(from).sort(), ['data.tar', 'manifest.json'])
  await restoreBackup(from, to)
  t.deepEqual(readdirSync(to).sort(), ['buckets', 'log'])
  t.deepEqual(readdirSync(join(to, 'buckets', 'empty')), [])
  t.true(readFileSync(join(to, 'buckets', `${'long'.repeat(40)}+`)).equals(large))
  t.is(readFileSync(join(to, 'buckets', 'nothing')).length, 0)
})

const tarOf = (name: string, content: string): Promise<Buffer> => {
  const packing = pack()
  packing.entry({ name }, content)
  packing.finalize()
  return buffer(Readable.from(packing))
}

/** Each spoils a whole backup in its way. */
const spoilt: Readonly<Record<string, readonly [spoil: (folder: string) => Promise<void> | void, says: RegExp]>> = {
  'is cut off in a file': [(folder) => truncateSync(join(folder, 'data.tar'), 1_500_000), /cannot be read to its end/],
  'is cut off between files': [(folder) => truncateSync(join(folder, 'data.tar'), 1024), /cut off/],
  'is empty': [(folder) => truncateSync(join(folder, 'data.tar'), 0), /cut off/],
  'lacks its archive': [(folder) => writeFileSync(join(folder, 'data.tar'), 'none'), /cannot be read|cut off/],
  'has another byte': [
    (folder) => {
      const bytes = readFileSync(join(folder, 'data.tar'))
      const at = bytes.indexOf('weirweir') + 1_000_000
      bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
      writeFileSync(join(folder, 'data.tar'), bytes)
    },
    /size or SHA-256 differs/,
  ],
  'has the manifest of another version': [
    (folder) => {
      const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
      writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...manifest, weir_backup: 2 }))
    },
    /format 1/,
  ],
  'has a foreign manifest': [(folder) => writeFileSync(join(folder, 'manifest.json'), '{"name":"x"}'), /manifest/],
  'has the archive of another backup': [
    async (folder) => {
      const other = place()
      const changed = place()
      mkdirSync(changed)
      writeFileSync(join(changed, 'clock'), '2')
      await saveBackup(other, async () => packArchive({ trees: [{ folder: changed, place: 'log' }], about }).archive)
      cpSync(join(other, 'data.tar'), join(folder, 'data.tar'))
    },
    /lacks|two different backups/,
  ],
  'would write beside the folder': [
    async (folder) => {
      const file = { path: 'log/../../../beside', bytes: 1, sha256: 'a'.repeat(64) }
      writeFileSync(join(folder, 'manifest.json'), JSON.stringify({ ...about, files: [file] }))
      writeFileSync(join(folder, 'data.tar'), await tarOf(file.path, 'x'))
    },
    /must be below/,
  ],
  'holds what its manifest does not have': [
    async (folder) => writeFileSync(join(folder, 'data.tar'), await tarOf('log/more', 'x')),
    /holds what the manifest does not have/,
  ],
}

for (const [what, [spoil, says]] of Object.entries(spoilt)) {
  test(`a backup that ${what} is refused, and nothing of it is kept`, async (t) => {
    const [from, to] = [await backup(), place()]
    await spoil(from)
    await t.throwsAsync(restoreBackup(from, to), { message: says })
    t.deepEqual(namesIn(to), [])
  })
}

test('a folder that holds something is neither backed up into nor restored into', async (t) => {
  const [from, to] = [await backup(), place()]
  mkdirSync(to)
  writeFileSync(join(to, 'precious'), 'mine')
  await t.throwsAsync(restoreBackup(from, to), { message: /not empty/ })
  await t.throwsAsync(
    saveBackup(to, async () => archive()),
    { message: /not empty/ },
  )
  await t.throwsAsync(
    saveBackup(from, async () => archive()),
    { message: /not empty/ },
  )
  t.deepEqual(readdirSync(to), ['precious'])
  await t.throwsAsync(restoreBackup(to, place()), { message: /no manifest\.json/ })
})

test('what breaks off on the way leaves no backup behind', async (t) => {
  const to = place()
  const whole = await buffer(archive())
  const cut = (): Readable => Readable.from([whole.subarray(0, 2_000_000)])
  await t.throwsAsync(
    saveBackup(to, async () => cut()),
    { message: /cannot be read/ },
  )
  const failing = async function* () {
    yield whole.subarray(0, 2_000_000)
    throw new Error('the line is down')
  }
  await t.throwsAsync(
    saveBackup(to, async () => Readable.from(failing())),
    { message: /the line is down/ },
  )
  t.deepEqual(readdirSync(to), [])
})

test('a backup command that is killed on the way leaves nothing that passes for a backup', async (t) => {
  const to = place()
  const whole = await buffer(archive())
  const server = createServer((_, response) => void response.write(whole.subarray(0, 2_000_000))).listen(0, '127.0.0.1')
  t.teardown(() => server.close().closeAllConnections())
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const child = spawn(process.execPath, [...programOf('commands/backup.ts'), to], {
    env: { PATH: process.env.PATH, WEIR_URL: url },
    stdio: 'ignore',
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const archived = join(to, 'data.tar')
  await until('half an archive', () => existsSync(archived) && readFileSync(archived).length > 1_000_000, 60_000)
  child.kill('SIGKILL')
  await ended
  await t.throwsAsync(restoreBackup(to, place()), { message: /no manifest\.json/ })
})

test('a data folder whose restore was killed is refused by services and by further restores', async (t) => {
  const [from, to] = [await backup(), place()]
  const whole = readFileSync(join(from, 'data.tar'))
  // A pipe that never ends, so that the restore is caught in the middle.
  spawnSync('rm', [join(from, 'data.tar')])
  spawnSync('mkfifo', [join(from, 'data.tar')])
  const child = spawn(process.execPath, [...programOf('commands/restore.ts'), from], {
    env: { PATH: process.env.PATH, DATA_DIR: to },
    stdio: 'ignore',
  })
  t.teardown(() => child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  const feed = spawn('sh', ['-c', `exec cat > '${join(from, 'data.tar')}'`], { stdio: ['pipe', 'ignore', 'ignore'] })
  t.teardown(() => feed.kill('SIGKILL'))
  feed.stdin.on('error', () => {})
  feed.stdin.write(whole.subarray(0, 2_000_000))
  await until('half a restore', () => existsSync(join(to, '.restoring', 'buckets')), 60_000)
  child.kill('SIGKILL')
  await ended
  feed.kill('SIGKILL')
  t.deepEqual(readdirSync(to), ['.restoring'])
  const error = await t.throwsAsync(spawnService({ DATA_DIR: to }), { instanceOf: NotStarted })
  t.regex(String(error?.message), /cut off/)
  await t.throwsAsync(restoreBackup(await backup(), to), { message: /cut off/ })
  t.deepEqual(readdirSync(to), ['.restoring'])
})
