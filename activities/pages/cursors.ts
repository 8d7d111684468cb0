import { fault } from '../../base/faults.ts'
import { createSeal } from '../../base/sealed-texts.ts'

/** The next page may have another limit. */
export function unlimited(query: string): string {
  const text = query.trim()
  const statement = text.endsWith(';') ? text.slice(0, -1).trimEnd() : text
  return statement.replace(/\blimit\s+\d+$/i, '').trimEnd()
}

/** Opaque cursors: a position, sealed together with the query that goes on from it. */
export function createCursors(secret: string) {
  const { seal, open } = createSeal(secret, 'base64')
  return {
    seal: (position: Readonly<Record<string, string>>, query: string): string =>
      seal(JSON.stringify(position), unlimited(query)),
    /** Throws a fault `invalid` for a cursor that this service did not make for this query. */
    open(cursor: string, query: string): Readonly<Record<string, string>> {
      const text = open(cursor, unlimited(query))
      if (text !== undefined) return JSON.parse(text)
      throw fault(
        'invalid',
        'sec_buf: this service made no such cursor for this query; send the one of the last answer',
      )
    },
  }
}

export type Cursors = ReturnType<typeof createCursors>
