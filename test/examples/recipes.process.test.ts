/** examples/recipes is one project: `weir test` proves it, and its programs print in each language what docs/recipes.md shows. */
import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { ensureHttpx } from '../../scripts/parts/httpx.js'
import { killServices, spawnService } from '../support/process.ts'
import { pathOf, programOf } from '../support/program.ts'
import { isTaken } from '../support/random/seed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/recipes.md', root), 'utf8')
const project = join(temporaryFolder(), 'recipes')
const packages = await ensureHttpx()

const languages = [
  { name: 'JavaScript', folder: 'javascript', ending: '.mjs', fence: 'js', command: process.execPath },
  { name: 'Python', folder: 'python', ending: '.py', fence: 'python', command: 'python3' },
  { name: 'shell', folder: 'shell', ending: '.sh', fence: 'sh', command: 'sh' },
] as const
const hasJq = spawnSync('jq', ['--version']).status === 0
const recipes = readdirSync(new URL('examples/recipes/javascript/', root)).map((file) => basename(file, '.mjs'))

test.before(() => {
  cpSync(new URL('examples/recipes/', root), project, { recursive: true, dereference: true })
  const installed = join(project, 'node_modules/weir-client')
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'package.json'), '{"name":"weir-client","type":"module","exports":"./index.js"}')
  const client = pathToFileURL(pathOf('clients/node/src/index.ts')).href
  writeFileSync(join(installed, 'index.js'), `export * from '${client}'\n`)
  mkdirSync(join(project, 'bin'))
  const words = [process.execPath, ...programOf('clients/node/cli/main.ts')].map((word) => `'${word}'`).join(' ')
  writeFileSync(join(project, 'bin/weir'), `#!/bin/sh\nexec ${words} "$@"\n`)
  chmodSync(join(project, 'bin/weir'), 0o755)
})
test.after.always(killServices)

const environment = (url: string) => ({
  PATH: `${join(project, 'bin')}${delimiter}${process.env.PATH}`,
  HOME: project,
  WEIR_URL: url,
  WEIR_SERVICE: process.cwd(),
  PYTHONPATH: [packages ?? '', join(process.cwd(), 'clients/python')].join(delimiter),
  PYTHONDONTWRITEBYTECODE: '1',
})

/** The output of a program: a value of JSON a line, however its language spaces it. */
const valuesOf = (said: string): unknown[] =>
  said
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

/** The lines that the page shows below the programs of a recipe. */
function shownOf(recipe: string): string {
  const [, behind = ''] = page.split(`\`examples/recipes/shell/${recipe}.sh\`:`)
  const [, shown = ''] = /```text\n([\s\S]*?)```/.exec(behind) ?? []
  return shown
}

test.serial('weir test proves the definitions of all recipes', async (t) => {
  t.timeout(300_000)
  const { stdout } = await run('weir', ['test'], { cwd: project, env: environment('') })
  t.regex(stdout, /\n2\d passed, 0 failed\n$/)
  for (const recipe of recipes) t.true(stdout.includes(`tests/${recipe}.yaml: `), recipe)
})

// A program in a shell starts the command of each line, so that one language takes half a minute of a processor.
for (const { name, folder, ending, fence, command } of languages.filter((_, at) => isTaken(at, 3))) {
  const isThere = { javascript: true, python: packages !== undefined, shell: hasJq }[folder]
  const withLanguage = isThere ? test.serial : test.skip
  withLanguage(`the programs in ${name} print what the page shows, each as the page has it`, async (t) => {
    t.timeout(300_000)
    const { url, end } = await spawnService({ DATA_DIR: temporaryFolder() })
    const options = { cwd: project, env: environment(url) }
    await run('weir', ['apply'], options)
    t.deepEqual(
      readdirSync(join(project, folder))
        .map((file) => basename(file, ending))
        .toSorted(),
      recipes.toSorted(),
    )
    for (const recipe of recipes) {
      const path = `${folder}/${recipe}${ending}`
      const text = readFileSync(join(project, path), 'utf8')
      t.true(page.includes(`\`examples/recipes/${path}\`:\n\n\`\`\`${fence}\n${text}\`\`\``), path)
      const { stdout } = await run(command, [path], options)
      t.deepEqual(valuesOf(stdout), valuesOf(shownOf(recipe)), `${path}\n${stdout}`)
    }
    await end('SIGKILL')
  })
}
