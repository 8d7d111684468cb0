import { parseExactJson, writeExactJson } from '../../../base/exact-json.ts'
import { createKeyedMutex } from '../../../base/mutex.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { throughPassing } from '../../../infra/clickhouse/passing.ts'
import { isUnderWay } from '../training-states.ts'
import { type ModelKey, type TrainingKey, type TrainingRecord, trainingRecord } from './training-record.ts'

/** A removed row: no later version, such as a step writes that has read the row before, brings the training back. */
const removed = 0
const lastVersion = 2n ** 64n - 1n

export type LatestTraining = TrainingKey & Pick<TrainingRecord, 'algorithm' | 'state'>

type Row = { readonly record: string; readonly state: number; readonly version: string }

/**
 * Training requests, in ClickHouse. The latest training of a model counts; a step of an earlier one that is still
 * alive writes its own row, and hides nothing of the later one. `onEnd` hears the state in which a training ended here.
 * Reads and writes of a step are tried again while ClickHouse is short of something: hours of a fit hang on them.
 */
export function createTrainingStore(clickhouse: ClickHouse, onEnd: (state: number) => void = () => {}) {
  const exclusively = createKeyedMutex()

  const ofTraining = 'WHERE schema = {schema:String} AND model = {model:String} AND training = {training:UInt64}'

  /** Writes nothing where the row is not as it was at version `before` any more: another process has written it. */
  const write = (
    { schema, model, training }: TrainingKey,
    state: number,
    record: string,
    version: number | bigint,
    before?: string,
  ): Promise<void> =>
    clickhouse.run({
      text: [
        'INSERT INTO weir.training_requests',
        'SELECT {schema:String}, {model:String}, {training:UInt64}, {state:Int64}, {record:String}, {version:UInt64}',
        ...(before === undefined
          ? []
          : [`WHERE (SELECT max(version) FROM weir.training_requests ${ofTraining}) = {before:UInt64}`]),
      ].join(' '),
      params: {
        ...{ schema, model, training: String(training), state, record, version: String(version) },
        ...(before !== undefined && { before }),
      },
    })

  async function rowOf({ schema, model, training }: TrainingKey): Promise<Row | undefined> {
    const [row] = await clickhouse.rows<Row>({
      text: `SELECT record, state, toString(version) AS version FROM weir.training_requests FINAL ${ofTraining}`,
      params: { schema, model, training: String(training) },
    })
    return row
  }

  async function latestOf(schema: string, model?: string): Promise<TrainingRecord[]> {
    const rows = await clickhouse.rows<Row>({
      text: [
        'SELECT record, state, toString(version) AS version FROM weir.training_requests FINAL',
        `WHERE state != ${removed} AND schema = {schema:String}`,
        ...(model === undefined ? [] : ['AND model = {model:String}']),
        'ORDER BY model, training DESC LIMIT 1 BY model',
      ].join(' '),
      params: { schema, ...(model !== undefined && { model }) },
    })
    return rows.map(({ record }) => readRecord(record))
  }

  const remove = (key: TrainingKey): Promise<void> =>
    exclusively(idOf(key), async () => {
      const row = await rowOf(key)
      if (row !== undefined && row.state !== removed) await write(key, removed, '', lastVersion)
    })

  return {
    /** The latest training of each model of a schema, by the model's name. */
    list: (schema: string): Promise<TrainingRecord[]> => latestOf(schema),

    /** The latest training of every model, without its log. */
    async states(): Promise<LatestTraining[]> {
      const rows = await clickhouse.rows<Omit<LatestTraining, 'training'> & { readonly training: string }>({
        text: `SELECT schema, model, JSONExtractString(record, 'algorithm') AS algorithm, state, toString(training) AS training FROM weir.training_requests FINAL WHERE state != ${removed} ORDER BY schema, model, training DESC LIMIT 1 BY schema, model`,
        params: {},
      })
      return rows.map((row) => ({ ...row, training: Number(row.training) }))
    },

    latest: async ({ schema, model }: ModelKey): Promise<TrainingRecord | undefined> =>
      (await latestOf(schema, model))[0],

    async find(key: TrainingKey): Promise<TrainingRecord | undefined> {
      const row = await throughPassing(() => rowOf(key))
      return row === undefined || row.state === removed ? undefined : readRecord(row.record)
    },

    async isUnderWay(key: TrainingKey): Promise<boolean> {
      const row = await rowOf(key)
      return row !== undefined && isUnderWay(row.state)
    },

    add: (record: TrainingRecord): Promise<void> =>
      write(record, record.state, writeExactJson(record), record.training),

    /**
     * Changes a training that is under way; undefined where it has ended or is gone, and then nothing changes. A change is
     * made anew on top of that of another process, such as a stop while a step writes its progress.
     */
    update: (
      key: TrainingKey,
      change: (record: TrainingRecord) => TrainingRecord,
    ): Promise<TrainingRecord | undefined> =>
      exclusively(idOf(key), async () => {
        for (;;) {
          const row = await throughPassing(() => rowOf(key))
          if (row === undefined || !isUnderWay(row.state)) return undefined
          const record = change(readRecord(row.record))
          const text = writeExactJson(record)
          const version = Math.max(Date.now() * 1000, Number(row.version) + 1)
          await throughPassing(() => write(key, record.state, text, version, row.version))
          const now = await throughPassing(() => rowOf(key))
          if (now?.version !== String(version) || now.record !== text) continue
          if (!isUnderWay(record.state)) onEnd(record.state)
          return record
        }
      }),

    remove,

    /** With those before the latest, which would else come to light. */
    async removeAll({ schema, model }: ModelKey): Promise<void> {
      const rows = await clickhouse.rows<{ readonly training: string }>({
        text: `SELECT toString(training) AS training FROM weir.training_requests FINAL WHERE state != ${removed} AND schema = {schema:String} AND model = {model:String}`,
        params: { schema, model },
      })
      for (const { training } of rows) await remove({ schema, model, training: Number(training) })
    },
  }
}

export type TrainingStore = ReturnType<typeof createTrainingStore>

const readRecord = (text: string): TrainingRecord => trainingRecord.parse(parseExactJson(text))

const idOf = ({ schema, model, training }: TrainingKey): string => `${schema}:${model}:${training}`
