/** The pages on the client, the command and projects: each program and command is run, and prints what the page shows. */
import { execFile, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import test from 'ava'
import { matches } from '../../support/examples.ts'
import { pathOf, programOf } from '../../support/program.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { url, client, close } = await startService()
test.after.always(close)
const folder = temporaryFolder()
mkdirSync(join(folder, 'bin'), { recursive: true })
const command = join(folder, 'bin/weir')
writeFileSync(
  command,
  `#!/bin/sh\nexec ${[process.execPath, ...programOf('clients/node/cli/main.ts')].map((word) => `'${word}'`).join(' ')} "$@"\n`,
)
chmodSync(command, 0o755)
const env = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: folder, WEIR_URL: url, LANG: 'C.UTF-8' }

const page = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8')

/** Runs the `$ ...` of a page's blocks in a shell, one after the other; what each prints, and what the page shows. */
async function commandsOf(name: string, at: string): Promise<{ command: string; shown: string; said: string }[]> {
  const blocks = [...page(name).matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
  const found: { command: string; shown: string; said: string }[] = []
  for (const part of blocks.flatMap((block) => block.split(/^\$ /m).slice(1))) {
    const [line = '', ...shown] = part.trimEnd().split('\n')
    const child = spawn('sh', ['-c', line], { cwd: at, env, stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    child.stdout.on('data', (data: Buffer) => {
      said += data
    })
    await new Promise((resolve) => child.once('close', resolve))
    found.push({ command: line, shown: shown.join('\n'), said: said.trimEnd() })
  }
  return found
}

test.serial('docs/projects.md', async (t) => {
  const at = join(folder, 'project')
  mkdirSync(at)
  for (const { command: line, shown, said } of await commandsOf('projects', at)) t.is(said, shown, line)
  t.true(page('projects').includes(readFileSync(join(at, 'saved/revenue.sql'), 'utf8')))
})

test.serial('docs/cli.md', async (t) => {
  const all = await commandsOf('cli', folder)
  t.true(all.length >= 6)
  for (const { command: line, shown, said } of all) t.true(matches(said, shown), `${line}\n${said}`)
})

for (const name of ['docs/clients.md', 'README.md'])
  test.serial(name, async (t) => {
    const text = readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8')
    const programs = [...text.matchAll(/```js\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)]
    t.true(programs.length >= 1)
    await client.send('DELETE', '/stream/shop')
    for (const [, program = '', shown = ''] of programs) {
      const file = join(folder, 'program.mjs')
      const here = program.replace("'weir-client'", JSON.stringify(pathOf('clients/node/src/index.ts')))
      const wide = "import util from 'node:util'\nutil.inspect.defaultOptions.breakLength = Number.POSITIVE_INFINITY\n"
      writeFileSync(file, `${wide}${here.replace('http://localhost:18080', url)}`)
      const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', file], {
        env,
        cwd: process.cwd(),
      })
      t.true(matches(stdout.trimEnd(), shown.trimEnd()), stdout)
    }
  })

test('every command is named in docs/cli.md', async (t) => {
  const { stdout } = await promisify(execFile)(command, ['completion', 'bash'], { env })
  const [, names = ''] = /compgen -W "([^"]*)"/.exec(stdout) ?? []
  for (const name of names.split(' ')) t.regex(page('cli'), new RegExp(`\\b${name}\\b`), name)
})
