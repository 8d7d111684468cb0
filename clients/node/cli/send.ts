import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type Batch, sendBatches } from '../src/events.ts'
import { gather } from '../src/gather.ts'
import type { Weir, WeirError } from '../src/index.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { say, tell } from './print.ts'

/** The bytes of a file, unpacked where its name ends in .gz, or of standard input. */
function open(file: string, onBytes: (bytes: number) => void): { bytes: AsyncIterable<Buffer>; close: () => unknown } {
  const source = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 })
  source.on('data', (part: Buffer | string) => onBytes(part.length))
  const close = () => source.destroy()
  if (!file.endsWith('.gz')) return { bytes: source, close }
  // An error of one reaches the reader of the other.
  return {
    bytes: unpacked(
      file,
      pipeline(source, createGunzip(), () => {}),
    ),
    close,
  }
}

async function* unpacked(file: string, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (!code?.startsWith('Z_')) throw error
    throw new Exit(exitCodes.failed, `${file} cannot be unpacked: ${message}`)
  }
}

/** The lines of a file of NDJSON, empty ones too, so that each has its number. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of open(file, () => {}).bytes) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Each batch waits for its commit to the disk, and for a service that is behind; a service takes 32 MB by default. */
const batchBytes = 16_000_000
/** A batch of fewer bytes goes once it has waited this long for more, as of a pipe that gives little. */
const longest_ms = 200
/** A line beyond it is none that a service takes. */
const longestLine = 64_000_000
const [lineFeed, space] = [10, 32]
const byteOrderMark = Buffer.from('\u{feff}')

/** The lines of a file of NDJSON in batches, as the bytes that they are. */
async function* batchesOf(file: string, onBytes: (bytes: number) => void, signal: AbortSignal): AsyncGenerator<Batch> {
  let first = 0
  let held: Buffer[] = []
  let size = 0

  /** Takes all that has come, or up to the end of its last line. */
  function* take(isAll: boolean): Generator<Batch> {
    const bytes = Buffer.concat(held)
    const end = isAll ? bytes.length : bytes.lastIndexOf(lineFeed) + 1
    const rest = bytes.subarray(end)
    ;[held, size] = [rest.length > 0 ? [rest] : [], rest.length]
    if (size > longestLine) throw new Exit(exitCodes.failed, `line ${first + 1} of ${file} is longer than 64 MB`)
    if (end === 0) return
    const isMarked = first === 0 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark)
    const batch = batchOf(first, bytes.subarray(isMarked ? byteOrderMark.length : 0, end))
    first += batch.lines
    // Empty lines have a number and no event.
    if (bytes.subarray(0, end).some((byte) => byte > space)) yield batch
  }

  function add(part: Buffer): boolean {
    held.push(part)
    size += part.length
    return size >= batchBytes
  }

  const { bytes, close } = open(file, onBytes)
  try {
    for await (const _ of gather(bytes, add, longest_ms, signal)) yield* take(false)
    if (size > 0) yield* take(true)
  } finally {
    // A pipe that gives nothing and does not end would hold the command.
    close()
  }
}

/** Lines as their bytes. */
function batchOf(first: number, bytes: Buffer): Batch & { readonly lines: number } {
  let lines = 0
  for (let at = 0; at < bytes.length; lines++) at = endOfLine(bytes, at)
  return {
    ...{ first, lines, bytes: bytes.length },
    body: () => bytes as Buffer & Uint8Array<ArrayBuffer>,
    eventAt(line) {
      let at = 0
      for (let before = 0; before < line; before++) at = endOfLine(bytes, at)
      return bytes.toString('utf8', at, endOfLine(bytes, at)).trimEnd()
    },
    halves() {
      if (lines < 2) return undefined
      let middle = 0
      for (let before = 0; before < lines >> 1; before++) middle = endOfLine(bytes, middle)
      return [batchOf(first, bytes.subarray(0, middle)), batchOf(first + (lines >> 1), bytes.subarray(middle))]
    },
  }
}

/** The place at which the next line begins. */
function endOfLine(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(lineFeed, from)
  return end < 0 ? bytes.length : end + 1
}

const shownRefusals = 20
/** A service that is not there fails the command after this time, unless it has answered before. */
const firstPatience_ms = 5_000

/** Sends a file and tells how far it is; ends with 1 where lines were refused. */
export async function sendFile(
  weir: Weir,
  stream: string,
  file: string,
  options: { isQuiet: boolean; isJson: boolean },
): Promise<void> {
  const [schema, name] = streamOf(stream)
  const size = file === '-' ? undefined : (await stat(file).catch(() => notThere(file))).size
  let [read, last_ms, told] = [0, 0, 0]
  const began_ms = performance.now()
  const isShown = !options.isQuiet && process.stderr.isTTY
  const seconds = (): number => (performance.now() - began_ms) / 1000
  function onBytes(bytes: number): void {
    read += bytes
  }
  let isThere = false
  let isWaiting = false
  let firstWait_ms: number | undefined
  function onWait(error: WeirError): void {
    // A service that takes nothing yet is there as well.
    if (error.kind !== 'network' && error.kind !== 'timeout') isThere = true
    if (!isThere && error.kind === 'network') {
      firstWait_ms ??= performance.now()
      if (performance.now() - firstWait_ms > firstPatience_ms) throw error
      return
    }
    if (isWaiting) return
    isWaiting = true
    tell(`${isShown ? '\r\u001b[K' : ''}waits to send on: ${error.message}`)
  }
  const service = { base: weir.url, json: weir.call }
  const sent = await sendBatches(service, ['stream', schema, name], (signal) => batchesOf(file, onBytes, signal), {
    onWait,
    onProgress: ({ accepted, rejected, refused }) => {
      ;[isThere, isWaiting] = [true, false]
      for (const { index, error } of refused.slice(told, shownRefusals)) tell(`line ${index + 1}: ${error}`)
      told = refused.length
      if (!isShown || performance.now() - last_ms < 200) return
      last_ms = performance.now()
      const part = size ? `${Math.min(100, Math.floor((100 * read) / size))} %, ` : ''
      const refusedSoFar = rejected > 0 ? `, ${rejected} refused` : ''
      process.stderr.write(
        `\r${part}${accepted.toLocaleString('en-US')} sent${refusedSoFar}, ${Math.round(accepted / seconds()).toLocaleString('en-US')} a second `,
      )
    },
  })
  if (isShown) process.stderr.write('\r\u001b[K')
  const { accepted, rejected, repeated, refused } = sent
  if (options.isJson)
    say(
      JSON.stringify({
        accepted,
        rejected,
        repeated,
        refused: refused.map(({ index, error }) => ({ line: index + 1, error })),
      }),
    )
  else {
    const again = repeated > 0 ? ` (${repeated} of them were there before)` : ''
    say(`${accepted.toLocaleString('en-US')} events sent to ${stream}${again} in ${seconds().toFixed(1)} s`)
  }
  if (rejected === 0) return
  const more = rejected > shownRefusals ? `; the first ${shownRefusals} are above` : ''
  throw new Exit(exitCodes.failed, `${rejected} lines were refused${more}`)
}

/** `S.ST` is stream ST of schema S. */
export function streamOf(text: string): [schema: string, stream: string] {
  const dot = text.indexOf('.')
  if (dot <= 0 || dot === text.length - 1) {
    throw new Exit(exitCodes.usage, `'${text}' names no stream: write SCHEMA.STREAM, such as shop.orders`)
  }
  return [text.slice(0, dot), text.slice(dot + 1)]
}

function notThere(file: string): never {
  throw new Exit(exitCodes.usage, `there is no file ${file}; - reads standard input`)
}
