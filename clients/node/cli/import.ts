import type { Weir } from '../src/index.ts'
import { Exit, exitCodes } from './exit-codes.ts'
import { type Form, printAnswer, say, tell } from './print.ts'
import { streamOf } from './send.ts'

type Request = Parameters<Weir['imports']['start']>[0]
type State = Awaited<ReturnType<Weir['imports']['get']>>

export type ImportOptions = {
  readonly format?: string
  readonly separator?: string
  readonly map: Readonly<Record<string, string>>
  readonly time?: string
  readonly id?: string
  readonly wait: boolean
}

const formats: Readonly<Record<string, Request['format']>> = {
  csv: 'CSV',
  json: 'JSON',
  ndjson: 'NDJSON',
  jsonl: 'NDJSON',
  parquet: 'Parquet',
}

/** Brings files of a bucket to a stream and tells how far it is; ends with 1 where rows were refused. */
export async function importFiles(
  weir: Weir,
  stream: string,
  from: string,
  given: ImportOptions,
  form: Form,
): Promise<void> {
  const started = await weir.imports.start(requestOf(stream, from, given))
  if (!given.wait) {
    printAnswer(started.begun, form)
    return
  }
  let last: State | undefined
  for await (const state of started) {
    if (process.stderr.isTTY) process.stderr.write(`\r${progressText(state)}\u001b[K`)
    last = state
  }
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  if (last === undefined) return
  const { accepted, repeated = 0, rejected, errors, error = [], num_files } = last
  for (const { key, row, error } of errors) tell(`${key}, row ${row}: ${error}`)
  for (const note of error) tell(note)
  if (form === 'json') printAnswer(last, form)
  else {
    const again = repeated > 0 ? ` (${counted(repeated, 'row')} of them there before)` : ''
    say(`${counted(accepted, 'row')} of ${counted(num_files, 'file')} came to ${stream}${again}`)
  }
  if (rejected === 0) return
  const more = rejected > errors.length ? `; the first ${errors.length} are above` : ''
  throw new Exit(exitCodes.failed, `${counted(rejected, 'row')} ${rejected === 1 ? 'was' : 'were'} refused${more}`)
}

/** How each import is, in the columns that fit a terminal. */
export async function* importRows(weir: Weir): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const { id, into, state, progress, accepted, rejected, waiting, reason } of weir.imports.list())
    yield { id, into, state, progress, accepted, rejected, why: reason ?? waiting }
}

function requestOf(stream: string, from: string, { format, separator, map, time, id }: ImportOptions): Request {
  const [schema, name] = streamOf(stream)
  const slash = from.indexOf('/')
  if (slash <= 0) throw new Exit(exitCodes.usage, `'${from}' names no file: write BUCKET/KEY, or BUCKET/PREFIX/`)
  const [bucket, key] = [from.slice(0, slash), from.slice(slash + 1)]
  const isPrefix = key === '' || key.endsWith('/')
  const ending = /\.(\w+?)(?:\.(?:gz|zst))?$/.exec(key)?.[1] ?? ''
  const found = formats[(format ?? ending).toLowerCase()]
  if (found === undefined) {
    const says = format === undefined ? `the ending of '${from}' names no format` : `'${format}' is no format`
    throw new Exit(exitCodes.usage, `${says}: write --format CSV, JSON, NDJSON or Parquet`)
  }
  return {
    from: isPrefix ? { bucket, prefix: key } : { bucket, key },
    format: found,
    into: `${schema}.${name}`,
    ...(separator !== undefined && { separator }),
    ...(Object.keys(map).length > 0 && { map }),
    ...(time !== undefined && { time }),
    ...(id !== undefined && { id }),
  }
}

const progressText = ({ progress, accepted, rejected, waiting }: State): string =>
  [
    `${Math.floor(100 * progress)} %`,
    `${counted(accepted, 'row')}`,
    ...(rejected > 0 ? [`${rejected} refused`] : []),
    ...(waiting === undefined ? [] : [`waits: ${waiting}`]),
  ].join(', ')

const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en-US')} ${thing}${count === 1 ? '' : 's'}`
