import type { Schema } from '../../sql/schema/schema.ts'
import type { SchemaEdits } from './schema-edits.ts'
import type { InTurn } from './schema-turns.ts'

export type StillnessDeps = { readonly edits: Pick<SchemaEdits, 'whole' | 'refeed'>; readonly inTurn: InTurn }

/** Runs `work` on a schema while no event of it is on its way, in any process, and nothing else changes it. */
export type Still = <Result>(schema: string, work: (schema: Schema) => Promise<Result>) => Promise<Result>

/** As an edit does that changes nothing: after a crash the schema is taken up again as it was. */
export const createStillness =
  ({ edits, inTurn }: StillnessDeps): Still =>
  <Result>(name: string, work: (schema: Schema) => Promise<Result>) =>
    inTurn(async () => {
      const present = await edits.whole(name)
      const results: Result[] = []
      await edits.refeed(present, [], async () => {
        results.push(await work(present.schema))
      })
      const [result] = results
      if (result === undefined) throw new Error('the work was not run')
      return result
    })
