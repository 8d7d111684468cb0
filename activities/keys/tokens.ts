import { hash, randomBytes } from 'node:crypto'

/** A key as its holder has it: `weir_<id>_<secret>`. */
export function createToken(): { readonly id: string; readonly token: string } {
  const id = randomBytes(6).toString('hex')
  return { id, token: `weir_${id}_${randomBytes(32).toString('base64url')}` }
}

/** The id that stands in a key; it is no secret. */
export const idIn = (token: string): string => /^weir_([0-9a-f]{12})_/.exec(token)?.[1] ?? ''

/** 256 bits of chance need no slow hash. */
export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')
