import { setTimeout as sleep } from 'node:timers/promises'
import type { RefusedEvents } from '../activities/ingest/refused-events.ts'
import type { RegisteredStream, Registry } from '../activities/registry/registry.ts'
import type { Erase } from '../activities/schemas/erase/erase.ts'
import { Fault } from '../base/faults.ts'
import type { Condition, Source } from '../sql/query/ast.ts'
import { pathsOf, refuseSmallTimes } from '../sql/query/compared.ts'
import { PlacedRefusal, withCaretOf } from '../sql/query/placed-refusal.ts'
import { downstream } from '../sql/schema/columns.ts'
import { rebuildTargets } from '../sql/schema/ddl/edit/rebuild.ts'
import { takersOf } from '../sql/schema/made.ts'
import { queueName } from '../sql/schema/names.ts'
import type { Rebuilds } from './rebuilds.ts'

export type Erasure = {
  /** The text of the statement, in which refusals have their places. */
  readonly text: string
  readonly from: Source
  readonly where?: Condition | undefined
  /** Aggregates are made anew from the events that are left. */
  readonly rebuild: boolean
  /** Aggregates may lose events that have expired. */
  readonly force: boolean
}

export type Erased = {
  readonly count: number
  /** The names of the streams whose aggregates are being made anew. */
  readonly rebuilt: readonly string[]
  readonly notes: readonly string[]
}

/** Finds what may be misspelt in a condition by which nothing was found. */
type NotesOn = (target: RegisteredStream, where: Condition) => Promise<readonly string[]>

export type ErasuresDeps = {
  readonly registry: Pick<Registry, 'stream'>
  readonly erase: Pick<Erase, 'check' | 'events' | 'rows'>
  readonly rebuilds: Pick<Rebuilds, 'refuseLoss' | 'start'>
  readonly refusedEvents: Pick<RefusedEvents, 'forget'>
}

/** A rebuild that the erasure met is about to end, or begins again by itself. */
const [ending_ms, poll_ms] = [5_000, 100]

/** `delete from S.ST where C`: erases, and begins the rebuilds that are asked for. */
export function createErasures({ registry, erase, rebuilds, refusedEvents }: ErasuresDeps) {
  async function begin(schema: string, stream: string): Promise<void> {
    for (const end = performance.now() + ending_ms; ; await sleep(poll_ms)) {
      try {
        return await rebuilds.start(schema, stream, true)
      } catch (error) {
        if (!(error instanceof Fault && error.kind === 'conflict')) throw error
        if (performance.now() > end) return
      }
    }
  }

  async function run({ from, where, rebuild, force }: Omit<Erasure, 'text'>, notesOn: NotesOn): Promise<Erased> {
    const { schema = '', name, at } = from
    const erased = async (count: number, rebuilt: readonly string[]): Promise<Erased> => {
      const notes = count === 0 && where ? await notesOn(target, where) : stayingOf(target)
      return { count, rebuilt, notes }
    }
    const target = registry.stream(schema, name)
    const { kind } = target.stream
    if (where === undefined) throw new PlacedRefusal(at, withoutCondition(target))
    refuseSmallTimes(target.stream, where)
    erase.check(target, where)
    if (kind === 'entity') {
      if (!rebuild) return erased(await erase.rows(schema, name, where), [])
      throw new PlacedRefusal(
        at,
        `${schema}.${name} is an entity stream: a rebuild would bring its rows back; erase the events first, with rebuild=1, then the row without it`,
      )
    }
    const streams = rebuild ? downstream(target.schema, target.stream) : []
    const rebuilt = streams
      .filter((stream) => rebuildTargets(target.schema, stream).length > 0)
      .map((stream) => stream.name)
    if (!force) for (const each of rebuilt) await rebuilds.refuseLoss(schema, each)
    refusedEvents.forget(queueName(schema, name))
    const count = await erase.events(schema, name, where)
    for (const each of rebuilt) await begin(schema, each)
    return erased(count, rebuilt)
  }

  return ({ text, ...asked }: Erasure, notesOn: NotesOn): Promise<Erased> =>
    run(asked, notesOn).catch((error: unknown) => {
      throw withCaretOf(text, error)
    })
}

export type Erasures = ReturnType<typeof createErasures>

/** The record of an erasure. It leaves the values of the condition out: they may name a person. */
export function erasureChange({ from, where }: Erasure, erased?: Erased) {
  const attributes = where === undefined ? [] : [...new Set(pathsOf(where))]
  return {
    what: 'erasure',
    name: `${from.schema}.${from.name}`,
    detail: `${erased ? `${erased.count} erased` : 'erased'} by ${attributes.join(', ')}`.slice(0, 500),
  } as const
}

/** Names the streams that still have parts of events that were erased. */
function stayingOf({ schema, stream }: RegisteredStream): string[] {
  const names = takersOf(schema, stream).map(({ name }) => `${schema.name}.${name}`)
  if (names.length === 0) return []
  return [
    `rows and values that joins, patterns and references took from the erased events stay in ${names.join(', ')}: erase those there too`,
  ]
}

function withoutCondition({ schema, stream }: RegisteredStream): string {
  const name = `${schema.name}.${stream.name}`
  const [all, some] =
    stream.kind === 'entity' ? ['every row', 'where <key> = "..."'] : ['every event', 'where <attribute> = ...']
  return `delete from ${name} would remove ${all}: write ${some}; DELETE /stream/${schema.name}/${stream.name} removes the stream with all that it holds`
}
