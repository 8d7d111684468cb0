import { Readable } from 'node:stream'
import { isObject, type Json, parseJson, writeJson } from '../../../base/json.ts'
import type { ObjectStore } from '../../../infra/buckets/store.ts'
import { dateIn } from '../../../infra/cron.ts'
import { blanks, type Format, type Schedule } from '../../../sql/saved/schedule.ts'
import { valuesOf } from '../../../sql/saved/values.ts'
import { contentTypes } from '../formats.ts'
import type { AskRows, RowsRequest, Version } from '../rows.ts'
import type { Ready } from '../watch/store.ts'

/** The name of a schedule among those of its question: another one for other times, or another place. */
export const partOf = (schedule: Schedule): string =>
  writeJson({ ...schedule, into: schedule.into ?? null, params: { ...schedule.params } })

/** The schedule of such a name. */
export function scheduleOf(part: string): { readonly [member: string]: Json } {
  const { into, ...schedule } = parseJson(part, 'a schedule') as { readonly [member: string]: Json }
  return { ...schedule, ...(into !== null && { into: into ?? null }) }
}

/** The same as a value. */
export function readPart(part: string): Schedule {
  // The other function wrote it.
  const { into, ...schedule } = parseJson(part, 'a schedule') as unknown as Omit<Schedule, 'into'> & {
    readonly into: Schedule['into'] | null
  }
  return { ...schedule, ...(into && { into }) }
}

export type RunResult =
  | {
      readonly state: 'done'
      readonly bytes: number
      readonly rows?: number
      readonly key?: string
      readonly ready?: Ready
    }
  | { readonly state: 'failed'; readonly says: string }

export type RunScheduleDeps = {
  readonly askRows: AskRows
  readonly objects: Pick<ObjectStore, 'put'>
  /** Throws where the bucket is gone, or has got keys. */
  readonly admit: (bucket: string) => Promise<void>
}

const user = 'schedules'

/** Rows of an answer that a send has, and their characters as JSON; the file that goes along. */
const maxRows = 1_000
const maxRowsText = 256_000
const maxFile = 1024 * 1024

const endings: Readonly<Record<Format, string>> = {
  JSON: 'json',
  JSONEachRow: 'ndjson',
  CSV: 'csv',
  Parquet: 'parquet',
  Arrow: 'arrow',
}

/** The key of the object of a due time. */
export function keyAt(template: string, due: number, tz: string): string {
  const at = dateIn(due, tz)
  return blanks.reduce((key, blank) => key.replaceAll(`{${blank}}`, at[blank]), template)
}

/** Asks a question at a due time, and puts the answer where it goes: into a bucket, or into the body of a send. */
export function createRunSchedule({ askRows, objects, admit }: RunScheduleDeps) {
  const ask = async (version: Version, schedule: Schedule, format: Format, signal: AbortSignal) => {
    const request: RowsRequest = {
      version: { ...version, question: { ...version.question, cache_s: 0 } },
      values: valuesOf(version.question, { inAddress: {}, inBody: schedule.params, fixed: {} }),
      format,
      reader: { by: user, user, gone: signal },
    }
    return (await askRows(request)).answer
  }

  async function intoBucket(
    version: Version,
    schedule: Schedule,
    into: NonNullable<Schedule['into']>,
    due: number,
    signal: AbortSignal,
  ): Promise<RunResult> {
    await admit(into.bucket)
    const answer = await ask(version, schedule, schedule.format, signal)
    const key = keyAt(into.key, due, schedule.tz)
    const content = answer.kind === 'whole' ? Readable.from([answer.body]) : Readable.from(answer.output)
    const { size } = await objects.put(into.bucket, key, content)
    return { state: 'done', bytes: size, key }
  }

  async function intoSend(
    version: Version,
    schedule: Schedule,
    notifid: number,
    due: number,
    signal: AbortSignal,
  ): Promise<RunResult> {
    const table = await ask(version, schedule, 'JSON', signal)
    if (table.kind === 'stream') return { state: 'failed', says: 'the answer has over 8 MB: let it go into a bucket' }
    const body = parseJson(table.body.toString(), 'the answer')
    const rows = isObject(body) && Array.isArray(body.rows) ? body.rows : []
    const file = await ask(version, schedule, schedule.format, signal)
    const shown = bounded(rows)
    const content = file.kind === 'whole' && file.bytes <= maxFile ? file.body.toString('base64') : undefined
    const { name, number } = version
    const payload: { [member: string]: Json } = {
      ...{ saved: name, version: number, due, rows: shown, num_items: rows.length },
      ...(shown.length < rows.length && { rows_left_out: rows.length - shown.length }),
      ...(content !== undefined && {
        file: { name: `${name}.${endings[schedule.format]}`, type: contentTypes[schedule.format], content },
      }),
      ...(content === undefined && { file_left_out: `over ${maxFile} bytes` }),
    }
    return { state: 'done', bytes: table.bytes, rows: rows.length, ready: { notifid, format: 'weir', payload } }
  }

  return async (version: Version, schedule: Schedule, due: number, signal: AbortSignal): Promise<RunResult> => {
    try {
      const { into, notf = 0 } = schedule
      return into
        ? await intoBucket(version, schedule, into, due, signal)
        : await intoSend(version, schedule, notf, due, signal)
    } catch (error) {
      if (signal.aborted) throw error
      return { state: 'failed', says: (error instanceof Error ? error.message : String(error)).slice(0, 1_000) }
    }
  }
}

export type RunSchedule = ReturnType<typeof createRunSchedule>

function bounded(rows: readonly Json[]): Json[] {
  let room = maxRowsText
  return rows.slice(0, maxRows).filter((row) => {
    room -= writeJson(row).length
    return room >= 0
  })
}
