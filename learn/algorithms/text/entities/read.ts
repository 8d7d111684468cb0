import { z } from 'zod'
import { Refusal } from '../../../../base/refusal.ts'
import type { Room } from '../../../dataset.ts'
import { type BadRowsOptions, createBadRows } from '../../../encoding/bad-rows.ts'
import { createUtf8Decoder } from '../../../formats/decode-utf8.ts'
import { createObjectReader } from '../../../formats/json/json-values.ts'
import type { Source } from '../../../formats/read-rows.ts'
import { type BrokenRow, type Cell, placeOf } from '../../../formats/row.ts'
import type { Holder } from '../../../holdout/holder.ts'
import { isHead } from '../kind.ts'
import { textBytes, tokenBytes } from '../memory.ts'
import { type TaggedText, tagText } from './tagged-text.ts'

const shape = z.object({
  text: z.string(),
  entities: z.array(z.object({ start: z.int(), end: z.int(), label: z.string().min(1) })),
})

/** One problem in words: `entities[2].start: expected int, it is absent`. */
function reasonOf({ issues: [issue] }: z.ZodError): string {
  const path = (issue?.path ?? []).map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('')
  return `${path.slice(1)}: ${issue?.message}; a row is {"text", "entities": [{"start", "end", "label"}]}`
}

/** The member of a row that decides whether it is to be held out, and its hearer. */
export type Holding = { readonly attribute: string; readonly holder: Pick<Holder, 'wrong' | 'add'> }

const cellOf = (value: unknown): Cell =>
  typeof value === 'number' || typeof value === 'string'
    ? value
    : value === undefined || value === null
      ? undefined
      : String(value)

/**
 * Training rows `{"text", "entities": [{"start", "end", "label"}]}`, one a line or in an array; a first
 * `{"labels": [...]}` is none. Throws a `Refusal` that names the first bad rows where there are more than may be.
 */
export async function readTaggedTexts(
  source: Source,
  log: (line: string) => void,
  room: Room = () => {},
  rules: BadRowsOptions & { readonly holding?: Holding | undefined } = {},
): Promise<readonly TaggedText[]> {
  const texts: TaggedText[] = []
  let first = true
  let widened = 0
  let bytes = 0
  let wordless = 0
  const bad = createBadRows(rules)
  const refuse = (row: BrokenRow): void => bad.add(placeOf(row))
  const reader = createObjectReader((object, line) => {
    const skip = first && isHead(object)
    first = false
    if (skip) return
    const row = shape.safeParse(object)
    if (!row.success) return refuse({ line, reason: reasonOf(row.error) })
    const tagged = tagText(row.data.text, row.data.entities)
    if ('reason' in tagged) return refuse({ line, ...tagged })
    const mark = rules.holding === undefined ? undefined : cellOf(object[rules.holding.attribute])
    const unplaced = rules.holding?.holder.wrong(mark)
    if (unplaced !== undefined) return refuse({ line, reason: unplaced })
    if (tagged.tokens.length > 0) {
      rules.holding?.holder.add(mark)
      texts.push(tagged)
    } else wordless += 1
    bytes += textBytes(tagged.text) + tokenBytes * tagged.tokens.length
    room(bytes)
    if (tagged.widened > 0 && widened === 0) log(`line ${line}: an entity cuts a word and was widened to it`)
    widened += tagged.widened
  }, refuse)

  const decoder = createUtf8Decoder()
  for await (const chunk of source) reader.push(decoder.push(chunk))
  reader.push(decoder.end())
  reader.end()
  const left = bad.finish(texts.length + wordless)
  if (left !== undefined) log(left)
  if (texts.length === 0) throw new Refusal('no row holds a text with a word')
  if (widened > 1) log(`${widened} entities in all were widened to whole words`)
  return texts
}
