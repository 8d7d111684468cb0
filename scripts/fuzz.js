// `npm run fuzz`: a Weir of its own on an empty folder, and Schemathesis sends it requests that its document allows,
// and ones that it does not. `npm run fuzz -- 500` makes 500 requests a call; WEIR_SEED=N repeats a run.

import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDist } from './dist.js'
import { onGround, prepareGround } from './fuzz-ground.js'
import { ensurePackages } from './packages.js'
import { ensureSchemathesis, runSchemathesis } from './parts/schemathesis.js'
import { freePort } from './processes/ports.js'
import { startProgram } from './processes/program.js'
import { root, say } from './processes/run.js'

await ensurePackages()
ensureDist()
const place = await ensureSchemathesis()
if (place === undefined) process.exit(1)
const folder = mkdtempSync(join(tmpdir(), 'weir-fuzz-'))
const seed = Number(process.env.WEIR_SEED ?? randomInt(2 ** 31))
const examples = Number(process.argv[2] ?? 100)
const port = await freePort()
const url = `http://127.0.0.1:${port}`
const settings = { PORT: String(port), HOST: '127.0.0.1', CLICKHOUSE_HTTP_PORT: '0', DATA_DIR: join(folder, 'data') }
const weir = await startProgram({
  name: 'Weir',
  command: process.execPath,
  args: [join(root, 'dist/api/main.js')],
  ports: [port],
  log: join(folder, 'weir.log'),
  env: { PATH: process.env.PATH, HOME: process.env.HOME, UV_THREADPOOL_SIZE: '48', LOG_LEVEL: 'warn', ...settings },
  answers: () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    ),
})
try {
  await prepareGround(url)
  const answer = await fetch(`${url}/openapi.json`)
  const document = onGround(/** @type {Parameters<typeof onGround>[0]} */ (await answer.json()))
  const phases = ['examples', 'coverage', 'fuzzing']
  const { code } = await runSchemathesis({
    ...{ place, folder, document, url, seed, examples, phases },
    say: (text) => process.stdout.write(text),
  })
  say(`WEIR_SEED=${seed}`)
  process.exitCode = code
} finally {
  await weir.stop()
  if (process.exitCode === 0) rmSync(folder, { recursive: true, force: true })
  else say(`Weir's log and data, and the requests that it got: ${folder}`)
}
