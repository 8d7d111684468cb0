/** Keys by which events are taken once, of ids that programs make that do not know Weir. */
import { createHash } from 'node:crypto'

/** A key has at most so many characters. */
export const longestKey = 255

/** The key of an id: its text, or the hash of that where it has over `max` characters. */
export const senderKey = (id: string, max = longestKey): string =>
  id.length > max ? createHash('sha256').update(id).digest('base64url') : id
