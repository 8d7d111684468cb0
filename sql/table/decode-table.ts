import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { code, flag, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject, type Heard, isObject, unheard } from '../../base/decode/wire-object.ts'
import { Refusal } from '../../base/refusal.ts'
import { checkSchemaName } from '../schema/check/name.ts'
import { keyTypes, tableTypes } from '../schema/codes.ts'
import { clientName } from '../schema/values.ts'
import type { Table } from './table.ts'

/** The settings in a client's request to make a table. */
export type TableSettings = Omit<Table, 'storage'>

const keyBytes = wholeNumber(8, 128).default(24)
const off = flag.default(false)

/** Interface 2.1. */
export const tableOnWire = z.object({
  table_name: clientName,
  table_type: code(tableTypes),
  key_type: code(keyTypes),
  key_sz: keyBytes,
  allow_duplicate: off,
  allow_rev_idx: off,
  version_type: off,
})
const { shape } = tableOnWire

/** Reads the body of `POST /db/D/table`. Throws a Refusal that lists every fault; members that are unknown are noted. */
export function decodeTable(database: string, wire: unknown, notes: Heard = unheard): TableSettings {
  const fault = checkSchemaName(database)
  if (fault !== undefined) throw new Refusal(`database ${fault}`)
  if (!isObject(wire)) throw new Refusal('a table is a JSON object: {"table_name", "table_type", "key_type", ...}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems, notes)
  object.only(shape)
  const name = object.take('table_name', shape.table_name)
  const kind = object.take('table_type', shape.table_type)
  const keyKind = object.take('key_type', shape.key_type)
  const bytes = keyKind === 'NORMAL_KEY_LONG' ? undefined : object.take('key_sz', shape.key_sz)
  const duplicates = object.take('allow_duplicate', shape.allow_duplicate)
  const words = object.take('allow_rev_idx', shape.allow_rev_idx)
  const versioned = object.take('version_type', shape.version_type)
  problems.refuse()
  if (name === undefined || kind === undefined || keyKind === undefined) throw new Refusal('the table is incomplete')
  if (words && kind !== 'WIDE' && kind !== 'NORMAL') {
    throw new Refusal(`allow_rev_idx: a ${kind} table holds numbers, which have no words`)
  }
  return {
    database,
    name,
    kind,
    keyKind,
    keyBytes: bytes ?? 24,
    duplicates: duplicates ?? false,
    versioned: versioned ?? false,
    words: words ? 'all' : [],
    indexes: [],
    nextIndex: 1,
  }
}
