import { csv } from './csv.ts'
import type { Format, FormatName } from './format.ts'
import { json } from './json/json.ts'
import { kv } from './kv.ts'
import { svm } from './svm.ts'
import { text } from './text.ts'

export type { FormatName }

export const formats: Readonly<Record<FormatName, Format>> = { SVM: svm, CSV: csv, JSON: json, TEXT: text, KV: kv }
