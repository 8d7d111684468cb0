import { type Token, tokenize } from '../tokens.ts'
import { type Entity, tokensOf } from './tags.ts'

/** A text cut into tokens, and which of them are an entity; spans ascend and do not overlap. */
export type TaggedText = {
  readonly text: string
  readonly tokens: readonly Token[]
  readonly spans: readonly { readonly first: number; readonly last: number; readonly label: string }[]
  /** Entities whose bounds cut a word and were widened to it. */
  readonly widened: number
}

/** A reason where the entities cannot be those of the text. */
export function tagText(text: string, entities: readonly Entity[]): TaggedText | { readonly reason: string } {
  const tokens = tokenize(text)
  const spans: { first: number; last: number; label: string }[] = []
  let widened = 0
  for (const entity of entities.toSorted((a, b) => a.start - b.start)) {
    const { start, end, label } = entity
    const name = `entity ${start} to ${end} '${label}'`
    if (start < 0 || end > text.length || start >= end) {
      return { reason: `${name} is not inside the text, which has ${text.length} UTF-16 code units (end is exclusive)` }
    }
    const found = tokensOf(entity, tokens)
    if (found === undefined) return { reason: `${name} holds no word` }
    if (found.first <= (spans.at(-1)?.last ?? -1)) return { reason: `${name} shares a word with the entity before it` }
    if (!found.isExact) widened += 1
    spans.push({ first: found.first, last: found.last, label })
  }
  return { text, tokens, spans, widened }
}
