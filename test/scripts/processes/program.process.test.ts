import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { isAlive } from '../../../scripts/parts/cache.js'
import { freePort } from '../../../scripts/processes/ports.js'
import { startProgram } from '../../../scripts/processes/program.js'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const serve = 'require("node:http").createServer((_, out) => out.end("here")).listen(process.argv[1], "127.0.0.1")'

async function start(t: ExecutionContext, code = serve, onDeath?: (how: string) => void) {
  const port = await freePort()
  const answers = async () => Boolean(await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))
  const log = join(temporaryFolder(), 'log')
  const args = ['-e', code, String(port)]
  const program = await startProgram({
    name: 'It',
    command: process.execPath,
    args,
    ports: [port],
    log,
    answers,
    onDeath,
  })
  t.teardown(program.kill)
  return { program, answers }
}

const isUp = (pid: number | undefined): boolean => pid !== undefined && isAlive(pid)
const stateOf = (pid: number | undefined) =>
  execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })

test('a program answers once it is started, stays where it is when it is restarted, and is gone once it is stopped', async (t) => {
  const { program, answers } = await start(t)
  const first = program.pid
  t.true(await answers())
  await program.kill()
  t.false(isUp(first))
  await program.restart()
  t.true(await answers())
  const second = program.pid
  t.not(second, first)
  await program.stop()
  t.false(isUp(second))
  t.false(await answers())
})

test('a program that is paused does nothing, and can be resumed or stopped', async (t) => {
  const { program, answers } = await start(t)
  await program.pause()
  t.regex(stateOf(program.pid), /^T/)
  program.resume()
  t.true(await answers())
  await program.pause()
  const { pid } = program
  await program.stop()
  t.false(isUp(pid))
})

test('who started a program hears of its death, unless he asked for it', async (t) => {
  const deaths: string[] = []
  const { program } = await start(t, serve, (how) => deaths.push(how))
  await program.stop()
  await program.restart()
  await program.kill()
  await program.restart()
  t.deepEqual(deaths, [])
  process.kill(program.pid ?? 0, 'SIGKILL')
  await until('heard of', () => deaths.length > 0)
  t.regex(deaths.join(), /^It was ended by SIGKILL; /)
})

test('a program that does not come up is told with its last words', async (t) => {
  await t.throwsAsync(start(t, 'console.error("no such setting"); process.exit(3)'), {
    message: /^It ended with code 3; \S+ ends with:\nno such setting\n$/,
  })
})

test('a program is not started on a port where another listens, which would answer for it', async (t) => {
  const other = createServer((_, out) => out.end()).listen(0, '127.0.0.1')
  t.teardown(() => other.close())
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const program = { name: 'It', command: process.execPath, args: ['-e', ''], ports: [port], answers: async () => true }
  await t.throwsAsync(startProgram(program), { message: `It cannot start: port ${port} is in use` })
})

test('a program does not outlive its parent, not even one that is paused when its parent is killed', async (t) => {
  const parent = `
    import { startProgram } from ${JSON.stringify(new URL('../../../scripts/processes/program.js', import.meta.url).href)}
    const program = await startProgram({ name: 'It', command: process.execPath, args: ['-e', ${JSON.stringify(serve)}, '0'], ports: [] })
    await program.pause()
    console.log(program.pid)
    setInterval(() => {}, 1000)`
  const cwd = fileURLToPath(new URL('../../../', import.meta.url))
  const child = spawn(process.execPath, ['--input-type=module', '-e', parent], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const pid = Number(line)
  t.true(isUp(pid))
  child.kill('SIGKILL')
  await until('gone', () => !isUp(pid), 30_000)
  t.pass()
})
