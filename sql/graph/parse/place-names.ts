import type { Position } from '../../query/ast.ts'
import type { Cursor } from './cursor.ts'

/** `lat.lon`: two properties, the latitude first; names with dots in them have as many on both sides. */
export function parsePlaceNames(
  cursor: Cursor,
  text: string,
  at: Position,
): { readonly latitude: string; readonly longitude: string } {
  const parts = text.split('.')
  if (parts.length % 2 !== 0 || parts.includes('')) {
    throw cursor.source.refusal(at.offset, "expected two properties as 'latitude.longitude'")
  }
  const half = parts.length / 2
  return { latitude: parts.slice(0, half).join('.'), longitude: parts.slice(half).join('.') }
}
