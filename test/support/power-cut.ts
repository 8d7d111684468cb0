/** A service whose machine loses its power: its data folder keeps synced bytes, and by chance some of the rest. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { serviceProgram } from './process.ts'
import type { Random } from './random/random.ts'
import { type Client, createClient } from './requests/client.ts'

const calls = 'openat,pwrite64,pwritev,write,writev,ftruncate,rename,renameat,renameat2,fsync,fdatasync,link,linkat'

/** The fate of a file that was not synced since it was last written. */
export type Loss = 'gone' | 'empty' | 'torn' | 'kept'

/** Of a folder whose power went: how many files were synced, the paths of those that were not, and what became of them. */
export type Lost = {
  readonly synced: number
  readonly unsynced: readonly string[]
  /** Lines: the fate and the path of each file that was not synced, and of each name that was not. */
  readonly losses: readonly string[]
}

/**
 * Files under their last names that no sync is owed: ClickHouse's note of its process, logs of tokens, which a start mends,
 * Weir's note of parts, which a start makes anew, and projections, which ClickHouse does not use where they are damaged.
 */
const owesNoSync = [
  /^clickhouse\/status$/,
  /\/deduplication_logs\/deduplication_log_\d+\.txt$/,
  /^clickhouse\/weir-parts\.json$/,
  /\/_watermark\.proj\//,
]

/** Files that are still being written bear another name. */
const isUnderWay = (path: string): boolean => /\/tmp_|\.tmp$/.test(path)

/** The files of a folder that must have been synced, and were not. */
export const owedSync = ({ unsynced }: Lost): string[] =>
  unsynced.filter((path) => !isUnderWay(path) && !owesNoSync.some((form) => form.test(path)))

export type TracedService = {
  readonly client: Client
  /** Kills the service, and takes from its folder what no disk is sure to hold. */
  cut(lossOf: (path: string) => Loss): Promise<Lost>
}

/** The command that runs a program, given behind it, and writes down each write of it and its children in the file `trace`. */
export const traceCommand = (trace: string): readonly string[] => [
  'strace',
  ...['-f', '-y', '-s', '0', '--seccomp-bpf', '-e', `trace=${calls}`, '-o', trace],
]

/** The process that is traced: the first thread of the trace is the program's own. */
export const tracedProcess = (trace: string): number => Number.parseInt(readFileSync(trace, 'latin1').slice(0, 10), 10)

/** Takes from a service's folder, once its process has ended, what no disk is sure to hold. */
export async function losePower(trace: string, folder: string, lossOf: (path: string) => Loss): Promise<Lost> {
  const lost = loseUnsynced(readFileSync(trace, 'latin1').split('\n'), folder, lossOf)
  const log = join(folder, 'log', 'log.mdb')
  if (existsSync(log)) await bootAnew(log)
  return lost
}

/** A service in a process of its own, every write of which is traced. */
export async function startTraced(
  folder: string,
  trace: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<TracedService> {
  const [strace = '', ...options] = traceCommand(trace)
  const child = spawn(strace, [...options, process.execPath, ...serviceProgram], {
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      UV_THREADPOOL_SIZE: '48',
      CLICKHOUSE_HTTP_PORT: '0',
      LOG_LEVEL: 'info',
      DATA_DIR: folder,
      PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'close')
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (data: Buffer) => {
      said += data.toString('utf8')
      const url = /"url":"([^"]+)"/.exec(said)?.[1]
      if (url) resolve(url)
    })
    child.once('close', (code) => reject(new Error(`the service ended with ${code}: ${said.slice(0, 2000)}`)))
  })
  return {
    client: createClient(url),
    async cut(lossOf) {
      process.kill(tracedProcess(trace), 'SIGKILL')
      await ended
      return losePower(trace, folder, lossOf)
    },
  }
}

/** By chance, each file by itself. */
export const anyLoss =
  (random: Random): ((path: string) => Loss) =>
  () =>
    random.pick(['gone', 'empty', 'torn', 'kept'] as const)

/** For the log this is the machine of before. */
async function bootAnew(path: string): Promise<void> {
  const root = open({ path, maxDbs: 16 })
  await root.openDB<string, string>({ name: 'notes' }).put('boot', 'the one before')
  await root.close()
}

/**
 * The log's own file is left as it is: that an acknowledged line is synced there, and that it bears a cut at any moment,
 * is shown elsewhere.
 */
