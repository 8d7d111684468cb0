/** The bytes of a file that a disk holds if all is lost that was not synced, from a trace of the process that wrote it. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const calls = 'openat,pwrite64,pwritev,write,writev,lseek,ftruncate,fsync,fdatasync'

/** Whether processes can be traced here: strace is there, and allowed. */
export const canTrace = (): boolean => spawnSync('strace', ['-f', '-o', '/dev/null', 'true']).status === 0

/**
 * Runs a command to its end; what it asked of the system, a line each, calls that were interrupted in two. Each sync begins
 * `delay_us` later than it was asked for, as on a slow disk.
 */
export function traced(command: readonly string[], log: string, delay_us = 0): string[] {
  const slow = delay_us > 0 ? ['-e', `inject=fsync,fdatasync:delay_enter=${delay_us}`] : []
  const options = ['-f', '-y', '-s', '10000000', '-e', `trace=${calls}`, ...slow, '-o', log]
  const { status, stderr } = spawnSync('strace', [...options, ...command], { encoding: 'utf8', timeout: 60_000 })
  if (status !== 0) throw new Error(`strace ended with ${status}: ${stderr.slice(0, 2000)}`)
  return readFileSync(log, 'latin1').split('\n')
}

type Write = { readonly offset: number; readonly bytes: Buffer }

/**
 * Walks through a trace. Calls `at` with each text that the process wrote to its standard output, and the bytes of
 * `file` that had been synced by then: bytes written through a descriptor that syncs by itself, and bytes that an fsync
 * which has ended found written.
 */
export function syncedImages(trace: readonly string[], file: string, at: (text: string, image: Buffer) => void): void {
  const syncing = new Set<string>()
  const positions = new Map<string, number>()
  let unsynced: Write[] = []
  let image = Buffer.alloc(0)
  /** By thread: a call that has begun, and what an fsync found written when it did. */
  const begun = new Map<string, { readonly text: string; readonly found: readonly Write[] }>()

  const keep = (writes: readonly Write[]): void => {
    for (const { offset, bytes } of writes) {
      if (image.length < offset + bytes.length) image = Buffer.concat([image], offset + bytes.length)
      bytes.copy(image, offset)
    }
  }

  function written(descriptor: string, write: Write): void {
    if (syncing.has(descriptor)) keep([write])
    else unsynced.push(write)
  }

  function ended(call: string, found: readonly Write[]): void {
    const [, name = '', descriptor = '', path = ''] = /^(\w+)\((\w+)<([^>]*)>/.exec(call) ?? []
    if (name === 'openat') {
      const [, opened] = /= (\d+)<[^>]*>$/.exec(call) ?? []
      if (opened === undefined || !call.endsWith(`<${file}>`)) return
      if (/O_D?SYNC/.test(call)) syncing.add(opened)
      else syncing.delete(opened)
    } else if (name === 'write' && descriptor === '1') at(texts(call).join(''), image)
    else if (path !== file) return
    else if (name === 'fsync' || name === 'fdatasync') {
      keep(found)
      unsynced = unsynced.filter((write) => !found.includes(write))
    } else if (name === 'lseek') positions.set(descriptor, Number(/ (\d+)$/.exec(call)?.[1]))
    else if (name === 'writev') {
      const bytes = Buffer.from(texts(call).join(''), 'latin1')
      const offset = positions.get(descriptor) ?? 0
      positions.set(descriptor, offset + bytes.length)
      written(descriptor, { offset, bytes })
    } else if (name === 'pwrite64' || name === 'pwritev') {
      const offset = Number(/, (\d+)\) += \d+$/.exec(call)?.[1])
      written(descriptor, { offset, bytes: Buffer.from(texts(call).join(''), 'latin1') })
    } else throw new Error(`the file is written by ${name}, which this does not know`)
  }

  for (const line of trace) {
    const [, thread = '', call = ''] = /^(\d+) +(.*)$/s.exec(line) ?? []
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/s.exec(call)?.[1]
    const before = begun.get(thread)
    if (resumed !== undefined) {
      begun.delete(thread)
      if (before) ended(before.text + resumed, before.found)
    } else if (call.endsWith(' <unfinished ...>')) {
      begun.set(thread, { text: call.slice(0, -' <unfinished ...>'.length), found: [...unsynced] })
    } else ended(call, unsynced)
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', v: '\v', f: '\f', '"': '"', '\\': '\\' }

/** The texts in a call, byte by byte. */
const texts = (call: string): string[] =>
  [...call.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, text = '']) =>
    text.replace(/\\([0-7]{1,3}|.)/gs, (_, escaped: string) =>
      /^[0-7]/.test(escaped) ? String.fromCharCode(Number.parseInt(escaped, 8)) : (escapes[escaped] ?? escaped),
    ),
  )
