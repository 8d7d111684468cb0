import { Fault } from '../../base/faults.ts'
import type { ObjectStore } from '../../infra/buckets/store.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import { columnsOfResults, entitySource } from '../../sql/query/compile/entities.ts'
import type { StreamSource } from '../../sql/query/compile/source.ts'
import { type Answer, answersIn } from '../../sql/schema/answers.ts'
import type { Table } from '../../sql/table/table.ts'
import { trainingState } from '../models/training-states.ts'
import { isWritten, modelBucket } from '../objects/model-objects.ts'
import { isGathered, type TableOfTraining, type TrainingSource } from './decode/request.ts'
import { TrainingFailure } from './refusals.ts'

/** One object of the training data. */
export type SourceObject = { readonly bucket: string; readonly key: string; readonly size: number }

/** More files than this are not one training. */
const maxFiles = 100_000

/** The objects that a request names; a `TrainingFailure` where there are none. */
export async function listSources(
  objects: ObjectStore,
  source: TrainingSource,
  called = 'training file',
): Promise<readonly SourceObject[]> {
  if (isGathered(source)) return []
  const { bucket } = source
  const absent = (what: string) => new TrainingFailure(trainingState.sourceAbsent, what)
  try {
    if (source.type === 'FILE') {
      const info = await objects.stat(bucket, source.key)
      if (info === undefined) {
        throw absent(`there is no ${called} ${source.key} in bucket ${bucket}`)
      }
      return [{ bucket, key: source.key, size: info.size }]
    }
    const prefix = source.type === 'DIR' ? source.prefix : ''
    const found: SourceObject[] = []
    for await (const { key, size } of objects.list(bucket, prefix)) {
      if (bucket === modelBucket && isWritten(key)) continue
      found.push({ bucket, key, size })
      if (found.length > maxFiles) throw absent(`bucket ${bucket} holds more than ${maxFiles} training files`)
    }
    if (found.length > 0) return found
    throw absent(
      prefix === '' ? `bucket ${bucket} is empty` : `bucket ${bucket} has no file that begins with ${prefix}`,
    )
  } catch (error) {
    if (error instanceof Fault && error.kind === 'missing') throw absent(error.message)
    throw error
  }
}

/** The bytes of an object, from when they are first asked for. */
export async function openObject(objects: ObjectStore, { bucket, key }: SourceObject) {
  const object = await objects.get(bucket, key)
  if (object === undefined)
    throw new TrainingFailure(trainingState.sourceAbsent, `${key} is gone from bucket ${bucket}`)
  return object.stream
}

export type StreamDeps = {
  readonly clickhouse: ClickHouse
  /** The table of a database; a fault `missing` where there is none. */
  readonly table: (database: string, table: string) => Table
  /** The source that a query on a stream is compiled against; a fault `missing` where there is no such stream. */
  readonly stream: (schema: string, stream: string) => Omit<StreamSource, 'now_us'>
}

/** A `TrainingFailure` where there is no such stream. */
export const findStream = (stream: StreamDeps['stream'], schema: string, name: string) =>
  orAbsent(() => stream(schema, name))

/** A `TrainingFailure` where there is no such table. */
export const findTable = (table: StreamDeps['table'], { database, table: name }: TableOfTraining): Table =>
  orAbsent(() => table(database, name))

function orAbsent<Found>(find: () => Found): Found {
  try {
    return find()
  } catch (error) {
    if (error instanceof Fault && error.kind === 'missing') {
      throw new TrainingFailure(trainingState.sourceAbsent, error.message)
    }
    throw error
  }
}

export const isOfEntities = ({ stream }: Pick<StreamSource, 'stream'>): boolean => stream.kind === 'entity'

/** A key of one part is another one in each row of an entity stream: it tells nothing about other rows. */
export function keyOfRows({ schema, stream }: Pick<StreamSource, 'schema' | 'stream'>): readonly string[] {
  if (stream.kind !== 'entity') return []
  const { keys } = entitySource(schema, stream.name)
  return keys.length === 1 ? keys.map(({ name }) => name) : []
}

/** The attributes of a stream's rows that hold answers of models, or come from such answers, by the names that rows have. */
export function predictedIn({ schema, stream }: Pick<StreamSource, 'schema' | 'stream'>): readonly Answer[] {
  const answers = answersIn(schema).get(stream.name) ?? []
  if (stream.kind !== 'entity') return answers
  const source = entitySource(schema, stream.name)
  const isKey = ({ name }: Answer): boolean => source.keys.some((key) => key.name === name)
  return answers.flatMap((answer) =>
    isKey(answer) ? [answer] : columnsOfResults(source, new Set([answer.name])).map((name) => ({ ...answer, name })),
  )
}
