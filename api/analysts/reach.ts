import type { Caller } from '../../activities/keys/caller.ts'
import { nameOf } from '../../activities/keys/doors.ts'
import { namesOn } from '../../activities/keys/places.ts'
import type { Reach } from '../../sql/analysts/tables.ts'

/**
 * The key that asks, or the address where there are no keys; the key that its queries belong to, absent where keys are
 * off; and the part of the data that it may read, where that is not all.
 */
export type Asker = { readonly caller: string; readonly owner?: string; readonly reach?: Reach }

export type ReachOf = (caller: Caller, address: string | undefined) => Asker

/** `kindOf`: whether a schema has that name, or a database of tables: never both. */
export const createReachOf =
  (kindOf: (name: string) => 'schema' | 'db' | undefined): ReachOf =>
  (caller, address) => {
    const asker: Asker = { caller: nameOf(caller, address), owner: caller.by }
    const { on } = caller
    if (on === undefined) return asker
    // To ClickHouse schemas and databases of tables are databases both.
    const schemas = namesOn(on, 'schema').filter((name) => kindOf(name) !== 'db')
    const databases = namesOn(on, 'db').filter((name) => kindOf(name) !== 'schema')
    return {
      ...asker,
      reach: {
        databases: new Set([...schemas, ...databases]),
        graphs: new Set(namesOn(on, 'graph')),
        hides: (name) => kindOf(name) !== undefined,
      },
    }
  }
