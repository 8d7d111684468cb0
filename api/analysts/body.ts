import type { IncomingMessage } from 'node:http'
import { Fault, type FaultKind } from '../../base/faults.ts'
import { exception } from '../../infra/clickhouse/exceptions.ts'
import { type BodyBounds, readBody as readAnyBody } from '../http/body.ts'

const exceptions: Partial<Record<FaultKind, readonly [code: number, name: string]>> = {
  'too large': [307, 'TOO_MANY_BYTES'],
  unsupported: [78, 'UNKNOWN_COMPRESSION_METHOD'],
  limited: [202, 'TOO_MANY_SIMULTANEOUS_QUERIES'],
  invalid: [36, 'BAD_ARGUMENTS'],
}

/** Reads a request's body; a fault of it is an exception as ClickHouse words it. */
export async function readBody(request: IncomingMessage, bounds: BodyBounds): Promise<Buffer> {
  try {
    return await readAnyBody(request, bounds)
  } catch (error) {
    const known = error instanceof Fault ? exceptions[error.kind] : undefined
    if (!known || !(error instanceof Fault)) throw error
    if (error.kind === 'too large') throw exception(known[0], known[1], `the body exceeds ${bounds.limit} bytes`)
    throw exception(known[0], known[1], error.message)
  }
}
