import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import test from 'ava'
import { processesWith } from '../../../infra/subprocess/members.ts'
import type { End, Run } from '../../../infra/subprocess/run.ts'
import { createRunProgram } from '../../../infra/subprocess/subprocess.ts'
import { loader, pathOf } from '../../support/program.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const runProgram = createRunProgram()

const limits = { time_ms: 20_000, memory_mb: 300, folder_mb: 8, printed_mb: 1, processes: 12 }

type Outcome = {
  readonly end: End
  readonly lines: readonly string[]
  readonly folder: string
  readonly took_ms: number
}

async function python(source: string, run: Partial<Run> = {}): Promise<Outcome> {
  const folder = run.folder ?? temporaryFolder()
  writeFileSync(join(folder, 'program.py'), source)
  const lines: string[] = []
  const start = performance.now()
  const end = await runProgram({
    command: 'python3',
    arguments: ['-u', 'program.py', 'one', 'two words'],
    folder,
    limits,
    signal: new AbortController().signal,
    line: (text) => lines.push(text),
    ...run,
  })
  return { end, lines, folder, took_ms: performance.now() - start }
}

/** The process id that a program wrote into its folder, 0 until it has. */
const pidIn = (folder: string, file = 'pid'): number =>
  existsSync(join(folder, file)) ? Number(readFileSync(join(folder, file), 'utf8')) : 0

const isAlive = (pid: number): boolean =>
  existsSync(`/proc/${pid}/stat`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))

test.serial('a program gets its arguments, its folder, and nothing of our environment but PATH', async (t) => {
  process.env.WEIR_TEST_SECRET = 'hidden'
  const inside = await python(`
import os, sys
print(sys.argv[1:], os.getcwd() == os.path.realpath(os.environ['HOME']), sys.stdin.read() == '')`)
  t.deepEqual(inside.lines, ["['one', 'two words'] True True"])
  t.deepEqual(inside.end, { kind: 'exit', code: 0 })
  const { lines } = await python('', { command: 'env', arguments: [], environment: { ADDED: '1' } })
  const names = lines.map((line) => line.split('=')[0] ?? '').filter((name) => !/^(OLDPWD|PWD|SHLVL|_)$/.test(name))
  t.deepEqual(names.sort(), ['ADDED', 'HOME', 'LANG', 'PATH', 'TMPDIR', 'WEIR_RUN'])
})

test.serial('lines of stdout and stderr come while the program runs, cut and cleaned', async (t) => {
  const seen: string[] = []
  const stop = new AbortController()
  const run = python(
    `
import sys, time
print('\\x1b[31mred\\x1b[0m\\tand\\x07 plain\\r')
sys.stdout.flush()
sys.stderr.buffer.write(b'bad \\xff byte\\n' + b'x' * 5000)
sys.stderr.flush()
time.sleep(60)`,
    { line: (text) => seen.push(text), signal: stop.signal },
  )
  await until('the first lines', () => seen.length >= 2)
  stop.abort(new Error('enough'))
  await t.throwsAsync(run, { message: 'enough' })
  t.deepEqual(seen.slice(0, 2).sort(), ['bad � byte', 'red and  plain'])
  t.is(seen[2], `${'x'.repeat(1000)}…`)
})

const broken: readonly (readonly [string, string, End | RegExp])[] = [
  ['exits with its own code', 'raise SystemExit(3)', { kind: 'exit', code: 3 }],
  ['dies by a signal', 'import os; os.kill(os.getpid(), 11)', { kind: 'signal', signal: 'SIGSEGV' }],
  ['prints endlessly', "while True: print('y' * 1000)", /^it printed more than 1 MB$/],
  [
    'writes one large file',
    "f = open('big', 'wb')\nwhile True: f.write(b'z' * 65536)",
    /^it wrote more than 8 MB$|"code":1/,
  ],
  [
    'writes many files',
    "import itertools\nfor i in itertools.count(): open(f'f{i}', 'wb').write(b'z' * 100000)",
    /^it wrote more than 8 MB$/,
  ],
  [
    'forks as fast as it can',
    'import os, time\nfor _ in range(9): os.fork()\ntime.sleep(30)',
    /^it started more than 12 processes$/,
  ],
  [
    'eats memory in several processes',
    'import os, time\nfor _ in range(3): os.fork()\nb = bytearray(os.urandom(1)) * 80_000_000\ntime.sleep(30)',
    /^it took more than 300 MB of memory$/,
  ],
]

