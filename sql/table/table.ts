import { z } from 'zod'
import { qualified } from '../identifier.ts'
import type { LiteralType } from '../literal.ts'

const tableKinds = ['NORMAL', 'WIDE', 'PRIMITIVE_INT', 'PRIMITIVE_LONG', 'PRIMITIVE_STRING'] as const
const keyKinds = ['NORMAL_KEY', 'COMPOSITE_KEY', 'NORMAL_KEY_LONG'] as const

const storedIndex = z
  .object({
    /** The dotted path that it covers: the index's name. */
    path: z.string(),
    /** Counts from 1 and is never used again in the table. */
    number: z.number(),
    /** Whether it holds every record; until then it is written and not read. */
    ready: z.boolean(),
    keyKind: z.enum(keyKinds),
    keyBytes: z.number(),
    duplicates: z.boolean(),
  })
  .readonly()

/** A table as the catalogue keeps it. */
export const storedTable = z
  .object({
    database: z.string(),
    name: z.string(),
    /** The table in `recordsDatabase` that holds its records. */
    storage: z.string(),
    kind: z.enum(tableKinds),
    keyKind: z.enum(keyKinds),
    /** Bounds a key of text, in UTF-8 bytes. */
    keyBytes: z.number(),
    /** Whether a key may have several records. */
    duplicates: z.boolean(),
    /** Whether `_v` counts replacements. */
    versioned: z.boolean(),
    /** Fields with a reverse index: `=` on them asks for words. */
    words: z.union([z.literal('all'), z.array(z.string()).readonly()]),
    indexes: z.array(storedIndex).readonly(),
    nextIndex: z.number(),
  })
  .readonly()

export type Table = z.infer<typeof storedTable>
export type TableIndex = z.infer<typeof storedIndex>
export type TableKind = Table['kind']
export type KeyKind = Table['keyKind']

export const recordsDatabase = 'weir_records'

export const storageOf = ({ storage }: Pick<Table, 'storage'>): string => qualified(recordsDatabase, storage)

/** The number keeps apart tables of the same name at different times. */
export const storageName = (database: string, name: string, number: number): string => `${database}__${name}__${number}`

export const keyType = ({ keyKind }: Pick<Table, 'keyKind'>): LiteralType =>
  keyKind === 'NORMAL_KEY_LONG' ? 'Int64' : 'String'

export const hasWords = ({ words }: Table, path: string): boolean => words === 'all' || words.includes(path)
