/** The package that `npm run package` makes: installed into an empty folder, it serves, with its console, its pages and its demo. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** The repository: tests may run from a mirror of their sources, whose files are links. */
const root = process.cwd()
const run = promisify(execFile)
const longest_ms = 15 * 60_000

/** A started service: the address that it logs, and its end. */
async function serve(command: string, args: readonly string[], cwd: string) {
  const env = { ...process.env, HOST: '127.0.0.1', PORT: '0', CLICKHOUSE_HTTP_PORT: '0', DATA_DIR: temporaryFolder() }
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [greeting, said] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    greeting += text
  })
  const exited = once(child, 'exit')
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text
      const found = /"url":"([^"]+)"/.exec(said)?.[1]
      if (found) resolve(found)
    })
    child.once('close', () => reject(new Error(said)))
  })
  return {
    url,
    greeting: () => greeting,
    /** The exit code behind SIGTERM. */
    async end(): Promise<unknown> {
      child.kill('SIGTERM')
      return (await exited)[0]
    },
  }
}

test('the package, installed into an empty folder, serves with its console, its pages and the demo', async (t) => {
  t.timeout(longest_ms)
  // Not where other tests have their folders, which may be in memory: it has a gigabyte.
  const folder = mkdtempSync('/var/tmp/weir-package-')
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  await run('npm', ['run', 'package', '--', '--pack-destination', folder], { cwd: root, maxBuffer: 2 ** 26 })
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
  t.regex(tarball, /^weir-\d+\.\d+\.\d+\.tgz$/)
  writeFileSync(join(folder, 'package.json'), '{}')
  const quietly = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  await run('npm', ['install', ...quietly, join(folder, tarball)], { cwd: folder, maxBuffer: 2 ** 26 })

  const installed = join(folder, 'node_modules', 'weir')
  const { scripts } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  t.deepEqual(
    ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts),
    [],
  )
  for (const page of ['README.md', 'LICENSE', 'NOTICE', 'docs/tour.md', 'docs/images/streams.png', 'llms.txt'])
    t.true(existsSync(join(installed, page)), page)
  t.false(existsSync(join(installed, 'test')))

  const program = join(folder, 'node_modules', '.bin', 'weir-server')
  const service = await serve(program, [], folder)
  const page = await (await fetch(service.url, { headers: { accept: 'text/html' } })).text()
  const asset = /\/console\/assets\/[\w.-]+\.js/.exec(page)?.[0] ?? ''
  t.is((await fetch(`${service.url}${asset}`)).status, 200, page)
  t.is((await fetch(`${service.url}/docs`)).status, 200)
  t.regex(service.greeting(), /weir-server demo/)
  const env = { ...process.env, WEIR_URL: service.url }
  const demo = await run('npx', ['weir-server', 'demo'], { cwd: folder, env, maxBuffer: 2 ** 26 })
  t.regex(demo.stdout, /One pass over the file gives the same/)
  const wrong = await t.throwsAsync<Error & { code: number; stderr: string }>(run(program, ['serv']))
  t.is(wrong.code, 2)
  t.regex(wrong.stderr, /weir-server demo/)
  t.is(await service.end(), 0)
})

test('the first command of the README works as it stands', async (t) => {
  t.timeout(longest_ms)
  const [first = ''] = /(?<=^```sh\n).*/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  const [command = '', ...args] = first.split('#')[0]?.trim().split(' ') ?? []
  t.is(command, 'npm', first)
  const service = await serve(command, args, root)
  t.is((await fetch(`${service.url}/health/ready`)).status, 200)
  t.regex(service.greeting(), /npm run demo/)
  await service.end()
  t.pass()
})
