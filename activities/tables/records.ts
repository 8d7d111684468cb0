import { type Heard, unheard } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import { quoted } from '../../base/quoted.ts'
import { jsonMembers } from '../../sql/json/canonical.ts'
import type { Document, Literal } from '../../sql/query/index.ts'
import { type DecodedDocument, decodeDocument, keyLiteral, statementDocument } from '../../sql/table/document.ts'
import { keysMeant, readKey } from '../../sql/table/key.ts'
import type { Table } from '../../sql/table/table.ts'
import type { Outcome } from './decide.ts'
import type { OpenTable } from './open-tables.ts'

/** Writes single records by their keys. */
export function createRecords() {
  return {
    /** Inserts a record or replaces it; the key is made where there is none. */
    async put({ table, writer }: OpenTable, body: string, notes: Heard): Promise<Outcome> {
      const { key, document } = recordOf(table, body, notes)
      return key === undefined
        ? writer.create(checkedCreation(table, document))
        : writer.write({ kind: 'put', key, document })
    },

    /** Replaces a record that is there. */
    async replace({ table, writer }: OpenTable, body: string, notes: Heard): Promise<Outcome> {
      const { key, document } = recordOf(table, body, notes)
      if (key === undefined) throw fault('invalid', 'PUT replaces a record: say which by "_pk"')
      const outcome = await writer.write({ kind: 'replace', key, document })
      if (!outcome.done) throw absent(table, key)
      return outcome
    },

    /** False where the key was there already and the table keeps no duplicates. */
    async insert({ table, writer }: OpenTable, given: Literal | undefined, sent: Document): Promise<boolean> {
      if (sent.kind === 'json') parseJson(sent.text, 'the document')
      const { key, document } = keyed(
        given && readKey(table, given),
        decodeDocument(table, statementDocument(table, sent)),
      )
      const outcome =
        key === undefined
          ? await writer.create(checkedCreation(table, document))
          : await writer.write({ kind: 'insert', key, document })
      return outcome.done
    },

    async remove({ table, writer }: OpenTable, text: string): Promise<Outcome> {
      const keys = keysMeant(table, text)
      for (const key of keys) {
        const outcome = await writer.write({ kind: 'remove', key })
        if (outcome.done) return outcome
      }
      throw absent(table, keys.at(-1) ?? text)
    },
  }
}

export type Records = ReturnType<typeof createRecords>

export const absent = (table: Table, key: string) =>
  fault('missing', `table ${table.name} has no record ${quoted(key)}`)

/** The members of a record on the wire; `_v` is its version, which a client has read with it. */
export const recordMembers = ['_pk', 'doc', '_v']

/** Reads `{_pk, doc}`. */
export function recordOf(table: Table, body: string, notes: Heard = unheard): DecodedDocument {
  if (!isObject(parseJson(body, 'the record'))) throw fault('invalid', 'a record is a JSON object: {"_pk", "doc"}')
  const members = jsonMembers(body)
  for (const name of members.keys()) if (!recordMembers.includes(name)) notes.unknown('', name, recordMembers)
  const [key, document] = [members.get('_pk') ?? 'null', members.get('doc')]
  if (document === undefined) throw fault('invalid', 'the record has no "doc": send {"_pk": <key>, "doc": <document>}')
  const beside = key === 'null' ? undefined : readKey(table, keyLiteral(key))
  return keyed(beside, decodeDocument(table, { kind: 'json', text: document }))
}

/** A key beside the document and one inside are one and the same. */
function keyed(beside: string | undefined, { key: inside, document }: DecodedDocument): DecodedDocument {
  if (beside !== undefined && inside !== undefined && beside !== inside) {
    throw fault('invalid', `_pk: ${quoted(beside)} beside the document, ${quoted(inside)} in it; send one`)
  }
  const key = beside ?? inside
  return key === undefined ? { document } : { document, key }
}

const generatedBytes = 16

/** The document, where the table's keys have room for one that the service makes; else a fault. */
export function checkedCreation(table: Table, document: string): string {
  if (table.keyKind === 'NORMAL_KEY_LONG' || table.keyBytes >= generatedBytes) return document
  throw fault(
    'invalid',
    `_pk: a key that the service makes has ${generatedBytes} bytes, the keys of ${table.name} have at most ${table.keyBytes}; send one`,
  )
}
