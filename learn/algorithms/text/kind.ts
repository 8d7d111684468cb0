import type { Event } from '../../../base/json.ts'
import { createUtf8Decoder } from '../../formats/decode-utf8.ts'
import { createObjectReader } from '../../formats/json/json-values.ts'
import type { Source } from '../../formats/read-rows.ts'

export type TextKind = 'classes' | 'entities'

/** `{"labels": [...]}` alone, which may stand before the rows. */
export const isHead = (object: Event): boolean => Array.isArray(object.labels) && Object.keys(object).length === 1

/** Blanks that are looked through for a first row. */
const maxTaken = 64 * 1024 * 1024

/** The kind that plain IE learns of JSON rows: entities where the first row has a list of them. `source` is then whole again. */
export async function kindOfRows(source: Source): Promise<{ readonly kind: TextKind; readonly source: Source }> {
  let kind: TextKind | undefined
  const reader = createObjectReader(
    (object) => {
      if (!isHead(object)) kind ??= Array.isArray(object.entities) ? 'entities' : 'classes'
    },
    () => {
      kind ??= 'classes'
    },
  )
  const rest = source[Symbol.asyncIterator]()
  const taken: Uint8Array[] = []
  const decoder = createUtf8Decoder()
  let bytes = 0
  while (kind === undefined) {
    const { done, value } = await rest.next()
    if (done) {
      reader.end()
      kind ??= 'classes'
      break
    }
    taken.push(value)
    bytes += value.byteLength
    if (bytes > maxTaken) kind = 'classes'
    reader.push(decoder.push(value))
  }
  return { kind, source: chain(taken, rest) }
}

async function* chain(taken: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* taken
  yield* { [Symbol.asyncIterator]: () => rest }
}
