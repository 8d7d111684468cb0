import type { TableCatalogue } from '../../infra/table-catalogue.ts'
import type { TablePart } from '../tables.ts'
import type { SchemaEdits } from './schema-edits.ts'
import type { SchemaFollowing } from './schema-following.ts'
import type { Schemas } from './schemas.ts'
import type { Followed } from './shared-turns.ts'

export type FollowedDeps = {
  readonly load: () => Promise<void>
  readonly tableCatalogue: TableCatalogue
  // Made after this: they change the catalogue in turns that follow it first.
  readonly schemas: () => Schemas
  readonly edits: () => SchemaEdits
  readonly tables: () => TablePart
  readonly following: () => SchemaFollowing
}

/** Schemas and tables together, as several processes change them. */
export const createFollowed = ({
  load,
  tableCatalogue,
  schemas,
  edits,
  tables,
  following,
}: FollowedDeps): Followed => ({
  load,
  async apply(since) {
    await following().apply(since)
    for (const record of await tableCatalogue.since(since)) await tables().follow(record)
  },
  async repair() {
    for (const record of following().unready()) {
      edits().abandon(record.name)
      await schemas().end(record)
      following().ended(record.name)
    }
  },
  hasLeftOvers: () => following().unready().length > 0,
  isEdited: () =>
    following()
      .unready()
      .some(({ state }) => state === 'editing'),
})
