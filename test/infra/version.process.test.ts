/** The commit of a build, as a build leaves it and as the service tells it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { killServices, spawnService } from '../support/process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

test.after.always(killServices)

const root = fileURLToPath(new URL('../../', import.meta.url))
const built = (environment: Readonly<Record<string, string>>): string => {
  const script = "import('./scripts/dist.js').then(({ commitOf }) => console.log(commitOf(process.env)))"
  return execFileSync(process.execPath, ['-e', script], { cwd: root, encoding: 'utf8', env: environment }).trim()
}

test('a build is of the commit that it is told, else of git, and of none without git', (t) => {
  const { PATH = '' } = process.env
  t.is(built({ PATH, WEIR_COMMIT: '0123456789abcdef0123' }), '0123456789ab')
  t.is(built({ PATH: '' }), 'undefined')
  t.regex(built({ PATH }), /^([0-9a-f]{12}|undefined)$/)
})

test('GET / and weir_build_info have the commit of the build', async (t) => {
  const { client, url, end } = await spawnService({ DATA_DIR: temporaryFolder() })
  const { commit, version } = (await client.get('/')).body
  const metrics = await (await fetch(`${url}/metrics`)).text()
  t.true(
    metrics.includes(`weir_build_info{version="${version}",commit="${commit ?? 'unknown'}"} 1`),
    metrics.slice(0, 500),
  )
  const file = new URL('../../dist/commit.json', import.meta.url)
  if (commit !== undefined) t.is(commit, JSON.parse(readFileSync(file, 'utf8')).commit)
  await end('SIGTERM')
})
