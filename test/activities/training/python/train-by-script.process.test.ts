import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { Tensor } from 'onnxruntime-node'
import { createModelProcesses, usualModelProcess } from '../../../../activities/models/process/model-processes.ts'
import { createTrainByScript } from '../../../../activities/training/python/index.ts'
import { createScriptRunner } from '../../../../activities/training/python/script-runner.ts'
import { findInterpreter } from '../../../../activities/training/python/train-by-script.ts'
import { runModel } from '../../../learn/algorithms/text/run-model.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'
import { oneNode, sumModel } from './models.ts'

const scripts = createScriptRunner({ DATA_DIR: temporaryFolder(), PY_UNCAGED: '0', PY_NETWORK: '0' })
const apart = createModelProcesses({ ...usualModelProcess, isUncaged: true, time_ms: 5_000 })

const csv = 'a,b,target\n1,2,x\n3,4,y\n'

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
}

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

/** Python that writes these bytes as a file. */
const write = (bytes: Uint8Array, name = 'model.onnx'): string =>
  `import base64; open('${name}', 'wb').write(base64.b64decode('${Buffer.from(bytes).toString('base64')}'))\n`

async function train(
  script: string,
  parameters: Record<string, unknown> = {},
  signal = new AbortController().signal,
  modelBytes = 1e9,
) {
  const parent = temporaryFolder()
  const log: string[] = []
  const beats: number[] = []
  const result = createTrainByScript({ runProgram: scripts.runProgram, apart, parent, modelBytes })({
    script: new TextEncoder().encode(script),
    data: bytesOf(csv),
    config: {
      algo_param: {
        script: 'mine/fit_it.py',
        time_limit_s: 30,
        memory_mb: 1000,
        output_mb: 4,
        depth: 3,
        ...parameters,
      },
      attr_list: [
        { name: 'a', position: 0, type: 'DOUBLE' },
        { name: 'b', position: 1, type: 'DOUBLE' },
        { name: 'target', position: 2, type: 'STRING' },
      ],
      target_idx: 2,
      format: 'CSV',
    },
    watch: { beat: (share) => beats.push(share), log: (line) => log.push(line) },
    signal,
  })
  const outcome = await result.then(
    (model) => ({ model, reason: '' }),
    (error: Error) => ({ model: undefined, reason: error.message }),
  )
  return { ...outcome, log, beats, left: readdirSync(parent) }
}

test.serial('a model that is larger than trainings may hold is refused by its size', async (t) => {
  const script = "open('model.onnx', 'wb').write(bytes(3 * 1024 * 1024))"
  const { reason } = await train(script, {}, undefined, 2 * 2 ** 20)
  t.is(reason, 'the model.onnx that the script wrote exceeds 2 MB (a third of MAX_TRAINING_MB, 2047 at most)')
})

test.serial('a script gets its data and configuration, and its model comes back checked', async (t) => {
  const { model, reason, log, beats, left } = await train(`
import json, sys
assert sys.argv[1:] == ['--config', 'config.json'], sys.argv
config = json.load(open(sys.argv[2]))
print(sys.argv[0], config['algo_param']['depth'], config['target_idx'], config['format'], config['attr_list'][1])
print(open(config['data_file']).read().split())
print('to stderr', file=sys.stderr)
${write(sumModel('float', 'd'))}`)
  t.is(reason, '')
  t.deepEqual([...log].sort(), [
    "['a,b,target', '1,2,x', '3,4,y']",
    "fit_it.py 3 2 CSV {'name': 'b', 'position': 1, 'type': 'DOUBLE'}",
    'to stderr',
  ])
  t.like(model, { input: { name: 'x', type: 'float32' }, output: { name: 'sum', type: 'float32' } })
  const { sum } = await runModel(model?.bytes ?? new Uint8Array(), { x: new Tensor('float32', [1, 2, 3, 4], [2, 2]) })
  t.deepEqual([...(sum?.data ?? [])], [3, 7])
  t.true(beats.length > 0 && beats.every((share) => share >= 0 && share < 1))
  t.deepEqual(left, [])
})

