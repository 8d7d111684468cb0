import { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { type Fault, fault } from '../../infra/faults.ts'

/** ClickHouse's codes: no such table, no such database. */
const codes = [60, 81]

/** Whether ClickHouse refused a statement since what it asks is not there. */
export const isAbsent = (error: unknown): boolean => error instanceof ClickHouseError && codes.includes(error.code)

export const missingGraph = (graph: string): Fault => fault('missing', `no graph ${JSON.stringify(graph)}`)
