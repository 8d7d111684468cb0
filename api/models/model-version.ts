import { z } from 'zod'
import { fault } from '../../base/faults.ts'
import { whole } from '../../sql/schema/values.ts'

export const modelVersionOnWire = z.object({ version: whole(1, Number.MAX_SAFE_INTEGER) })

/** The body of `PUT /ml/S/M/version`: the version of a model that is to be current. */
export function readModelVersion(wire: unknown): number {
  const { data } = modelVersionOnWire.safeParse(wire)
  if (data) return data.version
  throw fault('invalid', 'version must be the number of a version, from 1')
}
