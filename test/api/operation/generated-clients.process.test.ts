import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { earlierEdition } from '../../../api/document/earlier-edition.ts'
import {
  ensureOpenApiGenerator,
  ensureOpenApiJava,
  ensureOpenApiPythonClient,
} from '../../../scripts/parts/openapi-generators.js'
import { shortLived } from '../../../scripts/parts/short-lived-java.js'
import { isTaken } from '../../support/random/seed.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const [jars, java, python] = await Promise.all([
  ensureOpenApiGenerator(),
  ensureOpenApiJava(),
  ensureOpenApiPythonClient(),
])
const numClients = 5
/** A client's test, where it is its turn. A generator cannot be had everywhere: its `ensure` says why, and CI does not go without. */
const having = (part: string | undefined, at: number): typeof test.skip =>
  !isTaken(at, numClients) ? () => {} : part === undefined ? test.skip : test

const root = fileURLToPath(new URL('../../../', import.meta.url))
const documentFile = join(root, 'docs/openapi.json')
const document = JSON.parse(readFileSync(documentFile, 'utf8'))
const ids: string[] = Object.values<Record<string, { operationId: string }>>(document.paths).flatMap((methods) =>
  Object.values(methods).map(({ operationId }) => operationId),
)

const run = async (command: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) => {
  const options = { cwd, env: { ...process.env, ...env }, timeout: 170_000, maxBuffer: 2 ** 26 }
  const { stdout, stderr } = await promisify(execFile)(command, args, options)
  return stdout + stderr
}

/** A client of OpenAPI Generator, from the edition of OpenAPI 3.0. */
async function generate(language: string, ...more: readonly string[]): Promise<string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(earlierEdition(document)))
  const parts = 'apiTests=false,modelTests=false,apiDocs=false,modelDocs=false'
  const options = ['-i', 'openapi.json', '-g', language, '-o', 'client', '--global-property', parts, ...more]
  await run(
    'java',
    [...shortLived, '-cp', `${jars}/*`, 'org.openapitools.codegen.OpenAPIGenerator', 'generate', ...options],
    folder,
  )
  return join(folder, 'client')
}

having(jars, 0)('a client in Go compiles, and its events carry attributes and times of 64 bits', async (t) => {
  const client = await generate('go')
  await run('go', ['build', './...'], client, { GOFLAGS: '-buildvcs=false' })
  const event = readFileSync(join(client, 'model_event.go'), 'utf8')
  t.regex(event, /AdditionalProperties +map\[string\](interface\{\}|any)/)
  t.notRegex(event, /int32/)
  // Nothing is no 0: a key that never ends did not end in 1970.
  t.regex(readFileSync(join(client, 'model_list_keys_answer_keys_inner.go'), 'utf8'), /Expires NullableInt64/)
})

for (const [at, library] of ['native', 'okhttp-gson'].entries()) {
  having(jars && java, 1 + at)(`a client in Java compiles, of the library ${library}`, async (t) => {
    const client = await generate('java', '--library', library)
    const sources = join(client, 'sources.txt')
    const found = await run('find', ['src/main', '-name', '*.java'], client)
    writeFileSync(sources, found)
    t.true(found.split('\n').length > 100)
    await t.notThrowsAsync(run('javac', ['-nowarn', '-d', 'classes', '-cp', `${java}/*`, '@sources.txt'], client))
  })
}

having(jars, 3)('a client in TypeScript compiles', async (t) => {
  const client = await generate('typescript-fetch')
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--moduleResolution', 'bundler']
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  await t.notThrowsAsync(run(process.execPath, [tsc, ...options, '--module', 'esnext', 'index.ts'], client))
})

having(python, 4)('a client in Python has every call', async (t) => {
  const folder = temporaryFolder()
  const types = ['application/x-ndjson', 'text/plain', 'application/x-tar', 'text/html', 'text/css', 'text/javascript']
  const overrides = types.map((type) => `  ${type}: application/octet-stream`)
  writeFileSync(join(folder, 'config.yml'), `content_type_overrides:\n${overrides.join('\n')}\npost_hooks: []\n`)
  const options = ['--path', documentFile, '--output-path', 'client', '--config', 'config.yml', '--meta', 'none']
  const args = ['-m', 'openapi_python_client', 'generate', ...options]
  const said = await run('python3', args, folder, { PYTHONPATH: python ?? '' })
  t.notRegex(said, /will not be generated|Unable to process|duplicate models/)
  const made = await run('sh', ['-c', 'grep -rl "def sync_detailed" client/api | wc -l'], folder)
  t.is(Number(made), ids.length)
  await t.notThrowsAsync(run('python3', ['-m', 'compileall', '-q', 'client'], folder))
})
