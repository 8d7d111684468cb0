import type { Exclusively } from '../../../base/mutex.ts'
import type { Schema } from '../../../sql/schema/schema.ts'
import type { SchemaEdits } from './edits.ts'

export type QuiesceDeps = { readonly edits: Pick<SchemaEdits, 'whole' | 'refeed'>; readonly exclusively: Exclusively }

/** Runs `work` on a schema while no event of it is on its way, in any process, and nothing else changes it. */
export type Quiesce = <Result>(schema: string, work: (schema: Schema) => Promise<Result>) => Promise<Result>

/** To the catalogue it is an edit that changes nothing: after a crash its undo makes all feeds of the schema anew. */
export const createQuiesce =
  ({ edits, exclusively }: QuiesceDeps): Quiesce =>
  <Result>(name: string, work: (schema: Schema) => Promise<Result>) =>
    exclusively(async () => {
      const present = await edits.whole(name)
      const results: Result[] = []
      await edits.refeed(present, [], async () => {
        results.push(await work(present.schema))
      })
      const [result] = results
      if (result === undefined) throw new Error('the work was not run')
      return result
    })
