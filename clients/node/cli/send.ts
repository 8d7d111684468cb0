import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'
import type { Weir } from '../src/index.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { say, tell } from './print.ts'

/** The lines of a file of NDJSON, empty ones too, so that each has its number (packed by gzip where its name ends in .gz), or of standard input. */
export async function* linesOf(file: string, onBytes: (bytes: number) => void = () => {}): AsyncGenerator<string> {
  const source = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 1 << 20 })
  source.on('data', (part: Buffer | string) => onBytes(part.length))
  const unpacked = file.endsWith('.gz') ? source.pipe(createGunzip()) : source
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of unpacked) {
    const lines = (rest + decoder.decode(part as Buffer, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

const shownRefusals = 20

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
  const lines = linesOf(file, (bytes) => {
    read += bytes
  })
  const sent = await weir.stream(schema, name).sendMany(lines, {
    onProgress: ({ accepted, rejected, refused }) => {
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
