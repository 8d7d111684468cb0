/** The Dockerfile: its text, and its stages replayed without Docker, by the same commands in fresh folders. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import test, { type Implementation } from 'ava'
import { freePort } from '../../../scripts/processes/ports.js'
import { runs } from '../../support/random/seed.ts'
import { until } from '../../support/until.ts'

/** The repository: tests may run from a mirror of their sources, whose files are links. */
const root = process.cwd()
const read = (file: string): string => readFileSync(join(root, 'infra/docker', file), 'utf8')

type Step = { readonly name: string; readonly args: string }
type Stage = {
  readonly name: string
  readonly platform?: string
  readonly base: string
  readonly steps: readonly Step[]
}

/** The stages of a Dockerfile: comments are left out, and lines that go on are joined. */
function stagesOf(text: string): readonly Stage[] {
  const lines = text
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: (Stage & { steps: Step[] })[] = []
  for (const line of lines) {
    const [, name = '', args = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (name !== 'FROM') {
      stages.at(-1)?.steps.push({ name, args })
      continue
    }
    const [, platform, base = '', as = ''] = /^(?:--platform=(\S+) )?(\S+) AS (\S+)$/.exec(args) ?? []
    stages.push({ name: as, base, steps: [], ...(platform !== undefined && { platform }) })
  }
  return stages
}

const stages = stagesOf(read('Dockerfile'))
const stageOf = (name: string): Stage | undefined => stages.find((stage) => stage.name === name)

/** The files and folders of the build's context: the list beside the Dockerfile leaves all out but the names that it takes. */
const taken = read('Dockerfile.dockerignore')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []))

const copies = (stage: Stage) =>
  stage.steps.flatMap(({ name, args }) => {
    if (name !== 'COPY') return []
    const [, from, paths = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(args) ?? []
    const all = paths.split(/\s+/)
    return [{ from, sources: all.slice(0, -1), to: all.at(-1) ?? '' }]
  })

test('a file that a stage copies is in the repository and in the context of the build', (t) => {
  t.regex(read('Dockerfile.dockerignore'), /^\*\n/)
  const named = stages.flatMap(copies).filter(({ from }) => from === undefined)
  t.true(named.length > 10)
  for (const { sources } of named) {
    for (const source of sources) {
      t.true(existsSync(join(root, source)), source)
      t.true(
        taken.some((each) => source === each || source.startsWith(`${each}/`)),
        source,
      )
    }
  }
})

test('the image is for each processor that its packages are built for: no step names one, and the build runs on that of the machine', (t) => {
  t.is(stageOf('build')?.platform, '$BUILDPLATFORM')
  for (const { name, platform, steps } of stages) {
    if (name !== 'build') t.is(platform, undefined, name)
    for (const { args } of steps) t.notRegex(args, /amd64|x86_64|arm64|aarch64/, name)
  }
  // The packages are pruned for the processor of the image, which is told from the system.
  t.regex(read('prune.sh'), /uname -m[\s\S]*x86_64\)[\s\S]*aarch64 \| arm64\)/)
})

/** Two installations of the packages, from the network where npm has not kept them: `--all` has them, as it has every case. */
const isAsked = runs(0, 1) === 1

const stagesGiveAService: Implementation<[]> = async (t) => {
  t.timeout(30 * 60_000)
  const place = mkdtempSync('/var/tmp/weir-image-')
  t.teardown(() => rmSync(place, { recursive: true, force: true }))
  type Made = { readonly folder: string; readonly env: Record<string, string>; readonly command: string[] }
  const made = new Map<string, Made>()

  async function make(name: string): Promise<Made> {
    const known = made.get(name)
    if (known) return known
    const stage = stageOf(name)
    if (!stage) throw new Error(`no stage ${name}`)
    const folder = join(place, name)
    mkdirSync(folder)
    const base = stageOf(stage.base) && (await make(stage.base))
    if (base) cpSync(base.folder, folder, { recursive: true, verbatimSymlinks: true })
    /** Absolute paths of the image are those of its folder. */
    const at = (path: string): string => (path.startsWith('/') ? join(folder, path) : resolve(folder, 'weir', path))
    const env: Record<string, string> = { ...base?.env }
    let command = base?.command ?? []
    for (const { name: instruction, args } of stage.steps) {
      if (instruction === 'WORKDIR') mkdirSync(at(args), { recursive: true })
      else if (instruction === 'ENV' || instruction === 'ARG')
        for (const each of args.split(' ')) {
          const [key = '', value = ''] = each.split('=')
          env[key] = value
        }
      else if (instruction === 'RUN') {
        // Mounts are caches alone, and the machine has no user `node`.
        const shell = args
          .replace(/--mount=\S+ /g, '')
          .replace('-o node -g node ', '')
          .replace(/(?<=\s)\/(?=data\b)/g, `${folder}/`)
        const options = { cwd: at('.'), env: { ...process.env, ...env, npm_config_prefer_offline: 'true' } }
        await promisify(execFile)('sh', ['-c', shell], { ...options, maxBuffer: 2 ** 26 })
      } else if (instruction === 'COPY') {
        const [copy] = copies({ ...stage, steps: [{ name: instruction, args }] })
        const { from, sources, to } = copy ?? { sources: [], to: '' }
        const other = from === undefined ? undefined : await make(from)
        for (const source of sources) {
          const path = other ? join(other.folder, source) : join(root, source)
          const isInto = to.endsWith('/') || sources.length > 1
          cpSync(path, isInto ? join(at(to), basename(source)) : at(to), { recursive: true, verbatimSymlinks: true })
        }
      } else if (instruction === 'CMD') command = JSON.parse(args)
      else t.true(['USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK'].includes(instruction), instruction)
    }
    const result = { folder, env, command }
    made.set(name, result)
    return result
  }

  const { folder, env, command } = await make('embedded')
  t.false(existsSync(join(folder, 'weir/scripts')))
  const port = String(await freePort())
  // Without keys it serves this machine alone; in the image the setting is the user's to give.
  const settings = { ...env, HOST: '127.0.0.1', PORT: port, DATA_DIR: join(folder, 'data'), CLICKHOUSE_HTTP_PORT: '0' }
  const [program = '', ...args] = command
  const cwd = join(folder, 'weir')
  const child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...settings }, stdio: 'ignore' })
  t.teardown(() => child.kill('SIGKILL'))
  const health = stageOf('service')?.steps.find(({ name }) => name === 'HEALTHCHECK')?.args ?? ''
  const [probe = '', ...probed]: string[] = JSON.parse(/CMD (\[.*\])$/.exec(health)?.[1] ?? '[]')
  const isHealthy = () =>
    promisify(execFile)(probe, probed, { env: { PATH: process.env.PATH, PORT: port } }).then(
      () => true,
      () => false,
    )
  await until('the service is healthy', isHealthy, 120_000)
  // Alive is not ready: until then each call answers that the service is starting.
  const isReady = () => fetch(`http://127.0.0.1:${port}/health/ready`).then(({ ok }) => ok)
  await until('the service is ready', isReady, 120_000)
  const about = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { accept: 'application/json' } })).json()
  t.is((about as { name: string }).name, 'weir')
  t.true(statSync(join(folder, 'weir/dist/console')).isDirectory())
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  t.deepEqual(await exited, [0, null])

  const onServers = await make('on-servers')
  t.false(existsSync(join(onServers.folder, 'weir/node_modules/@chdb')))
}

if (isAsked) test('the stages, replayed in fresh folders, give a service that is healthy', stagesGiveAService)
