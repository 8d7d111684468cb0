import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { code, flag, name, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject, type Heard, isObject, unheard } from '../../base/decode/wire-object.ts'
import { quoted } from '../../base/quoted.ts'
import { Refusal } from '../../base/refusal.ts'
import { keyTypes } from '../schema/codes.ts'
import type { TableIndex } from './table.ts'

export type IndexSettings = Omit<TableIndex, 'number' | 'ready'>

const longestPath = 200

/** The problem of a dotted path into a document that an index is to cover. */
export function checkPath(path: string): string | undefined {
  if (path === '') return 'must not be empty'
  if (path.length > longestPath) return `must be shorter than ${longestPath + 1} characters`
  if (path === '_pk' || path === '_v') return `${quoted(path)} needs no index: records stand in the order of their keys`
  for (const step of path.split('.')) {
    if (/^\d+$/.test(step)) return `${quoted(path)} names one element of an array; an index covers an attribute`
    if (!/^[A-Za-z_$][\w$]*$/.test(step)) {
      return `${quoted(path)} must be a dotted path of names: letters, digits, underscore, $`
    }
  }
  return undefined
}

const keyBytes = wholeNumber(1, 128).default(24)

/** Interface 2.3; `key_sz` is as good as `key_size`. */
export const indexOnWire = z.object({
  index_name: name(checkPath),
  key_type: code(keyTypes).prefault('NORMAL_KEY'),
  key_size: keyBytes,
  key_sz: keyBytes,
  allow_duplicate: flag.default(true),
})
const { shape } = indexOnWire

/** Reads the body of `POST /db/D/T/index`; members that are unknown are noted. */
export function decodeIndex(wire: unknown, notes: Heard = unheard): IndexSettings {
  if (!isObject(wire)) throw new Refusal('an index is a JSON object: {"index_name", "key_type", "key_size"}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems, notes)
  object.only(shape)
  const path = object.take('index_name', shape.index_name)
  const kind = object.take('key_type', shape.key_type)
  const member = wire.key_size === undefined && wire.key_sz !== undefined ? 'key_sz' : 'key_size'
  const bytes = object.take(member, shape[member])
  const duplicates = object.take('allow_duplicate', shape.allow_duplicate)
  problems.refuse()
  if (path === undefined || kind === undefined) throw new Refusal('the index is incomplete')
  return { path, keyKind: kind, keyBytes: bytes ?? 24, duplicates: duplicates ?? true }
}
