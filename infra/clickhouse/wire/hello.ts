/**
 * The first question of clickhouse-go over HTTP, which it reads as a block of the TCP protocol; the revision in the answer
 * says how it reads all that come after: as blocks of revision 0, which is the format Native.
 */
const hello = /^\s*SELECT\s+displayName\(\)\s*,\s*version\(\)\s*,\s*revision\(\)\s*,\s*timezone\(\)\s*(?:;\s*)?$/i

export const isHello = (statement: string): boolean => hello.test(statement)

export type Hello = { readonly name: string; readonly version: string; readonly timezone: string }

/** From this revision on each column says whether its values are written in the usual way. */
const revisionOfSerialization = 54_454

/** Field 1: no overflow; field 2: bucket -1; end. */
const blockInfo = Buffer.from([1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0])

/** One row, as a client of that protocol revision reads it. */
export function helloBlock({ name, version, timezone }: Hello, revision: number): Buffer {
  const usual = revision >= revisionOfSerialization ? [Buffer.from([0])] : []
  const column = (title: string, type: string, value: Buffer): Buffer =>
    Buffer.concat([string(title), string(type), ...usual, value])
  return Buffer.concat([
    ...(revision > 0 ? [blockInfo] : []),
    Buffer.from([4, 1]),
    column('displayName()', 'String', string(name)),
    column('version()', 'String', string(version)),
    column('revision()', 'UInt32', Buffer.alloc(4)),
    column('timezone()', 'String', string(timezone)),
  ])
}

/** A text of less than 128 bytes behind its length. */
function string(text: string): Buffer {
  const bytes = Buffer.from(text)
  if (bytes.length > 127) throw new Error('the text is too long for a length of one byte')
  return Buffer.concat([Buffer.from([bytes.length]), bytes])
}
