import { randomBytes } from 'node:crypto'
import { fault } from '../../../base/faults.ts'
import type { Exclusively } from '../../../base/mutex.ts'
import type { Catalogue, Erased } from '../../../infra/catalogue/catalogue.ts'
import { type ClickHouse, type Question, runAll } from '../../../infra/clickhouse/clickhouse.ts'
import type { Logger } from '../../../infra/logger.ts'
import { eraseNotified } from '../../../sql/notification/erase.ts'
import type { Condition } from '../../../sql/query/ast.ts'
import { type EntitySource, entitySource } from '../../../sql/query/compile/entities.ts'
import { downstream } from '../../../sql/schema/columns.ts'
import { entitySources } from '../../../sql/schema/ddl/edit/expired-data.ts'
import {
  compileErasedValues,
  compileErasures,
  compileFoundKeys,
  compileHasRejected,
  compileMatched,
  compileMatchedPlaces,
  compilePositions,
  createErasure,
  createFoundKeys,
  createLines,
  createMatched,
  dropErasure,
  eraseCopies,
  eraseFound,
  eraseKeys,
  eraseRejected,
  keepEvents,
  killErasure,
  matchEvents,
  matchKeys,
  matchRejected,
} from '../../../sql/schema/ddl/erase.ts'
import { hasQueue } from '../../../sql/schema/made.ts'
import { queueName } from '../../../sql/schema/names.ts'
import type { Schema, Stream } from '../../../sql/schema/schema.ts'
import type { RegisteredStream, Registry } from '../../registry/registry.ts'
import type { Rules } from '../../rules/rules.ts'
import type { SchemaEdits } from '../edit/edits.ts'
import type { Quiesced } from '../edit/quiesce.ts'
import { dropRebuilds } from '../rebuild/drop-rebuilds.ts'
import { addLoss } from './erased.ts'

export type EraseDeps = {
  readonly clickhouse: ClickHouse
  readonly catalogue: Pick<Catalogue, 'erased' | 'putErased'>
  readonly registry: Pick<Registry, 'stream'>
  readonly edits: Pick<SchemaEdits, 'alone'>
  readonly rules: Pick<Rules, 'forgetEvents' | 'refill'>
  readonly exclusively: Exclusively
  readonly logger: Logger
}

/** Max events of one erasure: their places have to fit the memory of each statement that deletes. */
const maxEvents = 10_000_000
/** Places of events that are looked for at once in the memory of rules. */
const placesAtOnce = 500_000

/**
 * Erases stored events and rows of entities. The streams that filters fill go before the stream in which the events
 * were found: so an erasure that is cut off finds the rest of them when it is asked again.
 */
