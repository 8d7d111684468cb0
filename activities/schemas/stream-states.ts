import { z } from 'zod'
import type { Catalogue } from '../../infra/catalogue/catalogue.ts'
import type { Logger } from '../../infra/logger.ts'
import { queueName } from '../../sql/schema/names.ts'
import type { RegisteredStream } from '../registry/registry.ts'

export type StreamStatesDeps = { readonly catalogue: Catalogue; readonly logger: Logger }

export const statesOfStreams = z.object({
  /** Streams that are OFF. */
  off: z.array(z.string()),
  pivots: z.array(z.tuple([z.string(), z.string(), z.number()])),
  /** From when on streams have all their events, in microseconds. */
  complete: z.array(z.tuple([z.string(), z.number()])),
  /** Streams that are ON, and were switched: what they missed while they were OFF is no fault. */
  switched: z.array(z.string()).default([]),
  /** JSON of the loss of streams by erasures: aggregates go on counting it. */
  erased: z.array(z.tuple([z.string(), z.string()])).default([]),
})
type StatesOfStreams = z.infer<typeof statesOfStreams>

/** The state of streams beside their schemas: whether each is ON, and the pivots of its statistics. */
export function createStreamStates({ catalogue, logger }: StreamStatesDeps) {
  const pivots = new Map<string, Map<string, number>>()
  const off = new Set<string>()

  const show = (queue: string, on: boolean): void => {
    if (on) off.delete(queue)
    else off.add(queue)
  }

  function forgetHere(schema: string, stream?: string): void {
    const isGone = (queue: string): boolean =>
      stream === undefined ? queue.startsWith(`${schema}.`) : queue === queueName(schema, stream)
    for (const queue of [...pivots.keys()].filter(isGone)) pivots.delete(queue)
    for (const queue of [...off].filter(isGone)) off.delete(queue)
  }

  async function readStates(): Promise<void> {
    const states = await catalogue.streamStates()
    off.clear()
    for (const { schema, stream, state } of states) if (Number(state) === 0) off.add(queueName(schema, stream))
  }

  return {
    /** All that the catalogue knows of a schema's streams beside the schema. */
    async of(schema: string, streams: readonly string[]): Promise<StatesOfStreams> {
      const queues = streams.map((stream) => queueName(schema, stream))
      const complete = await Promise.all(queues.map((queue) => catalogue.completeSince(queue)))
      const erased = await catalogue.erased(schema)
      const known = (await catalogue.streamStates()).filter((each) => each.schema === schema)
      return {
        off: streams.filter((stream) => off.has(queueName(schema, stream))),
        pivots: queues.flatMap((queue) =>
          [...(pivots.get(queue) ?? [])].map(([name, value]): [string, string, number] => [queue, name, value]),
        ),
        complete: queues.flatMap((queue, index) => {
          const since_us = complete[index]
          return since_us === undefined ? [] : [[queue, since_us]]
        }),
        switched: known.flatMap(({ stream, state }) =>
          Number(state) === 1 && streams.includes(stream) ? [stream] : [],
        ),
        erased: streams.flatMap((stream): [string, string][] => {
          const loss = erased.get(stream)
          return loss === undefined ? [] : [[queueName(schema, stream), JSON.stringify(loss)]]
        }),
      }
    },

    /** Gives them back; safe to repeat. */
    async restore(schema: string, states: StatesOfStreams): Promise<void> {
      for (const stream of states.off) {
        await catalogue.putStreamState(schema, stream, 0)
        show(queueName(schema, stream), false)
      }
      for (const [queue, attribute, value] of states.pivots) {
        await catalogue.putPivot(queue, attribute, value)
        pivots.set(queue, (pivots.get(queue) ?? new Map<string, number>()).set(attribute, value))
      }
      for (const [queue, since_us] of states.complete) await catalogue.putCompleteSince(queue, since_us)
      for (const stream of states.switched) await catalogue.putStreamState(schema, stream, 1)
      for (const [queue, loss] of states.erased) await catalogue.putErased(queue, JSON.parse(loss))
    },

    async load(): Promise<void> {
      for (const { stream, attribute, value } of await catalogue.pivots()) {
        pivots.set(stream, (pivots.get(stream) ?? new Map<string, number>()).set(attribute, value))
      }
      await readStates()
    },
    readStates,

    isOn: (queue: string): boolean => !off.has(queue),
    /** Names of a schema's streams that are OFF. */
    offStreams: (schema: string): ReadonlySet<string> =>
      new Set(
        [...off].filter((queue) => queue.startsWith(`${schema}.`)).map((queue) => queue.slice(schema.length + 1)),
      ),

    async set(target: RegisteredStream, on: boolean): Promise<void> {
      const { schema, stream } = target
      await catalogue.putStreamState(schema.name, stream.name, on ? 1 : 0)
      show(queueName(schema.name, stream.name), on)
      target.on = on
    },

    /** Takes over a state that another process has set. */
    follow(schema: string, stream: string, on: boolean, target: RegisteredStream | undefined): void {
      show(queueName(schema, stream), on)
      if (target) target.on = on
    },

    pivotsOf: (queue: string): Map<string, number> => pivots.get(queue) ?? new Map<string, number>(),
    putPivot(queue: string, known: Map<string, number>, attribute: string, value: number): void {
      pivots.set(queue, known.set(attribute, value))
      catalogue
        .putPivot(queue, attribute, value)
        .catch((error: unknown) => logger.warn({ err: error, queue }, 'pivot not written to the catalogue'))
    },

    /** A stream, or a schema, of that name that comes later is ON, and has pivots of its own. */
    forget(schema: string, stream?: string): Promise<void> {
      forgetHere(schema, stream)
      return catalogue.forget(schema, stream)
    },

    /** Forgets a stream that another process has taken out of the catalogue. */
    forgetHere,
  }
}

export type StreamStates = ReturnType<typeof createStreamStates>
