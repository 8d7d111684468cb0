import { createLineErrors, createTurns, type LineErrors } from '../../base/each-line.ts'
import { Fault, fault } from '../../base/faults.ts'
import { writeJson } from '../../base/json.ts'
import { Refusal } from '../../base/refusal.ts'
import { leastTime_us } from '../../base/time-unit.ts'
import { queueName } from '../../sql/schema/names.ts'
import { type Accept, ingestOf } from '../ingest/accept.ts'
import { hashOf } from '../ingest/idempotency.ts'
import { createRefusals, type RefusalsDeps } from '../ingest/refusals.ts'
import type { Registry } from '../registry/registry.ts'
import { LineReader, lineTextOf, type Point, type ReadPoint } from './line-protocol.ts'

export type WriteLinesDeps = RefusalsDeps & {
  readonly registry: Registry
  readonly accept: Accept
}

/** Nanoseconds that a unit of time has. */
export const precisions = { ns: 1n, us: 1_000n, ms: 1_000_000n, s: 1_000_000_000n } as const
export type Precision = keyof typeof precisions

/** A request in line protocol. Where it names no stream, the measurement of each line does. */
export type Lines = {
  readonly body: Buffer
  readonly schema: string
  readonly stream?: string
  readonly precision: Precision
  /** By a key with the scope ingest and without write. */
  readonly isOfPage: boolean
}

export type Written = LineErrors & { readonly accepted: number; readonly repeated: number }

/** The answer to a batch of events. */
type Taken = LineErrors & { readonly accepted: number; readonly repeated?: number }

/** Events of a stream go to the log together up to this size, in characters: by it alone a body is cut, so that its repeat is cut alike. */
const partSize = 4 * 1024 * 1024

/** Events of a stream that are read and not in the log yet. */
type Gathered = { readonly stream: string; texts: string[]; size: number; lines: number[]; isTimed: boolean }

/** Takes InfluxDB's line protocol: each line is an event of its tags and fields. Resolves once the good ones are on the disk. */
export function createWriteLines(deps: WriteLinesDeps) {
  const { registry, accept } = deps
  return async ({ body, schema, stream, precision, isOfPage }: Lines): Promise<Written> => {
    const { gate, streams } = registry.schema(schema)
    if (stream !== undefined) ingestOf(registry.stream(schema, stream))
    const lines = lineTextOf(body)
    const reader = new LineReader(lines)
    const errors = createLineErrors()
    const refusals = stream === undefined ? undefined : createRefusals(deps, queueName(schema, stream), gate)
    const gathered = new Map<string, Gathered>()
    let [accepted, repeated] = [0, 0]

    function refuse({ line, start, end }: ReadPoint, error: unknown): void {
      errors.add({ number: line, start, end }, error)
      if (!refusals) return
      const text = Buffer.from(lines.text.slice(start, Math.min(end, start + 4096)), lines.isBytes ? 'latin1' : 'utf8')
      const reason = error instanceof Error ? error.message : String(error)
      refusals.add(reason, text, { number: line, start: 0, end: text.length })
    }

    function gather({ measurement, ...point }: Point, line: number): Gathered {
      const name = stream ?? measurement
      const target = streams.get(name)
      if (!target)
        throw new Refusal(
          `no stream ${JSON.stringify(name.slice(0, 64))} in schema ${schema}, as the line's measurement says`,
        )
      ingestOf(target)
      const text = eventOf(point, stream === undefined ? undefined : measurement, precision)
      const into = gathered.get(name) ?? { stream: name, texts: [], size: 0, lines: [], isTimed: true }
      gathered.set(name, into)
      into.texts.push(text)
      into.lines.push(line)
      into.size += text.length
      into.isTimed &&= point.time !== undefined
      return into
    }

    /** Brings the gathered events of a stream to the log. */
    async function bring(part: Gathered): Promise<void> {
      gathered.delete(part.stream)
      const events = Buffer.from(part.texts.join(''))
      part.texts = []
      // Points of one time are one point to InfluxDB: a client that heard no answer sends equal lines again.
      const idempotencyKey = part.isTimed ? `line protocol ${await hashOf(events)}` : undefined
      const numberOf = (line: number): number => part.lines[line - 1] ?? line
      const posted = { body: events, isBatch: true, isOfPage, idempotencyKey, numberOf }
      const taken: Taken = JSON.parse(await accept(schema, part.stream, posted))
      accepted += taken.accepted
      repeated += taken.repeated ?? 0
      const listed = taken.errors.map(({ line, error }) => ({ line: numberOf(line), error }))
      const place = { start: 0, end: 0 }
      for (const { line, error } of listed) errors.add({ number: line, ...place }, new Refusal(error))
      for (let unlisted = taken.rejected - listed.length; unlisted > 0; unlisted--)
        errors.add({ number: 0, ...place }, new Refusal(''))
    }

    const turns = createTurns()
    for (let read = reader.next(); read; read = reader.next()) {
      let part: Gathered | undefined
      try {
        if ('error' in read) throw read.error
        part = gather(read.point, read.line)
      } catch (error) {
        if (!(error instanceof Refusal) && !(error instanceof Fault && error.kind === 'invalid')) throw error
        refuse(read, error)
      }
      if (part && part.size > partSize) await bring(part)
      const turn = turns.take(read.end - read.start)
      if (turn) await turn
    }
    for (const part of [...gathered.values()]) await bring(part)
    refusals?.settle()
    return { accepted, repeated, ...errors.counted() }
  }
}

export type WriteLines = ReturnType<typeof createWriteLines>

/** The event of a point as a line of NDJSON. */
function eventOf(
  { tags, fields, time }: Omit<Point, 'measurement'>,
  measurement: string | undefined,
  precision: Precision,
) {
  const names = new Set<string>()
  let text = ''
  const put = (name: string, value: string): void => {
    if (names.has(name))
      throw new Refusal(`${JSON.stringify(name.slice(0, 64))} is the name of two of its tags and fields`)
    names.add(name)
    text += `${text === '' ? '{' : ','}${JSON.stringify(name)}:${value}`
  }
  if (time !== undefined) put('_pk', microseconds(time, precision))
  if (measurement !== undefined) put('measurement', JSON.stringify(measurement))
  for (const [key, value] of tags) put(ownName(key), JSON.stringify(value))
  for (const [key, value] of fields) put(ownName(key), writeJson(value))
  return `${text}}\n`
}

/** Names that are Weir's in an event. */
const reserved: readonly string[] = ['_pk', '_id', '_v']

function ownName(key: string): string {
  if (reserved.includes(key)) throw new Refusal(`${key} is no name for a tag or a field: the event has it of Weir`)
  return key
}

function microseconds(time: bigint, precision: Precision): string {
  const time_us = (time * precisions[precision]) / 1_000n
  if (time_us >= BigInt(leastTime_us)) return String(time_us)
  throw new Refusal(
    `the time ${time} in ${precision} is before 1973-03-03, the earliest time of an event; precision=s, ms or us names another unit`,
  )
}

/** The unit of a request's times. */
export function precisionOf(text: string | undefined): Precision {
  const precision = text === undefined || text === '' ? 'ns' : text
  if (isPrecision(precision)) return precision
  throw fault(
    'invalid',
    `precision: expected ${Object.keys(precisions).join(', ')}, got ${JSON.stringify(precision.slice(0, 40))}`,
  )
}

const isPrecision = (text: string): text is Precision => Object.hasOwn(precisions, text)
