import { literal } from '../../sql/literal.ts'
import type { ClickHouse } from '../clickhouse/clickhouse.ts'

export type RunState = 'running' | 'done' | 'failed' | 'cancelled'

/** The record of a workflow's run in a process: its request, and once it has ended its outcome. */
export type RunRecord = {
  readonly id: string
  readonly workflow: string
  readonly state: RunState
  /** JSON. */
  readonly request: string
  /** JSON where it is done, else the reason. */
  readonly outcome: string
  /** The process that runs it, or ran it; empty where a process that stopped has left it to the next. */
  readonly process: string
  /** How many processes ended amid it without a word. */
  readonly deaths: number
}

/** A statement with their ids is below the length that ClickHouse takes. */
const foundAtOnce = 250

/** Keeps runs, so that a run that was under way when its process ended is taken up again. */
export function createRunRecords(clickhouse: ClickHouse, now_us: () => number) {
  const columns = 'id, workflow, state, request, outcome, process, deaths'
  const ofRun = 'FROM weir.runs WHERE id = {id:String}'
  /** Greater than the version that was kept before, whatever the clocks of two processes say. */
  const version = `greatest({version:UInt64}, (SELECT max(version) + 1 ${ofRun}))`
  const put = (
    { id, workflow, state, request, outcome, process, deaths }: RunRecord,
    condition: string,
  ): Promise<void> =>
    clickhouse.run({
      text: `INSERT INTO weir.runs (${columns}, version) SELECT {id:String}, {workflow:String}, {state:String}, {request:String}, {outcome:String}, {process:String}, {deaths:UInt64}, ${version}${condition}`,
      params: { id, workflow, state, request, outcome, process, deaths, version: String(now_us()) },
    })
  return {
    /** Makes a run its process's. */
    begin: (record: RunRecord): Promise<void> => put(record, ''),
    /** Changes nothing where another process has taken the run. */
    end: (record: RunRecord): Promise<void> =>
      put(record, ` WHERE (SELECT argMax(process, version) ${ofRun}) = {process:String}`),
    /** Leaves a run to the next process, unless another has it. */
    release: ({ id, process }: RunRecord): Promise<void> =>
      clickhouse.run({
        text: `INSERT INTO weir.runs (${columns}, version) SELECT id, workflow, state, request, outcome, '', deaths, ${version} FROM weir.runs FINAL WHERE id = {id:String} AND state = 'running' AND process = {process:String}`,
        params: { id, process, version: String(now_us()) },
      }),
    async find(id: string): Promise<RunRecord | undefined> {
      const text = `SELECT ${columns} FROM weir.runs FINAL WHERE id = {id:String}`
      return (await clickhouse.rows<RunRecord>({ text, params: { id } }))[0]
    },
    async findAll(ids: readonly string[]): Promise<ReadonlyMap<string, RunRecord>> {
      const found = new Map<string, RunRecord>()
      for (let from = 0; from < ids.length; from += foundAtOnce) {
        const some = ids.slice(from, from + foundAtOnce).map((id) => literal(id, 'String'))
        const text = `SELECT ${columns} FROM weir.runs FINAL WHERE id IN (${some.join(', ')})`
        for (const record of await clickhouse.rows<RunRecord>({ text, params: {} })) found.set(record.id, record)
      }
      return found
    },
    unfinished: (): Promise<RunRecord[]> =>
      clickhouse.rows<RunRecord>({
        text: `SELECT ${columns} FROM weir.runs FINAL WHERE state = 'running' ORDER BY id`,
        params: {},
      }),
  }
}

export type RunRecords = ReturnType<typeof createRunRecords>
