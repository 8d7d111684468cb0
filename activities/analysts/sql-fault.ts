import { Fault, type FaultKind, fault } from '../../base/faults.ts'
import type { ClickHouseError } from '../../infra/clickhouse/clickhouse.ts'
import { statusOf } from '../../infra/clickhouse/wire/status.ts'
import { createSourceText } from '../../sql/query/source-text.ts'

/** Exceptions whose kind their status on the analysts' port does not tell. */
const kinds: Readonly<Record<number, FaultKind>> = {
  // ACCESS_DENIED
  497: 'forbidden',
  // UNKNOWN_TABLE, UNKNOWN_DATABASE
  60: 'missing',
  81: 'missing',
  // TIMEOUT_EXCEEDED
  159: 'late',
  // TOO_MANY_SIMULTANEOUS_QUERIES
  202: 'limited',
  // QUERY_WAS_CANCELLED
  394: 'conflict',
  // NETWORK_ERROR: the service is stopping
  210: 'unavailable',
}

/** The fault of the API for an exception of ClickHouse, with the place in the statement where the message has one. */
export function faultOfSql(text: string, error: ClickHouseError): Fault {
  const problem = plain(error.message)
  const kind = kinds[error.code] ?? (statusOf(error.code) === 500 ? 'unavailable' : 'invalid')
  if (kind === 'unavailable') return fault(kind, `ClickHouse could not answer: ${problem}`, { cause: error })
  const offset = placeOf(text, problem)
  const told = `${problem}${inQuotes(text, problem)}`
  const message = offset === undefined ? told : createSourceText(text).refusal(offset, told).message
  return new Fault(kind, message, { cause: error })
}

/** Without the code, name and version of the exception, and without the statement once more. */
function plain(message: string): string {
  return message
    .replace(/^Code: \d+\. /, '')
    .replace(/^DB::Exception: /, '')
    .trimEnd()
    .replace(/(?<!\s)\s*\((?:version [^()]*|[A-Z][A-Z_]+)\)$/, '')
    .replace(/(?<!\s)\s*\([A-Z][A-Z_]+\)$/, '')
    .replace(/:? in scope [\s\S]*?(?=\. Maybe you meant|$)/i, '')
    .replace(/Expected one of: [\s\S]*$/, firstExpected)
    .replace(/ \(line \d+, col \d+\)/, '')
    .replace(/\?\.$/, '?')
    .trim()
}

/** For an identifier that is not there, and stands in double quotes. */
function inQuotes(text: string, problem: string): string {
  const name = /\bidentifier:? [`'"]([^`'"]{1,200})[`'"]/i.exec(problem)?.[1]
  return name !== undefined && text.includes(`"${name}"`) ? `; a text stands in single quotes: '${name}'` : ''
}

const maxExpected = 6

/** The begin of a list of what may stand in a place; a short one is shown whole. */
function firstExpected(list: string): string {
  const items = list.split(', ', maxExpected + 2)
  return items.length < maxExpected + 2 ? list : `${items.slice(0, maxExpected).join(', ')}, ...`
}

/**
 * The offset in the statement as it was sent, which is not the one that ClickHouse read: the place where the piece that
 * the message quotes stands nearest to the position that the message tells.
 */
function placeOf(text: string, problem: string): number | undefined {
  const syntax = /^Syntax error[^:]*: failed at position (\d+) \((.*?)\)(?::|\.|$)/s.exec(problem)
  if (syntax) {
    const [, at = '1', quoted = ''] = syntax
    const offset = Math.min(
      Buffer.from(text)
        .subarray(0, Number(at) - 1)
        .toString().length,
      text.length,
    )
    if (/end of query|EndOfStream/.test(quoted)) return text.trimEnd().length
    return nearest(text, quoted.replace(/^'|'$/g, ''), offset) ?? offset
  }
  const named = namedIn.map((pattern) => pattern.exec(problem)?.[1]).find((name) => name !== undefined)
  if (named === undefined) return undefined
  return nearest(text, named, 0) ?? nearest(text, named.split('.').at(-1) ?? named, 0)
}

/** The ways in which messages name a piece of a statement. */
const namedIn = [
  /\b(?:identifier|expression|columns?|table|function|name|type|setting):? [`'"]([^`'"]{1,200})[`'"]/i,
  /^Unknown function (\w+)/,
  /\bthe function (\w+) /,
  /^Database (\w+) does not exist/,
  /^the setting (\w+)\b/,
]

const maxPiece = 200
/** Places of a piece, on either side of the offset, that are looked at. */
const maxPlaces = 1000

/** Where `piece` stands as a whole word nearest to `offset`. */
function nearest(text: string, piece: string, offset: number): number | undefined {
  if (piece === '' || piece.length > maxPiece) return undefined
  const isWhole = (at: number): boolean =>
    (!/\w/.test(text[at - 1] ?? '') || !/^\w/.test(piece)) &&
    (!/\w/.test(text[at + piece.length] ?? '') || !/\w$/.test(piece))
  const first = (from: number, next: (at: number) => number): number | undefined => {
    for (let [at, places] = [from, 0]; at >= 0 && places < maxPlaces; at = next(at), places++)
      if (isWhole(at)) return at
    return undefined
  }
  const before = first(text.lastIndexOf(piece, offset), (at) => (at === 0 ? -1 : text.lastIndexOf(piece, at - 1)))
  const behind = first(text.indexOf(piece, offset), (at) => text.indexOf(piece, at + 1))
  if (before === undefined || behind === undefined) return before ?? behind
  return offset - before <= behind - offset ? before : behind
}
