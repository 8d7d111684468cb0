import type { Delivery } from '../../infra/delivery.ts'
import type { Still } from './reconcile-schema.ts'
import type { SchemaEdits } from './schema-edits.ts'

export type StillnessDeps = { readonly edits: Pick<SchemaEdits, 'hold' | 'unfinished'>; readonly delivery: Delivery }

/** Holds a schema's events back on their way in and on their way out of the log. */
export const createStillness =
  ({ edits, delivery }: StillnessDeps): Still =>
  (name, work) =>
    edits.hold(name, async (schema) => {
      const attach = (): Promise<void> => delivery.attach(schema)
      try {
        await delivery.detach(schema)
        return await work(schema)
      } finally {
        await attach().catch((error: unknown) => edits.unfinished.later(name, attach, error))
      }
    })
