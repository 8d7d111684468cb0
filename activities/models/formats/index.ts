import { Refusal } from '../../../sql/refusal.ts'
import { codeTable, decodeCode } from '../../../sql/schema/code-table.ts'
import { csv } from './csv.ts'
import type { Format } from './format.ts'
import { json } from './json/json.ts'
import { kv } from './kv.ts'
import { svm } from './svm.ts'
import { text } from './text.ts'

export type FormatName = Format['name']

/** Of `input_format` and `expected_format`. */
export const formatCodes = codeTable<FormatName>('format', [
  [0, 'SVM'],
  [1, 'CSV'],
  [3, 'JSON'],
  [null, 'TEXT'],
  [null, 'KV'],
])

export const formats: Readonly<Record<FormatName, Format>> = { SVM: svm, CSV: csv, JSON: json, TEXT: text, KV: kv }

/** By number or by name in any case; throws a `Refusal` that lists the known ones. */
export function decodeFormat(code: unknown): FormatName {
  const decoded = decodeCode(formatCodes, code)
  if ('problem' in decoded) throw new Refusal(decoded.problem)
  return decoded.name
}
