import { type ClickHouse, ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { fault } from '../../infra/faults.ts'
import type { Feeder } from '../../infra/feeder.ts'
import { compileTriples, type GraphQuery } from '../../sql/graph/index.ts'

export type GraphRequest = {
  readonly graph: string
  readonly query: GraphQuery
  /** Parts of the log whose events the answer must hold. */
  readonly queues: readonly string[]
}

const mostBytes = 64 * 1024 * 1024

/** ClickHouse's error codes: no such table, no such database. A schema that never had a relation has no graph. */
const absent = [60, 81]
/** More bytes than `mostBytes`. */
const tooMuch = 396

/** Answers graph queries, as JSON text. */
export function createGraphQueries({ clickhouse, feeder }: { clickhouse: ClickHouse; feeder: Feeder }) {
  /** One JSON object a line. */
  async function triples({ graph, query }: GraphRequest): Promise<string> {
    try {
      const answer = await clickhouse.read(compileTriples(graph, query, mostBytes), 'JSONEachRow')
      return answer.toString('utf8').trimEnd()
    } catch (error) {
      const code = error instanceof ClickHouseError ? error.code : 0
      if (absent.includes(code)) return ''
      if (code !== tooMuch) throw error
      throw fault('invalid', `the answer exceeds ${mostBytes / 1024 / 1024} MB; name the subject, relation or object`)
    }
  }

  return {
    async triples(request: GraphRequest): Promise<string> {
      await feeder.caughtUp(request.queues)
      const lines = await triples(request)
      const count = lines === '' ? 0 : lines.split('\n').length
      return `{"triple":[${lines.replaceAll('\n', ',')}],"num_items":${count}}`
    },
  }
}

export type GraphQueries = ReturnType<typeof createGraphQueries>
