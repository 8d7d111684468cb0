/** Statements that were asked, the latest first. Never one in which a key stands. */

export type Asked = {
  readonly language: 'weir' | 'sql' | 'graph'
  readonly text: string
  /** The database, or the graph. */
  readonly place: string
  readonly at_ms: number
}

const maxAsked = 60
const maxLength = 8000
/** A key, or the secret of a notification. */
const looksLikeKey = /\bweir_[A-Za-z0-9]+_[A-Za-z0-9_-]{8,}|\bwhsec_[A-Za-z0-9+/]{8,}/

export const holdsKey = (text: string): boolean => looksLikeKey.test(text)

export function remembered(all: readonly Asked[], asked: Asked): readonly Asked[] {
  const { text, language, place } = asked
  if (text.trim() === '' || text.length > maxLength || holdsKey(text)) return all
  const others = all.filter((each) => each.text !== text || each.language !== language || each.place !== place)
  return [asked, ...others].slice(0, maxAsked)
}

export function isHistory(value: unknown): value is readonly Asked[] {
  return Array.isArray(value) && value.every(isAsked)
}

function isAsked(value: unknown): value is Asked {
  if (typeof value !== 'object' || value === null) return false
  const { language, text, place, at_ms } = value as Readonly<Record<string, unknown>> // looked at member by member
  return (
    typeof language === 'string' && typeof text === 'string' && typeof place === 'string' && typeof at_ms === 'number'
  )
}
