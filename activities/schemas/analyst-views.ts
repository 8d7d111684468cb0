import type { Exclusively } from '../../base/mutex.ts'
import type { SqlQuery, SqlRunner } from '../../infra/clickhouse/analysts/sql-runner.ts'
import { type ClickHouse, runAll } from '../../infra/clickhouse/clickhouse.ts'
import type { Reach } from '../../sql/analysts/tables.ts'
import { createRejectedTable } from '../../sql/schema/ddl/events.ts'
import { compileFoundColumns, type FoundColumn, renew } from '../../sql/schema/ddl/renew.ts'
import { createViews } from '../../sql/schema/ddl/schema.ts'
import { rejectedTable } from '../../sql/schema/names.ts'
import type { Schema, Stream } from '../../sql/schema/schema.ts'
import type { Registry } from '../registry/registry.ts'

export type AnalystViewsDeps = {
  readonly clickhouse: ClickHouse
  readonly registry: Pick<Registry, 'find' | 'all'>
  readonly exclusively: Exclusively
  /** Whether schemas have their views from the start: analysts ask a server without telling Weir. */
  readonly atOnce: boolean
}

/** A statement that lists the tables may mean any schema; `system.numbers` and `system.settings` mean none. */
const isOfAny = (words: ReadonlySet<string>): boolean =>
  words.has('information_schema') || (words.has('system') && (words.has('tables') || words.has('columns')))

const wordsIn = (text: string): string[] => text.match(/\w+/g) ?? []

/**
 * The views of schemas that only analysts read. A start loads them as slowly as everything else together, so embedded they
 * are made when a statement first names their schema. Then, and on a server at the start, all that analysts see of the
 * schema gets the form that this version gives it.
 */
export function createAnalystViews({ clickhouse, registry, exclusively, atOnce }: AnalystViewsDeps) {
  const made = new Map<string, Schema>()
  const rejected = new Map<string, Schema>()

  const isMade = (schema: Schema): boolean => made.get(schema.name) === schema

  /** Tables of rejected lines that a statement names and nothing has made: without it the first such line makes each. */
  const unmadeRejected = (schema: Schema, words: ReadonlySet<string>): Stream[] =>
    schema.streams.filter(
      ({ kind, name }) =>
        kind !== 'entity' && words.has(rejectedTable(name)) && rejected.get(`${schema.name}.${name}`) !== schema,
    )

  async function make(name: string, words: ReadonlySet<string>): Promise<void> {
    const schema = registry.find(name)?.schema
    if (!schema) return
    for (const stream of unmadeRejected(schema, words)) {
      await clickhouse.run(createRejectedTable(name, stream.name, schema.redelivered))
      rejected.set(`${name}.${stream.name}`, schema)
    }
    if (isMade(schema)) return
    const columns = await clickhouse.rows<FoundColumn>(compileFoundColumns(schema))
    await runAll(clickhouse, renew(schema, columns))
    made.set(name, schema)
  }

  return {
    /** The statements that belong to the making of a schema. */
    of: (schema: Schema): string[] => (atOnce ? createViews(schema) : []),

    /** Resolves once every view is there that a statement may mean, of the databases that it may reach. */
    async ready(text: string, reach?: Reach): Promise<void> {
      if (atOnce) return
      const words = new Set(wordsIn(text))
      const isOfAll = isOfAny(new Set([...words].map((word) => word.toLowerCase())))
      for (const { schema } of registry.all()) {
        const { name } = schema
        const isMeant = (isOfAll || words.has(name)) && (reach === undefined || reach.databases.has(name))
        // One schema at a time: changes of other schemas get in between.
        const isThere = isMade(schema) && unmadeRejected(schema, words).length === 0
        if (isMeant && !isThere) await exclusively(() => make(name, words))
      }
    },

    /** Gives the present form to all that analysts see on a server, where a version before this one made it. */
    async renew(): Promise<void> {
      for (const { schema } of atOnce ? registry.all() : []) {
        const columns = await clickhouse.rows<FoundColumn>(compileFoundColumns(schema))
        if (renew(schema, columns).length > 0) await exclusively(() => make(schema.name, new Set()))
      }
    },
  }
}

export type AnalystViews = ReturnType<typeof createAnalystViews>

/** Readies all that a statement may name before it runs: the views of schemas, and the rows of graphs. */
export const withViews = (runner: SqlRunner, ...parts: readonly Pick<AnalystViews, 'ready'>[]): SqlRunner => ({
  ...runner,
  query: async (query, signal) => {
    const words = wordsOf(query)
    await Promise.all(parts.map(({ ready }) => ready(words, query.reach)))
    return runner.query(query, signal)
  },
})

const wordsOf = ({ text, body, database = '', params }: SqlQuery): string =>
  [text, body.toString('latin1'), database, ...Object.values(params)].join('\n')
