import type { ClickHouse } from '../clickhouse/clickhouse.ts'

export type RunState = 'running' | 'done' | 'failed' | 'cancelled'

/** A run of a workflow in this process, as it is kept: what it was asked, and once it has ended what came of it. */
export type RunRecord = {
  readonly id: string
  readonly workflow: string
  readonly state: RunState
  /** JSON. */
  readonly request: string
  /** JSON where it is done, else the reason. */
  readonly outcome: string
}

/** Keeps runs, so that what was under way when the process ended is taken up again. */
export function createRunRecords(clickhouse: ClickHouse, now_us: () => number) {
  const columns = 'id, workflow, state, request, outcome'
  return {
    put: ({ id, workflow, state, request, outcome }: RunRecord): Promise<void> =>
      clickhouse.run({
        text: `INSERT INTO weir.runs (${columns}, version) VALUES ({id:String}, {workflow:String}, {state:String}, {request:String}, {outcome:String}, {version:UInt64})`,
        params: { id, workflow, state, request, outcome, version: String(now_us()) },
      }),
    async find(id: string): Promise<RunRecord | undefined> {
      const text = `SELECT ${columns} FROM weir.runs FINAL WHERE id = {id:String}`
      return (await clickhouse.rows<RunRecord>({ text, params: { id } }))[0]
    },
    unfinished: (): Promise<RunRecord[]> =>
      clickhouse.rows<RunRecord>({
        text: `SELECT ${columns} FROM weir.runs FINAL WHERE state = 'running' ORDER BY id`,
        params: {},
      }),
  }
}

export type RunRecords = ReturnType<typeof createRunRecords>
