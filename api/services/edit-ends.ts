import type { Catalogue } from '../../infra/catalogue.ts'
import type { ClickHouse } from '../../infra/clickhouse/clickhouse.ts'
import type { Feeder } from '../../infra/feeder.ts'
import { type EditEnd, planEditEnd } from '../../sql/schema/ddl/edit-end.ts'
import { type Change, freshFilters } from '../../sql/schema/ddl/fresh.ts'
import { queueName } from '../../sql/schema/names.ts'
import { changeOf, type EditRecord, readEditRecord } from './edit-record.ts'
import { copyPasts } from './past-copies.ts'
import type { Registered } from './registered.ts'

export type EditEndsDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Catalogue
  readonly registered: Registered
  readonly feeder: Feeder
}

/** What is left to do once an edit stands: it may be cut off anywhere, and done again. */
export function createEditEnds({ clickhouse, catalogue, registered, feeder }: EditEndsDeps) {
  const run = async (statements: readonly string[]): Promise<void> => {
    for (const statement of statements) await clickhouse.run(statement)
  }

  const keep = (name: string, record: EditRecord): Promise<void> =>
    catalogue.putSchema({ name, body: JSON.stringify(record), state: 'filling' })

  async function fill(name: string, record: EditRecord, change: Change, graph: EditEnd['graph']): Promise<void> {
    for (const statements of graph) await run(statements)
    const off = registered.offStreams(name)
    await copyPasts(
      { clickhouse, keep: (copies) => keep(name, { ...record, copies }) },
      change.to,
      freshFilters(change).filter(({ filter }) => !off.has(filter.target)),
      `${name}:${record.id}`,
      record.copies ?? { done: 0 },
    )
    await keep(name, { ...record, isFilled: true })
  }

  async function end(name: string, record: EditRecord): Promise<void> {
    const change = changeOf(record, registered.decode)
    const { graph, clean } = planEditEnd(change)
    if (!record.isFilled) await fill(name, record, change, graph)
    for (const { name: stream } of change.from.streams) {
      if (change.to.streams.some((each) => each.name === stream)) continue
      await feeder.forget(queueName(name, stream))
      await registered.forget(name, stream)
    }
    await run(clean)
    await catalogue.putSchema({ name, body: record.to, state: 'ready' })
  }

  return {
    end,

    /** Goes on where the catalogue says that the copies are. */
    async again(name: string): Promise<void> {
      const kept = (await catalogue.schemas()).find((each) => each.name === name)
      if (kept?.state === 'filling') await end(name, readEditRecord(kept))
    },
  }
}

export type EditEnds = ReturnType<typeof createEditEnds>
