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
  const message = offset === undefined ? problem : createSourceText(text).refusal(offset, problem).message
  return new Fault(kind, message, { cause: error })
}

/** Without the code, name and version of the exception, and without the statement once more. */
function plain(message: string): string {
  return message
    .replace(/^Code: \d+\. /, '')
    .replace(/^DB::Exception: /, '')
    .replace(/\s*\((?:version [^)]*|[A-Z][A-Z_]+)\)\s*$/g, '')
    .replace(/\s*\([A-Z][A-Z_]+\)\s*$/, '')
    .replace(/:? in scope [\s\S]*?(?=\. Maybe you meant|$)/i, '')
    .replace(/(Expected one of: (?:[^,]+, ){6})[^,]+, [\s\S]*$/, '$1...')
    .replace(/ \(line \d+, col \d+\)/, '')
    .replace(/\?\.$/, '?')
    .trim()
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

/** Where `piece` stands as a whole word nearest to `offset`. */
function nearest(text: string, piece: string, offset: number): number | undefined {
  if (piece === '') return undefined
  let best: number | undefined
  for (let at = text.indexOf(piece); at >= 0; at = text.indexOf(piece, at + 1)) {
    const isWord = !/\w/.test(text[at - 1] ?? '') || !/^\w/.test(piece)
    const ends = !/\w/.test(text[at + piece.length] ?? '') || !/\w$/.test(piece)
    if (isWord && ends && (best === undefined || Math.abs(at - offset) < Math.abs(best - offset))) best = at
  }
  return best
}
