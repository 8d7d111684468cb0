import { z } from 'zod'
import type { VersionName } from '../../activities/models/models.ts'
import { wholeNumber } from '../../base/decode/values.ts'
import { fault } from '../../base/faults.ts'
import { hint } from '../../base/suggest.ts'

const number = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const aVersion = 'must be the number of a version, from 1, or an alias'
/** It cannot be taken for a number. */
const alias = z.string().regex(/^[A-Za-z][\w.-]{0,63}$/, aVersion)

const isDigits = (value: unknown): boolean => typeof value === 'string' && /^\d+$/.test(value)

/** A version in a path, a query or a body. */
export const versionOnWire = z.preprocess(
  (value) => (isDigits(value) ? Number(value) : value),
  z.union([number, alias], { error: aVersion }),
)

export const modelVersionOnWire = z.object({
  version: z.union([number, alias]).nullish().meta({ description: 'a number, or an alias; null takes the alias away' }),
  alias: alias.optional().meta({ description: 'names the version, which does not become current by it' }),
})

/** A version to make current, a version to give an alias, or an alias to remove. */
export type VersionChange =
  | { readonly make: VersionName }
  | { readonly name: VersionName; readonly alias: string }
  | { readonly unname: string }

const members = Object.keys(modelVersionOnWire.shape)

/** The body of `PUT /ml/S/M/version`: an unknown member is refused, as without it another version would become current. */
export function readVersionChange(wire: Readonly<Record<string, unknown>>): VersionChange {
  const stray = Object.keys(wire).find((name) => !members.includes(name))
  if (stray !== undefined) throw fault('invalid', `${stray.slice(0, 40)} is not known${hint(stray, members)}`)
  const version = wire.version === null || wire.version === undefined ? wire.version : readVersionName(wire.version)
  const name = alias.optional().safeParse(wire.alias)
  if (!name.success) {
    throw fault('invalid', 'alias must begin with a letter and have 64 letters, digits, _, - and . at most')
  }
  const { data } = name
  if (data === undefined) {
    if (version === undefined || version === null) throw fault('invalid', noVersion)
    return { make: version }
  }
  if (version === null) return { unname: data }
  return version === undefined ? { make: data } : { name: version, alias: data }
}

const noVersion = `version ${aVersion}`

/** Fault `invalid` where it is none. */
export function readVersionName(value: unknown): VersionName {
  const read = versionOnWire.safeParse(value)
  if (read.success) return read.data
  throw fault('invalid', noVersion)
}
