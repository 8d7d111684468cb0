import { z } from 'zod'
import { type Condition, conditionOnWire } from '../../activities/models/comparison.ts'
import type { VersionName } from '../../activities/models/models.ts'
import { flag } from '../../base/decode/values.ts'
import { fault } from '../../base/faults.ts'
import { hint } from '../../base/suggest.ts'
import { clientName, modelAlias, modelVersion, modelVersionNumber } from '../../sql/schema/values.ts'

export const modelVersionOnWire = z.object({
  ...conditionOnWire.partial().shape,
  version: z
    .union([modelVersionNumber, modelAlias])
    .nullish()
    .meta({ description: 'a number, or an alias; null takes the alias away' }),
  alias: modelAlias.optional().meta({ description: 'names the version, which does not become current by it' }),
})

/** A version to make current, a version to give an alias, or an alias to remove. */
export type VersionChange =
  | { readonly make: VersionName; readonly condition?: Condition }
  | { readonly name: VersionName; readonly alias: string }
  | { readonly unname: string }

const members = Object.keys(modelVersionOnWire.shape)

/** The body of `PUT /ml/S/M/version`: an unknown member is refused, as without it another version would become current. */
export function readVersionChange(wire: Readonly<Record<string, unknown>>): VersionChange {
  const stray = Object.keys(wire).find((name) => !members.includes(name))
  if (stray !== undefined) throw fault('invalid', `${stray.slice(0, 40)} is not known${hint(stray, members)}`)
  const version = wire.version === null || wire.version === undefined ? wire.version : readVersionName(wire.version)
  const name = modelAlias.optional().safeParse(wire.alias)
  if (!name.success) {
    throw fault('invalid', 'alias must begin with a letter and have 64 letters, digits, _, - and . at most')
  }
  const { data } = name
  const condition = readCondition(wire)
  const make = data === undefined ? version : version === undefined ? data : undefined
  if (make !== undefined && make !== null) return { make, ...(condition && { condition }) }
  if (data === undefined || version === undefined) throw fault('invalid', noVersion)
  if (condition !== undefined) throw fault('invalid', 'if: an alias needs no condition, as it makes no version current')
  return version === null ? { unname: data } : { name: version, alias: data }
}

/** `if`, `better_than` and `by`, of which `if` says that there is a condition. */
function readCondition({ if: metric, better_than, by }: Readonly<Record<string, unknown>>): Condition | undefined {
  const given = Object.fromEntries(
    Object.entries({ if: metric, better_than, by }).filter(([, value]) => value !== undefined && value !== null),
  )
  if (Object.keys(given).length === 0) return undefined
  const read = conditionOnWire.safeParse(given)
  if (read.success) return { metric: read.data.if, by: read.data.by }
  throw fault('invalid', read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
}

export const copyOnWire = z.object({
  to: clientName.meta({ description: 'the model, of the same schema, that the version becomes one of' }),
  activate: flag.optional().meta({ description: '0: the copy is not current; absent: it is' }),
})

/** The body of `POST /ml/S/M/versions/2/copy`. */
export function readCopy(wire: Readonly<Record<string, unknown>>) {
  const stray = Object.keys(wire).find((name) => !Object.hasOwn(copyOnWire.shape, name))
  if (stray !== undefined)
    throw fault('invalid', `${stray.slice(0, 40)} is not known${hint(stray, Object.keys(copyOnWire.shape))}`)
  const read = copyOnWire.safeParse(wire)
  if (read.success) return { to: read.data.to, activate: read.data.activate ?? true }
  throw fault('invalid', read.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; '))
}

const noVersion = 'version must be the number of a version, from 1, or an alias'

/** Fault `invalid` where it is none. */
export function readVersionName(value: unknown): VersionName {
  const read = modelVersion.safeParse(value)
  if (read.success) return read.data
  throw fault('invalid', noVersion)
}