for (const [what, source, expected] of broken) {
  test.serial(`a program that ${what} is told apart`, async (t) => {
    const { end, took_ms } = await python(source)
    if (expected instanceof RegExp) t.regex(end.kind === 'limit' ? end.reason : JSON.stringify(end), expected)
    else t.deepEqual(end, expected)
    t.true(took_ms < 15_000, `took ${took_ms} ms`)
  })
}

test.serial('a process that asks for more addresses than allowed sees its own failure', async (t) => {
  const { end, lines } = await python('b = bytearray(2_000_000_000)', { limits: { ...limits, addresses_mb: 500 } })
  t.deepEqual(end, { kind: 'exit', code: 1 })
  t.regex(lines.at(-1) ?? '', /^MemoryError/)
})

test.serial(
  'a program that hangs ends with everything that it started, also what left its session and its parents',
  async (t) => {
    const { end, folder, took_ms } = await python(
      `
import os, signal, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        open('escaped', 'w').write(str(os.getpid()))
        time.sleep(60)
    os._exit(0)
time.sleep(60)`,
      { limits: { ...limits, time_ms: 700 } },
    )
    t.deepEqual(end, { kind: 'limit', reason: 'it ran longer than 0.7 s' })
    t.true(took_ms < 8_000, `took ${took_ms} ms`)
    t.false(isAlive(pidIn(folder, 'escaped')))
  },
)

test.serial('what a program leaves in the background ends with it, and its pipes are not waited for', async (t) => {
  const { end, folder, took_ms } = await python(`
import subprocess
open('pid', 'w').write(str(subprocess.Popen(['sleep', '60']).pid))`)
  t.deepEqual(end, { kind: 'exit', code: 0 })
  t.true(took_ms < 8_000, `took ${took_ms} ms`)
  // Killed by then; the system may take a moment to let go of it.
  await until('the program in the background is gone', () => !isAlive(pidIn(folder)), 3_000)
})

test.serial('beats come while a program runs, and one that throws ends it', async (t) => {
  let beats = 0
  const folder = temporaryFolder()
  const run = python("import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)", {
    folder,
    beat: () => {
      beats += 1
      if (existsSync(join(folder, 'pid'))) throw new Error('the deadline has passed')
    },
  })
  await t.throwsAsync(run, { message: 'the deadline has passed' })
  t.true(beats > 1)
  await until('its end', () => !isAlive(pidIn(folder)))
})

test.serial('a program that is not there is an exit of 127, and an aborted signal starts nothing', async (t) => {
  const { end, lines } = await python('', { command: 'no-such-program' })
  t.deepEqual(end, { kind: 'exit', code: 127 })
  t.regex(lines.join(), /no-such-program/)
  await t.throwsAsync(python('', { signal: AbortSignal.abort(new Error('too late')) }), { message: 'too late' })
  t.deepEqual(await processesWith('WEIR_RUN=never'), [])
})

for (const [what, isFrozen] of [
  ['a program', false],
  ['a program that is frozen while it is looked at', true],
] as const) {
  test.serial(`${what} does not outlive the process that runs it`, async (t) => {
    const { spawn } = await import('node:child_process')
    const folder = temporaryFolder()
    const module = pathOf('infra/subprocess/subprocess.ts')
    writeFileSync(
      join(folder, 'program.py'),
      "import os, time\nopen('pid', 'w').write(str(os.getpid()))\ntime.sleep(60)",
    )
    writeFileSync(
      join(folder, 'runner.mjs'),
      `import { createRunProgram } from ${JSON.stringify(module)}
     await createRunProgram()({ command: 'python3', arguments: ['program.py'], folder: ${JSON.stringify(folder)},
       limits: ${JSON.stringify(limits)}, signal: new AbortController().signal, line: () => {} })`,
    )
    const runner = spawn(process.execPath, [...loader, join(folder, 'runner.mjs')], { stdio: 'ignore' })
    const pid = await until('the program', () => pidIn(folder))
    await after(50)
    t.true(isAlive(pid))
    if (isFrozen) process.kill(-groupOf(pid), 'SIGSTOP')
    runner.kill('SIGKILL')
    await until('its end', () => !isAlive(pid))
    t.pass()
  })
}

/** proc(5): after the command in brackets come state, ppid, pgrp. */
const groupOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[2])
