/** Schemas in embedded ClickHouse, whose events come as a log brings them that may bring them again. */
import { join } from 'node:path'
import { createReconcileSchema, type TableReport } from '../../../activities/schemas/reconcile/reconcile-schema.ts'
import { createCatalogue } from '../../../infra/catalogue/catalogue.ts'
import type { ClickHouse } from '../../../infra/clickhouse/clickhouse.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { createSchema } from '../../../sql/schema/ddl/schema.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { type Contents, type Order, queries, shopSchema, sorted } from './shop.ts'

export type Place = Awaited<ReturnType<ReturnType<typeof createWorkplace>['place']>>

/** Lets a test stand in for ClickHouse on the reconciliation's side. */
export type Between = (clickhouse: ClickHouse) => ClickHouse

export function createWorkplace() {
  const folder = join(temporaryFolder(), 'clickhouse')
  let clickhouse = createEmbeddedClickHouse({ path: folder, connections: 3 })
  let number = 0

  const run = async (...statements: string[]): Promise<void> => {
    for (const statement of statements) await clickhouse.run(statement)
  }

  return {
    run,
    start: () => migrate(clickhouse),
    close: () => clickhouse.close(),
    async restart(): Promise<void> {
      await clickhouse.close()
      clickhouse = createEmbeddedClickHouse({ path: folder, connections: 3 })
    },
    rows: <Row>(text: string): Promise<Row[]> => clickhouse.rows<Row>({ text, params: {} }),

    /** A schema of its own. */
    async place(make: (name: string) => Schema = (name) => shopSchema(name)) {
      const schema = make(`shop${++number}`)
      await run(...createSchema(schema))
      return {
        schema,
        name: schema.name,
        async deliver(orders: readonly Order[]): Promise<void> {
          if (orders.length === 0) return
          const lines = orders.map(({ pk, seq, lane, position, ...values }) =>
            JSON.stringify({ _pk: pk, _seq: seq, ...values, _pivot_price: 10, _lane: lane, _position: position }),
          )
          const table = `${schema.name}.${schema.redelivered ? 'orders__delivered' : 'orders__in'}`
          await clickhouse.insert({ table, rows: Buffer.from(`${lines.join('\n')}\n`) })
        },
        async contents(): Promise<Contents> {
          const all: Record<string, Contents[string]> = {}
          for (const [name, query] of Object.entries(queries)) {
            const answer = await clickhouse.read({ text: query(schema.name), params: {} }, 'JSONCompactEachRow')
            const lines = answer.toString('utf8').split('\n')
            all[name] = sorted(lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line)])))
          }
          return all
        },
        reconcile(between: Between = (same) => same, since_us?: number): Promise<TableReport[]> {
          const deps = {
            clickhouse: between(clickhouse),
            catalogue: createCatalogue(clickhouse, () => Date.now() * 1000),
            quiesce: async <T>(_: string, work: (s: Schema) => Promise<T>) => work(schema),
          }
          return createReconcileSchema(deps)(schema, since_us)
        },
        /** The parts of every table of the schema: the same only where nothing was written. */
        parts: () =>
          clickhouse.rows<{ part: string }>({
            text: `SELECT concat(table, ' ', toString(uuid), ' ', name) AS part FROM system.parts
              WHERE active AND (database = {schema:String} OR database = 'graph' AND startsWith(table, {schema:String}))
              ORDER BY part`,
            params: { schema: schema.name },
          }),
      }
    },
  }
}

export const wrongOf = (report: readonly TableReport[]): Record<string, number> =>
  Object.fromEntries(report.flatMap(({ table, wrong }) => (wrong === 0 ? [] : [[table, wrong]])))
