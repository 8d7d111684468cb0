import type { World } from '../../infra/world.ts'
import type { StorageNames } from '../schemas/storage-names.ts'
import type { Deletions } from '../undo/deletions.ts'
import { createTableIndexes } from './indexes.ts'
import type { OpenTablesDeps } from './open-tables.ts'
import { createRecords } from './records.ts'
import { createTables } from './tables.ts'

export type TableEngineDeps = {
  readonly world: World
  readonly names: StorageNames
  readonly deletions: Pick<Deletions, 'setAside' | 'settle'>
  readonly remembered: OpenTablesDeps['remembered']
}

/** Tables with their records and indexes. */
export function createTableEngine({ world, names, deletions, remembered }: TableEngineDeps) {
  const { clock, tableCatalogue: catalogue, sharing, logger } = world
  const { isShared, agreed, changeTables: exclusively } = sharing
  const { clickhouse } = world
  const { guarded: changed } = sharing
  const tables = createTables({
    ...{ clickhouse, changed, catalogue, names, clock, logger, exclusively, isShared, agreed },
    ...{ deletions, remembered },
  })
  const indexes = createTableIndexes({ clickhouse: changed, catalogue, tables, logger, agreed })

  return {
    tables,
    indexes,
    records: createRecords(),
    follower: {
      async load() {
        await tables.load()
        await indexes.load()
      },
      async apply(since: number) {
        for (const record of await catalogue.since(since)) await tables.follow(record)
      },
      repair: tables.repair,
      hasLeftOvers: tables.hasLeftOvers,
      isEdited: () => false,
    },
    /** Ends the writes that are under way. */
    close: tables.close,
  }
}

export type TableEngine = ReturnType<typeof createTableEngine>
