import { z } from 'zod'

/** Members that some calls carry beside `errcode` and `error`, so that clients of each dialect find theirs. */
export type Dialect = (errcode: number, message: string) => Record<string, unknown>

type Family = {
  readonly name: string
  readonly path: RegExp
  readonly dialect: Dialect
  /** Before a service has begun, refusals lack these members. */
  readonly members: Readonly<Record<string, z.ZodType>>
}

const byMessage = { dialect: (_: number, msg: string) => ({ msg }), members: { msg: z.string().optional() } }

/** The codes of InfluxDB's errors, by ours. */
const influxCodes: Readonly<Record<number, string>> = {
  [-1]: 'invalid',
  [-2]: 'unauthorized',
  [-3]: 'not found',
  [-4]: 'conflict',
  [-5]: 'request too large',
  [-6]: 'unavailable',
  [-7]: 'unavailable',
}

/**
 * The members that failures of a family of calls carry, also for a wrong method or path. A route may choose another
 * family.
 */
const families: readonly Family[] = [
  {
    name: 'objects',
    path: /^\/brs(\/|$)/i,
    dialect: (errcode) => ({ success: errcode }),
    members: { success: z.int().max(-1).optional() },
  },
  {
    name: 'models',
    path: /^\/ml(\/|$)/i,
    dialect: (errcode) => ({ errorcode: errcode }),
    members: { errorcode: z.int().max(-1).optional() },
  },
  {
    name: 'lines',
    path: /^\/api\/v2\/write\/?$/i,
    dialect: (errcode, message) => ({ code: influxCodes[errcode] ?? 'internal error', message }),
    members: { code: z.string().optional(), message: z.string().optional() },
  },
  { name: 'tables', path: /^\/(db|graph)(\/|$)/i, ...byMessage },
  { name: 'tables', path: /^\/stream\/[^/]+\/[^/]+\/graph(\/|$)/i, ...byMessage },
]

/** The family that a path belongs to; most belong to none. */
export const familyOf = (path: string): Family | undefined => families.find((family) => family.path.test(path))
