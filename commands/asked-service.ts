import type { Config } from '../infra/config.ts'

/** The service that a command asks: WEIR_URL, else the one on HOST and PORT. */
export function serviceUrl({ HOST, PORT }: Pick<Config, 'HOST' | 'PORT'>): string {
  const host = ['0.0.0.0', '::', '[::]'].includes(HOST) ? '127.0.0.1' : HOST
  return process.env.WEIR_URL || `http://${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${PORT}`
}

/** Whether a fetch failed because no service listens. */
export const isNobody = (error: unknown): boolean =>
  error instanceof Error &&
  typeof error.cause === 'object' &&
  error.cause !== null &&
  'code' in error.cause &&
  error.cause.code === 'ECONNREFUSED'