export function createErase({ clickhouse, catalogue, registry, edits, rules, exclusively, logger }: EraseDeps) {
  const one = async <Row>(statement: Question<Row>): Promise<Row | undefined> => (await clickhouse.rows(statement))[0]

  async function takeAway(token: string): Promise<void> {
    await clickhouse.run(killErasure(token))
    await clickhouse.run(dropErasure(token))
  }

  /** Takes away the tables of erasures that were cut off. Runs where no other erasure does. */
  async function clean(): Promise<void> {
    for (const { token } of await clickhouse.rows(compileErasures)) await takeAway(token)
  }

  /** Runs `work` with tables of its own, alone on the schema. */
  const erasing = <Result>(
    schema: string,
    work: (token: string, quiesced: Quiesced) => Promise<Result>,
  ): Promise<Result> =>
    edits.alone(schema, async (quiesced) => {
      await clean()
      const token = randomBytes(6).toString('hex')
      try {
        return await work(token, quiesced)
      } finally {
        await takeAway(token).catch((error: unknown) =>
          logger.warn({ err: error, schema }, 'tables of an erasure not taken away, the next one does'),
        )
      }
    })

  async function note(schema: string, stream: string, loss: Erased): Promise<void> {
    const known = (await catalogue.erased(schema)).get(stream)
    await catalogue.putErased(queueName(schema, stream), addLoss(known, loss))
  }

  /** How far the topics had been taken: a consumer that has lost its place goes on behind that. */
  async function notePositions(schema: Schema): Promise<void> {
    if (!schema.redelivered) return
    for (const stream of schema.streams.filter(hasQueue)) {
      const rows = await clickhouse.rows(compilePositions(schema, stream))
      if (rows.length === 0) continue
      const positions = Object.fromEntries(rows.map(({ lane, position }) => [lane, Number(position)]))
      await note(schema.name, stream.name, { positions })
    }
  }

  /** The values that entities go on counting, by measure. */
  async function erasedValues(schema: Schema, stream: Stream, token: string): Promise<Record<string, number>> {
    const values: Record<string, number> = {}
    for (const source of entitySources(schema, stream)) {
      const row = await one(compileErasedValues(schema, source, token))
      for (const [index, { result }] of source.measures.entries()) {
        values[`${source.aggregate.table}.${result}`] = row?.counts[index] ?? 0
      }
    }
    return values
  }

  async function eraseLines(schema: Schema, stream: Stream, where: Condition, token: string): Promise<void> {
    if ((await one(compileHasRejected(schema, stream))) === undefined) return
    await runAll(clickhouse, [
      createLines(token),
      matchRejected(schema, stream, where, token),
      eraseRejected(schema, stream, token),
    ])
  }

  /** Rules forget the events, and the copies that filters made of them. */
  async function forgetMatched(schema: Schema, affected: readonly Stream[], token: string): Promise<void> {
    for (let after = 0; ; ) {
      const rows = await clickhouse.rows(compileMatchedPlaces(token, after, placesAtOnce))
      const places = new Set(rows.map(({ seq }) => seq))
      for (const { name } of affected) await rules.forgetEvents(schema.name, name, places)
      if (rows.length < placesAtOnce) return
      after = rows.at(-1)?.seq ?? 0
    }
  }

  const sourceOf = ({ schema, stream, columns }: RegisteredStream) => ({
    schema,
    stream,
    columns,
    now_us: Date.now() * 1000,
  })

  const entityOf = ({ schema, stream }: RegisteredStream): EntitySource => entitySource(schema, stream.name)

  return {
    /** Throws a refusal where the condition cannot be meant. */
    check(target: RegisteredStream, where: Condition): void {
      if (target.stream.kind === 'entity') matchKeys(entityOf(target), where, '', Date.now() * 1000)
      else matchEvents(sourceOf(target), where, '')
    },

    /**
     * Erases the events of a stream that match and were acknowledged before, with the copies of them that filters made;
     * answers how many queries showed.
     */
    events: (schemaName: string, streamName: string, where: Condition): Promise<number> =>
      erasing(schemaName, async (token, quiesced) => {
        const target = registry.stream(schemaName, streamName)
        const { schema, stream } = target
        const affected = downstream(schema, stream)
        await quiesced(async () => {
          await runAll(clickhouse, [createErasure(schema, stream, token), keepEvents(schema, stream, token)])
          await notePositions(schema)
        })
        await runAll(clickhouse, [createMatched(token), matchEvents(sourceOf(target), where, token)])
        const { found = 0, shown = 0, until = '0', seq = 0 } = (await one(compileMatched(token))) ?? {}
        if (Number(found) > maxEvents) {
          throw fault(
            'invalid',
            `${found} events match, and ${maxEvents} are erased at a time: narrow them by st >= <us> and et <= <us>`,
          )
        }
        await eraseLines(schema, stream, where, token)
        if (Number(found) === 0) return 0

        const counts = new Map<string, Record<string, number>>()
        for (const each of affected) {
          // A rebuild under way has a copy of the events, and begins again.
          await dropRebuilds(clickhouse, schema.name, each.name)
          await note(schema.name, each.name, { until_us: until, seq: Number(seq) })
          counts.set(each.name, await erasedValues(schema, each, token))
        }
        const names = affected.map(({ name }) => name)
        await forgetMatched(schema, affected, token)
        await runAll(clickhouse, eraseNotified(schema, affected, token))
        const [own, ...copies] = affected
        for (const each of copies.reverse()) await clickhouse.run(eraseCopies(schema, each, token))
        if (own) await clickhouse.run(eraseFound(target, token))
        await rules.refill(schema.name, names)
        for (const [name, values] of counts) {
          if (Object.keys(values).length > 0) await note(schema.name, name, { counts: values })
        }
        return Number(shown)
      }),

    /** Erases the rows of an entity stream that match; answers how many. */
    rows: (schemaName: string, streamName: string, where: Condition): Promise<number> =>
      erasing(schemaName, async (token, quiesced) => {
        const erased = await quiesced(async () => {
          const target = registry.stream(schemaName, streamName)
          const { schema, stream } = target
          const source = entityOf(target)
          if (source.keys.length === 0) return 0
          await runAll(clickhouse, [
            createErasure(schema, stream, token),
            createFoundKeys(source, token),
            matchKeys(source, where, token, Date.now() * 1000),
          ])
          const { found = 0 } = (await one(compileFoundKeys(token))) ?? {}
          if (Number(found) === 0) return 0
          // Rebuilds have copies of the rows.
          await dropRebuilds(clickhouse, schema.name)
          await note(schema.name, stream.name, { rows: true })
          await runAll(clickhouse, eraseKeys(source, token))
          return Number(found)
        })
        // References go on with the rows that are left.
        if (erased > 0) await rules.refill(schemaName, [streamName])
        return erased
      }),

    /** Takes away tables that a process which was cut off has left. */
    clean: (): Promise<void> => exclusively(clean),
  }
}

export type Erase = ReturnType<typeof createErase>
