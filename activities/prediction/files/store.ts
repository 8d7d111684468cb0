import { z } from 'zod'
import { createKeyedMutex } from '../../../base/mutex.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import type { ModelKey } from '../../models/stores/training-record.ts'
import { oddity } from '../oddities.ts'
import { fileState, isUnderWay } from './states.ts'

export type FileKey = ModelKey & { readonly file: string }

/** Which prediction of a file: the microsecond at which it was asked for. */
export type PredictionKey = FileKey & { readonly prediction: number }

const sums = z.object({
  rows: z.number(),
  same: z.number(),
  squares: z.number(),
  numbers: z.number().optional(),
  first: z.object({ p: z.number(), t: z.number() }).optional(),
  p: z.number(),
  t: z.number(),
  pp: z.number(),
  tt: z.number(),
  pt: z.number(),
})

/** The counts of the rows predicted so far. */
export const tally = z.object({
  rows: z.number(),
  failed: z.number(),
  /** The first few rows that could not be predicted, with their reasons. */
  faults: z.array(z.string()),
  oddities: z.array(oddity).default([]),
  /** Why the file may be meant otherwise than it is read. */
  doubts: z.array(z.string()).default([]),
  /** Processes that the model ended over them. */
  ended: z.number().default(0),
  agreement: sums,
})

export type Tally = z.infer<typeof tally>

/** The record of the prediction of a file. */
const filePrediction = z.object({
  schema: z.string(),
  model: z.string(),
  file: z.string(),
  prediction: z.number(),
  state: z.number().int(),
  end_us: z.number(),
  /** 0 to 1. */
  progress: z.number(),
  /** How often it was begun without getting any further. */
  tries: z.number().int(),
  /** Why it ended, where it failed. */
  reason: z.string().optional(),
  considerTarget: z.boolean(),
  task: z.enum(['classes', 'numbers', 'clusters', 'entities']).optional(),
  tally: tally.optional(),
})

export type FilePrediction = z.infer<typeof filePrediction>

/** The state in which a prediction of a file begins. */
export const asked = (key: PredictionKey, considerTarget: boolean): FilePrediction => ({
  schema: key.schema,
  model: key.model,
  file: key.file,
  prediction: key.prediction,
  state: fileState.fetching,
  end_us: 0,
  progress: 0,
  tries: 0,
  considerTarget,
})

const numbered = z.object({ prediction: z.number() })

/** The state of a row that is removed. */
const removed = 0

type Row = { readonly record: string; readonly state: number; readonly version: string }

/** The last prediction of each file, in ClickHouse. */
export function createFilePredictionStore(clickhouse: ClickHouse) {
  const exclusively = createKeyedMutex()

  const ofFile = 'WHERE schema = {schema:String} AND model = {model:String} AND file = {file:String}'

  async function rowOf({ schema, model, file }: FileKey): Promise<Row | undefined> {
    const [row] = await clickhouse.rows<Row>({
      text: `SELECT record, state, toString(version) AS version FROM weir.file_predictions FINAL ${ofFile}`,
      params: { schema, model, file },
    })
    return row
  }

  /** False, and nothing is written, where another process has written the row since it was read as `before`. */
  async function write(
    { schema, model, file }: FileKey,
    state: number,
    record: string,
    before: Row | undefined,
    us: number,
  ): Promise<boolean> {
    const version = String(after(before, us))
    await clickhouse.run({
      text: [
        'INSERT INTO weir.file_predictions',
        'SELECT {schema:String}, {model:String}, {file:String}, {state:Int64}, {record:String}, {version:UInt64}',
        `WHERE (SELECT max(version) FROM weir.file_predictions ${ofFile}) = {before:UInt64}`,
      ].join(' '),
      params: { schema, model, file, state, record, version, before: before?.version ?? '0' },
    })
    const now = await rowOf({ schema, model, file })
    return now?.version === version && now.record === record
  }

  const after = (before: Row | undefined, us: number): number => Math.max(us, Number(before?.version ?? 0) + 1)

  /** Which prediction a row is of, removed or not. */
  const numberOf = (row: Row | undefined): number =>
    row === undefined ? 0 : numbered.parse(JSON.parse(row.record)).prediction

  const find = async (key: FileKey): Promise<FilePrediction | undefined> => {
    const row = await rowOf(key)
    return row === undefined || row.state === removed ? undefined : filePrediction.parse(JSON.parse(row.record))
  }

  return {
    find,

    /** The predictions of all files of a model. */
    async list({ schema, model }: ModelKey): Promise<FilePrediction[]> {
      const rows = await clickhouse.rows<Pick<Row, 'record'>>({
        text: `SELECT record FROM weir.file_predictions FINAL WHERE state != ${removed} AND schema = {schema:String} AND model = {model:String} ORDER BY file`,
        params: { schema, model },
      })
      return rows.map(({ record }) => filePrediction.parse(JSON.parse(record)))
    },

    /** The number of the last prediction of a file; 0 where none was asked for. */
    last: async (key: FileKey): Promise<number> => numberOf(await rowOf(key)),

    /**
     * Notes that a prediction was asked for, where it is not noted yet: the process that took the request does so, and its
     * run does, in any order. False where it was removed, or a later one was asked for.
     */
    begin: (record: FilePrediction): Promise<boolean> =>
      exclusively(idOf(record), async () => {
        for (;;) {
          const row = await rowOf(record)
          const last = numberOf(row)
          if (row !== undefined && last >= record.prediction) return last === record.prediction && row.state !== removed
          // The version is the same whichever process writes it, and older than any that the run writes next.
          if (await write(record, record.state, JSON.stringify(record), row, record.prediction)) return true
        }
      }),

    /** Changes a prediction that is under way; undefined where it has ended, is gone or is another, and then nothing changes. */
    update: (key: PredictionKey, change: Partial<FilePrediction>): Promise<FilePrediction | undefined> =>
      exclusively(idOf(key), async () => {
        for (;;) {
          const row = await rowOf(key)
          if (row === undefined || !isUnderWay(row.state)) return undefined
          const before = filePrediction.parse(JSON.parse(row.record))
          if (before.prediction !== key.prediction) return undefined
          const record = { ...before, ...change }
          if (await write(key, record.state, JSON.stringify(record), row, Date.now() * 1000)) return record
        }
      }),

    remove: (key: FileKey): Promise<void> =>
      exclusively(idOf(key), async () => {
        for (;;) {
          const row = await rowOf(key)
          if (row === undefined || row.state === removed) return
          // Its run, where it is still about to begin, is not to bring it back.
          const record = JSON.stringify({ prediction: numberOf(row) })
          if (await write(key, removed, record, row, Date.now() * 1000)) return
        }
      }),
  }
}

export type FilePredictionStore = ReturnType<typeof createFilePredictionStore>

const idOf = ({ schema, model, file }: FileKey): string => `${schema}:${model}:${file}`
