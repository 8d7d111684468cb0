import { z } from 'zod'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { throughPassing } from '../../../infra/clickhouse/passing.ts'
import { seriesDescription } from '../../../learn/description.ts'
import type { ModelKey } from './training-record.ts'

const versionFacts = z.object({
  task: z.string(),
  target: z.string().optional(),
  labels: z.array(z.union([z.number(), z.string()])).optional(),
  /** The first ones, where there are many. */
  attributes: z.array(z.object({ name: z.string(), kind: z.enum(['number', 'word']) })),
  num_attributes: z.number().int(),
  parameters: z.record(z.string(), z.unknown()),
  series: seriesDescription.optional(),
  source: z.record(z.string(), z.string()),
  /** A line of JSON that the model predicts. */
  example: z.string(),
})

export type VersionFacts = z.infer<typeof versionFacts>

/** How well the version that was current did on the rows held out of this version's training. */
const versionBeside = z.object({ version: z.number().int(), metrics: z.record(z.string(), z.unknown()) })

export type VersionBeside = z.infer<typeof versionBeside>

/** A version of a model that was published. */
const modelVersion = z.object({
  /** Versions of a model count from 1. */
  number: z.number().int(),
  /** The key of its file among the working objects of models. */
  key: z.string(),
  algorithm: z.string(),
  start_us: z.number(),
  end_us: z.number(),
  metrics: z.record(z.string(), z.unknown()),
  rows: z.number().int().optional(),
  fingerprint: z.string().optional(),
  /** How the data were read where they might have been meant otherwise. */
  notes: z.array(z.string()).optional(),
  facts: versionFacts.optional(),
  beside: versionBeside.optional(),
  /** The model and the version that it is a copy of. */
  copyOf: z.object({ model: z.string(), number: z.number().int() }).optional(),
})

export type ModelVersion = z.infer<typeof modelVersion>

/**
 * `since_us`: when it was made current last, or published where it was never current. A version that was never current is
 * `staged`.
 */
export type VersionRow = ModelVersion & {
  readonly current: boolean
  readonly staged: boolean
  readonly since_us: number
}

/** A model by its current version; by its latest one, without a number, where none was ever current. */
export type ListedModel = ModelKey &
  Pick<ModelVersion, 'algorithm'> &
  Partial<Pick<VersionFacts, 'task' | 'target'>> & {
    readonly number?: number
    readonly since_us: number
    readonly versions: number
  }

type ListedRow = ModelKey &
  Readonly<Record<'number' | 'algorithm' | 'task' | 'target' | 'since' | 'versions' | 'current', string>>

type Row = { readonly record: string; readonly state: State; readonly version: string }

/** `kept`: it is current or was; `staged`: it never was. */
type State = 'kept' | 'staged' | 'removed'

/** Versions of models, in ClickHouse. The one that was made current last is current. */
export function createVersionStore(clickhouse: ClickHouse) {
  async function rowsOf({ schema, model }: ModelKey): Promise<Row[]> {
    const statement = {
      text: "SELECT record, state, toString(version) AS version FROM weir.models FINAL WHERE schema = {schema:String} AND model = {model:String} AND state != 'removed' ORDER BY number",
      params: { schema, model },
    }
    return throughPassing(() => clickhouse.rows<Row>(statement))
  }

  const write = ({ schema, model }: ModelKey, record: ModelVersion, state: State, version: number): Promise<void> =>
    throughPassing(() =>
      clickhouse.run({
        text: 'INSERT INTO weir.models SELECT {schema:String}, {model:String}, {number:UInt64}, {state:String}, {record:String}, {version:UInt64}',
        params: {
          schema,
          model,
          number: record.number,
          state,
          record: JSON.stringify(modelVersion.parse(record)),
          version: String(version),
        },
      }),
    )

  const after = (rows: readonly Row[]): number =>
    rows.reduce((latest, { version }) => Math.max(latest, Number(version) + 1), Date.now() * 1000)

  async function list(key: ModelKey): Promise<VersionRow[]> {
    const rows = await rowsOf(key)
    const latest = Math.max(...rows.flatMap(({ state, version }) => (state === 'kept' ? [Number(version)] : [])))
    return rows.map(({ record, state, version }) => ({
      ...modelVersion.parse(JSON.parse(record)),
      current: state === 'kept' && Number(version) === latest,
      staged: state === 'staged',
      since_us: Number(version),
    }))
  }

  return {
    /** Oldest first. */
    list,

    /** The number of the current version of each model of a schema. */
    async currentNumbers(schema: string): Promise<ReadonlyMap<string, number>> {
      const rows = await clickhouse.rows<{ readonly model: string; readonly number: string }>({
        text: "SELECT model, toString(argMax(number, version)) AS number FROM weir.models FINAL WHERE schema = {schema:String} AND state = 'kept' GROUP BY model",
        params: { schema },
      })
      return new Map(rows.map(({ model, number }) => [model, Number(number)]))
    },

    /** Every model that was published. */
    async models(): Promise<ListedModel[]> {
      // Records hold metrics and attributes, which a list of thousands has no use for.
      const rank = "(state = 'kept', version)"
      const last = (...path: readonly string[]) =>
        `argMax(JSONExtractString(record, ${path.map((member) => `'${member}'`).join(', ')}), ${rank}) AS ${path.at(-1)}`
      const facts = [last('algorithm'), last('facts', 'task'), last('facts', 'target')].join(', ')
      const rows = await throughPassing(() =>
        clickhouse.rows<ListedRow>({
          text: `SELECT schema, model, toString(argMax(number, ${rank})) AS number, ${facts}, toString(max(${rank}).2) AS since, toString(max(${rank}).1) AS current, toString(count()) AS versions FROM weir.models FINAL WHERE state != 'removed' GROUP BY schema, model`,
          params: {},
        }),
      )
      return rows.map(({ schema, model, algorithm, ...row }) => ({
        ...{ schema, model, algorithm },
        ...(row.current === '1' && { number: Number(row.number) }),
        ...(row.task !== '' && { task: row.task }),
        ...(row.target !== '' && { target: row.target }),
        since_us: Number(row.since),
        versions: Number(row.versions),
      }))
    },

    async current(key: ModelKey): Promise<ModelVersion | undefined> {
      return (await list(key)).find(({ current }) => current)
    },

    /** Adds a version, or makes one that is there current: the latest row is. */
    async makeCurrent(key: ModelKey, version: ModelVersion): Promise<void> {
      await write(key, version, 'kept', after(await rowsOf(key)))
    },

    /** Adds a version that is not current. */
    async stage(key: ModelKey, version: ModelVersion): Promise<void> {
      await write(key, version, 'staged', after(await rowsOf(key)))
    },

    /**
     * Removes a version as it was listed: one that was made current since then stays. Its number is not given again while
     * a later one is there.
     */
    remove: (key: ModelKey, version: VersionRow): Promise<void> => write(key, version, 'removed', version.since_us + 1),

    async removeAll(key: ModelKey): Promise<void> {
      const rows = await rowsOf(key)
      const now = after(rows)
      for (const { record } of rows) await write(key, modelVersion.parse(JSON.parse(record)), 'removed', now)
    },
  }
}

export type VersionStore = ReturnType<typeof createVersionStore>