const ofLog = /\/log\//

function loseUnsynced(trace: readonly string[], folder: string, lossOf: (path: string) => Loss): Lost {
  const { dirty, renamed } = unsynced(trace, folder)
  const files = filesIn(folder).filter((path) => !ofLog.test(path))
  const lost = files.flatMap((path) => {
    const from = dirty.get(path)
    return from === undefined ? [] : [{ path, from }]
  })
  const losses: string[] = []
  for (const { path, from } of lost) {
    const loss = lossOf(path)
    losses.push(`${loss} ${path.slice(folder.length + 1)}`)
    if (loss === 'gone' && from === 0) rmSync(path)
    else if (loss === 'gone' || loss === 'empty') truncateSync(path, Math.min(from, statSync(path).size))
    else if (loss === 'torn') truncateSync(path, Math.max(from, Math.floor((from + statSync(path).size) / 2)))
  }
  for (const [to, from] of [...renamed].reverse()) {
    if (!statSync(to, { throwIfNoEntry: false }) || lossOf(to) !== 'gone') continue
    losses.push(`renamed back ${to.slice(folder.length + 1)}`)
    renameSync(to, from)
  }
  return { synced: files.length - lost.length, unsynced: lost.map(({ path }) => path.slice(folder.length + 1)), losses }
}

/**
 * `dirty`: files that were written since they were last synced, and how many of their bytes are synced. `renamed`:
 * folders, by their new names, that were not synced since they bear them.
 */
function unsynced(
  trace: readonly string[],
  folder: string,
): { dirty: Map<string, number>; renamed: Map<string, string> } {
  const sizes = new Map<string, number>()
  const synced = new Map<string, number>()
  const dirty = new Set<string>()
  const renamed = new Map<string, string>()
  const begun = new Map<string, { readonly text: string; readonly size: number }>()

  const move = (from: string, to: string): void => {
    for (const map of [sizes, synced]) {
      for (const [path, value] of [...map]) {
        if (path !== from && !path.startsWith(`${from}/`)) continue
        map.delete(path)
        map.set(to + path.slice(from.length), value)
      }
    }
    for (const path of [...dirty]) {
      if (path !== from && !path.startsWith(`${from}/`)) continue
      dirty.delete(path)
      dirty.add(to + path.slice(from.length))
    }
  }

  function ended(call: string, sizeBefore?: number): void {
    const [, name = '', path = ''] = /^(\w+)\((?:\w+<([^>]*)>)?/.exec(call) ?? []
    const result = Number(/ = (-?\d+)/.exec(call)?.[1] ?? -1)
    if (result < 0) return
    if (name.startsWith('rename')) {
      const [from = '', to = ''] = [...call.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text.replace(/\/$/, ''))
      if (!from.startsWith(folder)) return
      move(from, to)
      if (/\/tmp_/.test(from)) renamed.set(to, from)
    } else if (name === 'openat') {
      const opened = /= \d+<([^>]*)>/.exec(call)?.[1] ?? ''
      if (!opened.startsWith(folder) || !/O_CREAT|O_TRUNC/.test(call)) return
      if (/O_TRUNC/.test(call) || !sizes.has(opened)) {
        sizes.set(opened, 0)
        synced.set(opened, 0)
      }
      if (!/O_DIRECTORY/.test(call)) dirty.add(opened)
    } else if (!path.startsWith(folder)) return
    else if (name === 'fsync' || name === 'fdatasync') {
      const size = sizeBefore ?? sizes.get(path) ?? 0
      synced.set(path, size)
      renamed.delete(path)
      if (size === (sizes.get(path) ?? 0)) dirty.delete(path)
    } else {
      sizes.set(path, (sizes.get(path) ?? 0) + result)
      dirty.add(path)
    }
  }

  for (const line of trace) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/s.exec(line) ?? []
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(call)?.[1]
    const before = begun.get(thread)
    if (resumed !== undefined) {
      begun.delete(thread)
      if (before) ended(before.text + resumed, before.size)
    } else if (call.endsWith(' <unfinished ...>')) {
      const text = call.slice(0, -' <unfinished ...>'.length)
      begun.set(thread, { text, size: sizes.get(/<([^>]*)>/.exec(text)?.[1] ?? '') ?? 0 })
    } else ended(call)
  }
  return { dirty: new Map([...dirty].map((path) => [path, synced.get(path) ?? 0])), renamed }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
