import type { Weir } from '../src/index.ts'

/** How each source is, in the columns that fit a terminal. */
export async function* sourceRows(weir: Weir): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for await (const { name, kafka, into, state, lag, accepted, rejected, reason } of weir.sources())
    yield { name, topic: kafka.topic, into, state, lag, accepted, rejected, why: reason }
}
