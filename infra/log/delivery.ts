import type { Schema } from '../../sql/schema/schema.ts'

/** How long a change of a schema waits for the events that were acknowledged before it. */
export const drain_ms = 30_000

export type Resuming = { readonly name: string; readonly reason?: string }

/** Consumers of a log that ClickHouse reads itself (Kafka). The embedded log needs none: its feeder inserts. */
export type Delivery = {
  /** A log that may deliver an event again needs tables that pass over rows that they have. */
  readonly redelivers: boolean
  /** Begins once the schema's tables and feeds are there; resolves when its events are on their way. */
  attach(schema: Schema): Promise<void>
  /**
   * Goes on with a schema of an earlier process, behind its back: its events are taken meanwhile, and come into its tables
   * once they can.
   */
  resume(schema: Schema): void
  /** The schemas of which that has not come to its end, and why it failed last. */
  resuming(): readonly Resuming[]
  /** Resolves when all that the log holds of the schema now is in its tables; fault `late` where that takes long. */
  drained(schema: Schema): Promise<void>
  /**
   * Another process is changing the schema (`isChanging`), or has changed it. While it does, that process makes the
   * consumers.
   */
  follow(schema: Schema, isChanging: boolean): void
  /** Resolves when nothing of the schema is on its way and nothing will be: its feeds may change. */
  detach(schema: Schema): Promise<void>
}

/** The feeder takes each event out of the log once, and finds its tables by name. */
export const fedDelivery: Delivery = {
  redelivers: false,
  async attach() {},
  resume() {},
  resuming: () => [],
  async drained() {},
  follow() {},
  async detach() {},
}