const failures: readonly (readonly [string, string, RegExp])[] = [
  [
    'raises',
    'import os\nraise ValueError("no such column")',
    /exit code 1; its last line: ValueError: no such column$/,
  ],
  ['is no Python', 'function () {', /exit code 1; its last line: SyntaxError/],
  ['crashes', 'import os; os.kill(os.getpid(), 11)', /ended by SIGSEGV/],
  ['hangs', 'import time; time.sleep(100)', /^the script was stopped: it ran longer than 2 s$/],
  ['eats memory', 'b = bytearray(3_000_000_000)', /last line: MemoryError/],
  ['fills the disk', "f = open('f', 'wb')\nwhile True: f.write(b'0' * 99999)", /wrote more than 5 MB|File too large/],
  ['forks', 'import os, time\nfor _ in range(7): os.fork()\ntime.sleep(60)', /it started more than 64 processes/],
  ['prints endlessly', "while True: print('y' * 5000)", /it printed more than 16 MB/],
  ['writes no model', 'print("done")', /^the script wrote no model.onnx in its folder \(ENOENT\)$/],
  ['writes an empty model', "open('model.onnx', 'w')", /model.onnx that the script wrote is empty/],
  ['links its model', "import os; os.symlink('/etc/passwd', 'model.onnx')", /no model.onnx in its folder \(ELOOP\)/],
  ['makes a folder of it', "import os; os.mkdir('model.onnx')", /is no file/],
  ['makes a pipe of it', "import os; os.mkfifo('model.onnx')", /is no file/],
  ['writes nonsense', "open('model.onnx', 'w').write('no model')", /^model.onnx does not load: /],
  ['leaves out columns', write(sumModel('double', 3)), /is \[-1, 3\]|is \[N, 3\].*must be \[N, 2\]/],
  [
    'takes whole numbers',
    write(oneNode('Identity', 'int64', ['N', 2], 'int64')),
    /is int64; it must be float32 or float64/,
  ],
  ['takes one dimension', write(oneNode('Identity', 'double', ['N'], 'double')), /must be \[N, 2\]/],
  [
    'gives two values a row',
    write(oneNode('Identity', 'double', ['N', 2], 'double')),
    /'y' of model.onnx is \[3, 2\] for 3 rows/,
  ],
  ['takes one row at a time', write(oneNode('Identity', 'double', [1, 2], 'double')), /cannot predict 3 rows: /],
]

for (const [what, script, reason] of failures) {
  test.serial(`a script that ${what} is refused with the reason, and leaves nothing`, async (t) => {
    const result = await train(script, what === 'hangs' ? { time_limit_s: 2 } : {})
    t.is(result.model, undefined)
    t.regex(result.reason, reason)
    t.deepEqual(result.left, [])
  })
}

test.serial('an endless log keeps its first and its last lines', async (t) => {
  const { log } = await train('for i in range(5000): print(i)')
  t.is(log.length, 551)
  t.deepEqual(log.slice(499, 502), ['499', '... 4450 more lines ...', '4950'])
  t.is(log.at(-1), '4999')
})

test.serial('a cancelled script ends at once, with its children', async (t) => {
  const stop = new AbortController()
  const mark = `${process.pid}.25`
  const hasChild = () => everyCommand().some((command) => command.includes(`sleep\0${mark}`))
  const result = train(
    `import subprocess, time
subprocess.Popen(['sleep', '${mark}'], start_new_session=True, env={'PATH': '/usr/bin:/bin'})
time.sleep(60)`,
    {},
    stop.signal,
  )
  await until('the script', hasChild)
  stop.abort(new Error('the training was cancelled'))
  t.like(await result, { reason: 'the training was cancelled', left: [] })
  t.false(hasChild())
})

const refused: readonly (readonly [Record<string, unknown>, RegExp])[] = [
  [{ script: '' }, /algo_param.script is ''/],
  [{ script: '../up.py' }, /algo_param.script is '..\/up.py'/],
  [{ script: 7 }, /script/],
  [{ time_limit_s: 0 }, /time_limit_s.*from 1 to 86400/],
  [{ memory_mb: 1e9 }, /memory_mb/],
]

for (const [parameters, reason] of refused) {
  test.serial(`algo_param ${JSON.stringify(parameters)} is refused before anything runs`, async (t) => {
    const { reason: given, log } = await train('print("ran")', parameters)
    t.regex(given, reason)
    t.deepEqual(log, [])
  })
}

test.serial('where no cage can be built scripts are off, and the reason names the setting', async (t) => {
  const { PATH } = process.env
  process.env.PATH = temporaryFolder()
  try {
    const settings = { DATA_DIR: temporaryFolder(), PY_NETWORK: '0' } as const
    const off = await createScriptRunner({ ...settings, PY_UNCAGED: '0' }).whyOff()
    t.regex(off ?? '', /^PY is off: this machine cannot cage a script \(spawn unshare ENOENT\); with PY_UNCAGED=1 /)
    t.is(await createScriptRunner({ ...settings, PY_UNCAGED: '1' }).whyOff(), undefined)
  } finally {
    process.env.PATH = PATH
  }
})

test.serial('a script with packages of a virtual environment in a home folder runs in the cage', async (t) => {
  const { PATH } = process.env
  const home = temporaryFolder()
  const { executable } = await findInterpreter()
  spawnSync(executable, ['-m', 'venv', '--without-pip', join(home, 'venv')])
  const { stdout } = spawnSync(join(home, 'venv/bin/python3'), [
    '-c',
    'import sysconfig; print(sysconfig.get_paths()["purelib"])',
  ])
  writeFileSync(join(stdout.toString().trim(), 'mine.py'), 'answer = 42')
  process.env.PATH = `${join(home, 'venv/bin')}:${PATH}`
  try {
    const { reason, log } = await train(`import mine\nprint(mine.answer)\n${write(sumModel('double', 2))}`)
    t.deepEqual([reason, log], ['', ['42']])
  } finally {
    process.env.PATH = PATH
  }
})
