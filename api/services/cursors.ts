import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { fault } from '../../infra/faults.ts'

const macBytes = 16

/** Opaque cursors: what they say, signed together with the query that they go on with. */
export function createCursors(secret: string) {
  const sign = (text: string, query: string): Buffer =>
    createHmac('sha256', secret)
      .update(createHash('sha256').update(query).digest())
      .update(text)
      .digest()
      .subarray(0, macBytes)

  return {
    seal(position: Readonly<Record<string, string>>, query: string): string {
      const text = JSON.stringify(position)
      return Buffer.concat([sign(text, query), Buffer.from(text)]).toString('base64')
    },
    /** Throws a fault `invalid` for a cursor that this service did not make for this query. */
    open(cursor: string, query: string): Readonly<Record<string, string>> {
      const bytes = Buffer.from(cursor, 'base64')
      const text = bytes.subarray(macBytes).toString('utf8')
      const genuine =
        bytes.length > macBytes &&
        bytes.toString('base64') === cursor &&
        timingSafeEqual(bytes.subarray(0, macBytes), sign(text, query))
      if (!genuine)
        throw fault(
          'invalid',
          'sec_buf: this service made no such cursor for this query; send the one of the last answer',
        )
      return JSON.parse(text)
    },
  }
}

export type Cursors = ReturnType<typeof createCursors>
