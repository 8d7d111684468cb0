import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { order } from '../load/workload.ts'

/** The command `weir` as its package has it: one file. */
export async function bundleCommand(folder: string): Promise<string> {
  const outfile = join(folder, 'weir.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL(`../../clients/node/cli/main${extname(import.meta.url)}`, import.meta.url))],
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)" },
    logLevel: 'warning',
    outfile,
  })
  return outfile
}

/** Writes the lines of `count` orders. */
export function writeLines(file: string, count: number, first = 0): void {
  const parts: string[] = []
  for (let i = 0; i < count; i += 10_000)
    parts.push(
      `${Array.from({ length: Math.min(10_000, count - i) }, (_, n) => JSON.stringify(order(first + i + n))).join('\n')}\n`,
    )
  writeFileSync(file, parts.join(''))
}

export type Ran = { readonly seconds: number; readonly peakMegabytes: number; readonly said: string }

/** Runs a program to its end; the greatest memory that it had is looked at ten times a second. */
export async function run(command: string, args: readonly string[], settings: NodeJS.ProcessEnv = {}): Promise<Ran> {
  const started = performance.now()
  const child = spawn(command, args, { env: { ...process.env, ...settings }, stdio: ['ignore', 'pipe', 'pipe'] })
  let [said, told, peakMegabytes] = ['', '', 0]
  child.stdout.on('data', (part: Buffer) => {
    said += part
  })
  child.stderr.on('data', (part: Buffer) => {
    told = (told + part).slice(-2_000)
  })
  const watch = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakOf(child))
  }, 100)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  clearInterval(watch)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}: ${told}${said}`)
  return { seconds: (performance.now() - started) / 1000, peakMegabytes, said }
}

function peakOf({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

/** A project of so many schemas, each with a test and its part of the fixtures. */
export function writeProject(folder: string, schemas: number, fixtures: number): void {
  for (const part of ['schemas', 'fixtures', 'tests']) mkdirSync(join(folder, part), { recursive: true })
  writeFileSync(join(folder, 'weir.yaml'), 'name: bench\n')
  const each = Math.floor(fixtures / schemas)
  for (let n = 0; n < schemas; n++) {
    writeFileSync(
      join(folder, `schemas/s${n}.yaml`),
      `schema: s${n}\nstreams:\n  orders:\n    keep: forever\n    attributes: { customer: text, country: { type: text, stats: [count], every: 1h }, quantity: integer, price: { type: number, stats: [summary], every: 1h }, note: text }\n`,
    )
    writeLines(join(folder, `fixtures/s${n}.orders.ndjson`), each)
    writeFileSync(
      join(folder, `tests/s${n}.yaml`),
      `all are there:\n  sql: SELECT count() AS orders FROM s${n}.orders\n  rows:\n    - { orders: ${each} }\n`,
    )
  }
}
