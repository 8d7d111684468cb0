import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import test from 'ava'
import { findInterpreter } from '../../../activities/training/python/train-by-script.ts'
import { createCage } from '../../../infra/subprocess/cage.ts'
import type { End, Run } from '../../../infra/subprocess/run.ts'
import { createRunProgram } from '../../../infra/subprocess/subprocess.ts'
import { loader, pathOf } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

process.env.WEIR_TEST_SECRET = 'to be kept'
const limits = { time_ms: 20_000, memory_mb: 300, folder_mb: 8, printed_mb: 1, processes: 20 }
const data = temporaryFolder()
mkdirSync(join(data, 'scripts/other'), { recursive: true })
writeFileSync(join(data, 'secret'), 'to be kept')
writeFileSync(join(data, 'scripts/other/data.csv'), 'to be kept')
chmodSync(data, 0o755)

const cage = createCage({ hidden: [data], network: false })
const open = createCage({ hidden: [data], network: true })
const python = await findInterpreter()
const fault = await cage.fault()
const caged = fault === undefined ? test.serial : test.serial.skip

test('this machine says whether it can cage', (t) => {
  if (fault !== undefined) t.log(`the tests of cages are skipped: ${fault}`)
  // As root of a machine or of a virtual one there is no excuse; containers may forbid it.
  t.true(fault === undefined || process.getuid?.() !== 0 || process.env.CI === undefined, fault)
})

type Outcome = { readonly end: End; readonly lines: readonly string[]; readonly folder: string }

async function inside(
  source: string,
  run: Partial<Run> = {},
  where = cage,
  folder = join(data, 'scripts', `run-${Math.random()}`),
): Promise<Outcome> {
  mkdirSync(folder)
  writeFileSync(join(folder, 'program.py'), source)
  const lines: string[] = []
  const end = await createRunProgram(where)({
    command: python.executable,
    arguments: ['-u', 'program.py'],
    folder,
    readable: python.folders,
    limits,
    signal: new AbortController().signal,
    line: (text) => lines.push(text),
    ...run,
  })
  return { end, lines, folder }
}

caged('a caged program writes its folder, and starts with its packages, threads and processes', async (t) => {
  const { end, lines, folder } = await inside(`
import json, os, sqlite3, ssl, subprocess, sys, tempfile, multiprocessing, concurrent.futures
open('made', 'w').write('here')
open(tempfile.mkstemp()[1], 'w').write('too')
print(os.getcwd(), subprocess.run([sys.executable, '-c', 'print(6 * 7)'], capture_output=True, text=True).stdout.strip())
print(list(concurrent.futures.ThreadPoolExecutor().map(abs, [-1, -2])), multiprocessing.Pool(2).map(abs, [-3]))`)
  t.deepEqual(lines, ['/task 42', '[1, 2] [3]'])
  t.deepEqual(end, { kind: 'exit', code: 0 })
  t.is(readFileSync(join(folder, 'made'), 'utf8'), 'here')
})

caged('a caged program sees no environment, memory or process but its own', async (t) => {
  const { lines } = await inside(`
import ctypes, glob, os
found = []
for path in glob.glob('/proc/[0-9]*/environ'):
    try: found.append(open(path).read())
    except OSError: pass
print(len(found) > 0, any('to be kept' in each for each in found))
links = [os.path.realpath(f'/proc/self/fd/{fd}') for fd in os.listdir('/proc/self/fd') if int(fd) > 2]
print('descriptors', [link for link in links if link != '/dev/null' and not link.startswith('/proc/')])
print([p for p in map(int, filter(str.isdigit, os.listdir('/proc'))) if p > 200])
libc = ctypes.CDLL(None, use_errno=True)
print('kill', [libc.kill(pid, 0) for pid in (${process.pid}, ${process.ppid})])
print('ptrace', libc.ptrace(16, ${process.pid}, 0, 0))
for path in ('/proc/${process.pid}/mem', '/proc/1/root/old/etc/passwd', '/proc/${process.pid}/root/etc/passwd'):
    try: print('read', open(path, 'rb').read(1))
    except OSError: pass`)
  t.deepEqual(lines, ['True False', 'descriptors []', '[]', 'kill [-1, -1]', 'ptrace -1'])
})

caged('a caged program reaches no file of the machine, and changes none', async (t) => {
  const { lines } = await inside(
    `
import os
def tried(what, act):
    """Prints what should not be possible; what it answers is nothing where it failed."""
    try: found = act()
    except Exception: return
    if found: print(what, found)
data = ${JSON.stringify(data)}
tried('read', lambda: open(data + '/secret').read())
tried('list', lambda: os.listdir(data))
tried('write', lambda: open(data + '/mine', 'w'))
tried('other', lambda: os.listdir(data + '/scripts/other'))
tried('up', lambda: [name for name in os.listdir('..') if name not in ('bin','dev','etc','lib','lib32','lib64','libx32','nix','old','proc','root','sbin','sys','task','tmp','usr','home','opt')])
for place in ('/etc/passwd2', '/usr/mine', '/mine', '/old/mine', '/dev/mine', os.path.dirname(os.__file__) + '/mine.py', '/proc/sys/kernel/core_pattern'):
    tried(place, lambda: open(place, 'w'))
for secret in ('/etc/shadow', '/etc/hostname', '/root/.bashrc', '/root/.ssh', '/var', '/run', '/work', ${JSON.stringify(process.cwd())}):
    tried(secret, lambda: os.path.exists(secret))
tried('old', lambda: os.listdir('/old'))
tried('mount', lambda: os.system('mount -t tmpfs x /task 2>/dev/null') == 0)
tried('user namespace', lambda: os.system('unshare -Ur true 2>/dev/null') == 0)
tried('device', lambda: os.mknod('/task/device', 0o60600, os.makedev(254, 0)) or 'made')
tried('chown', lambda: os.chown('/task/program.py', 12345, 0) or 'done')
print('done')`,
    // Also where the data folder is part of what it may read.
    { readable: [...python.folders, join(data, '..')] },
  )
  t.deepEqual(lines, ['done'])
  t.deepEqual(readdirSync(data).sort(), ['scripts', 'secret'])
})

const canMount = process.getuid?.() === 0 && fault === undefined
;(canMount ? test.serial : test.serial.skip)('a mount below a folder that it may read is read-only, too', async (t) => {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const below = join(folder, 'with a blank', 'below')
  mkdirSync(below, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'mode=1777', 'tmpfs', below])
  t.teardown(() => execFileSync('umount', [below]))
  const { lines } = await inside(
    `
import os
place = ${JSON.stringify(below)}
print(os.path.isdir(place))
try: print('wrote', open(place + '/mine', 'w'))
except OSError as error: print(error.strerror)`,
    { readable: [...python.folders, folder] },
  )
  t.deepEqual(lines, ['True', 'Read-only file system'])
})

caged('a caged program has no network unless it is given one', async (t) => {
  const server = createServer((socket) => socket.end('hello'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const source = `
import socket
try: print(socket.create_connection(('127.0.0.1', ${port}), 3).recv(9))
except OSError as error: print('none')`
  t.deepEqual((await inside(source)).lines, ['none'])
  t.deepEqual((await inside(source, {}, open)).lines, ["b'hello'"])
})

/** Leaves its session and its parents with an empty environment, and writes down that it lives. */
const leaver = `
import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        beat = "import time\\nfor i in range(600): open('/task/beat', 'w').write(str(i)); time.sleep(0.02)"
        os.execve(sys.executable, [sys.executable, '-c', beat], {})
    os._exit(0)
while not os.path.exists('/task/beat'): time.sleep(0.01)
`

const isStill = async (file: string): Promise<boolean> => {
  const before = readFileSync(file, 'utf8')
  await new Promise((resolve) => setTimeout(resolve, 300))
  return readFileSync(file, 'utf8') === before
}

caged('what leaves the session with an empty environment ends with a program that ends by itself', async (t) => {
  const { end, folder } = await inside(leaver)
  t.deepEqual(end, { kind: 'exit', code: 0 })
  t.true(await isStill(join(folder, 'beat')))
})

caged('what leaves the session with an empty environment ends with a program that is stopped', async (t) => {
  const stop = new AbortController()
  const folder = join(data, 'scripts', 'stopped')
  const run = inside(
    `${leaver}print('left')\ntime.sleep(60)`,
    { line: () => stop.abort(new Error('stopped')), signal: stop.signal },
    cage,
    folder,
  )
  await t.throwsAsync(run, { message: 'stopped' })
  t.true(await isStill(join(folder, 'beat')))
})

caged('what leaves the session counts in the limits', async (t) => {
  const leave = 'import os, time\nif os.fork() == 0: os.setsid()\n'
  const hog = await inside(`${leave}if os.fork() == 0: os.setsid()
b = bytearray(os.urandom(1)) * 90_000_000
time.sleep(30)`)
  t.deepEqual(hog.end, { kind: 'limit', reason: 'it took more than 300 MB of memory' })
  const forks = await inside(`import os, time
while True:
    try:
        os.fork()
        os.setsid()
    except OSError: pass`)
  t.deepEqual(forks.end, { kind: 'limit', reason: 'it started more than 20 processes' })
  await until('nothing of it is left', () => !everyCommand().some((command) => command.includes('program.py')))
})

const everyCommand = (): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
      } catch {
        return ''
      }
    })

caged('a caged program ends with the process that runs it, whatever session it is in', async (t) => {
  const folder = join(data, 'scripts', 'orphan')
  mkdirSync(folder)
  writeFileSync(join(folder, 'program.py'), `${leaver}\ntime.sleep(60)`)
  const runner = join(temporaryFolder(), 'runner.mjs')
  const run = { command: python.executable, arguments: ['program.py'], folder, readable: python.folders, limits }
  writeFileSync(
    runner,
    `import { createCage } from ${JSON.stringify(pathOf('infra/subprocess/cage.ts'))}
     import { createRunProgram } from ${JSON.stringify(pathOf('infra/subprocess/subprocess.ts'))}
     await createRunProgram(createCage({ hidden: [], network: false }))({ ...${JSON.stringify(run)},
       signal: new AbortController().signal, line: () => {} })`,
  )
  const child = spawn(process.execPath, [...loader, runner], { stdio: 'ignore' })
  await until('the one that left', () => existsSync(join(folder, 'beat')))
  child.kill('SIGKILL')
  await until('its end', () => isStill(join(folder, 'beat')))
  t.pass()
})
