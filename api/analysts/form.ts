/** Forms, as far as clients send a statement and its parameters by them: `multipart/form-data` (RFC 7578), and urlencoded ones. */
import type { IncomingHttpHeaders } from 'node:http'
import { exception } from '../../infra/clickhouse/exceptions.ts'

export type Form = { readonly query: Buffer; readonly params: Readonly<Record<string, string>> }

const unreadable = (why: string) => exception(36, 'BAD_ARGUMENTS', `the form cannot be read: ${why}`)

/** An example says what to do with the rows, since statements alone are taken. */
const refusal = (name: string) =>
  exception(
    48,
    'NOT_IMPLEMENTED',
    `a form has query and param_<name> here, not ${JSON.stringify(name.slice(0, 80))}: external tables are not supported (give the values as a parameter, x IN {ids:Array(Int64)}, or in the statement, VALUES), and settings stand in the URL`,
  )

/** The boundary of a form; undefined for a body of another kind. */
export function boundaryOf({ 'content-type': type = '' }: IncomingHttpHeaders): string | undefined {
  if (!/^multipart\//i.test(type)) return undefined
  if (!/^multipart\/form-data\s*(;|$)/i.test(type))
    throw unreadable('multipart/form-data is taken, and no other multipart')
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]{1,200})"|([^\s;"]{1,200}))/i.exec(type) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined) throw unreadable('its Content-Type names no boundary')
  return boundary
}

/** The form of a body; undefined for a body that is a statement. Throws for a form with other parts than `query` and `param_<name>`. */
export function readForm(body: Buffer, headers: IncomingHttpHeaders, boundary: string | undefined): Form | undefined {
  if (boundary !== undefined) return body.length === 0 ? undefined : formOf(parts(body, boundary))
  return isUrlencoded(body, headers) ? formOf(fields(body)) : undefined
}

/** curl -d says so of any body, so it also has to begin as no statement does. */
const isUrlencoded = (body: Buffer, { 'content-type': type = '' }: IncomingHttpHeaders): boolean =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type) && /^\w+=/.test(body.toString('latin1', 0, 200))

function formOf(parts: Iterable<Part>): Form {
  const queries: Buffer[] = []
  const params: Record<string, string> = {}
  for (const { name, isFile, value } of parts) {
    if (isFile) throw refusal(name)
    if (name === 'query') queries.push(value)
    else if (name.startsWith('param_')) params[name.slice('param_'.length)] = utf8(name, value)
    else throw refusal(name)
  }
  return { query: Buffer.concat(queries), params }
}

type Part = { readonly name: string; readonly isFile: boolean; readonly value: Buffer }

function* parts(body: Buffer, boundary: string): Generator<Part> {
  const whole = Buffer.concat([Buffer.from('\r\n'), body])
  const delimiter = `\r\n--${boundary}`
  let at = whole.indexOf(delimiter)
  if (at < 0) throw unreadable('its boundary does not come')
  for (;;) {
    at += Buffer.byteLength(delimiter)
    if (whole.toString('latin1', at, at + 2) === '--') return
    const lineEnd = whole.indexOf('\r\n', at)
    const next = whole.indexOf(delimiter, at)
    const headersEnd = lineEnd < 0 ? -1 : whole.indexOf('\r\n\r\n', lineEnd)
    if (next < 0 || headersEnd < 0 || headersEnd > next) throw unreadable('a part of it is not whole')
    const disposition = /^content-disposition:\s*form-data(.*)$/im.exec(
      whole.toString('utf8', lineEnd, headersEnd),
    )?.[1]
    const name = parameter(disposition, 'name')
    if (name === undefined) throw unreadable('a part of it has no name')
    const value = whole.subarray(headersEnd + 4, Math.max(next, headersEnd + 4))
    yield { name, isFile: parameter(disposition, 'filename') !== undefined, value }
    at = next
  }
}

function* fields(body: Buffer): Generator<Part> {
  for (const field of utf8('it', body).split('&')) {
    const [name = '', ...value] = field.split('=').map(decoded)
    if (field !== '') yield { name, isFile: false, value: Buffer.from(value.join('=')) }
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw unreadable(`${text.slice(0, 80)} is not urlencoded (curl --data-urlencode does that)`)
  }
}

/** Browsers write a quote in a name as %22. */
function parameter(disposition: string | undefined, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^\\s;"]+))`, 'i').exec(disposition ?? '') ?? []
  return (quoted?.replace(/\\(.)/g, '$1') ?? plain)?.replaceAll('%22', '"')
}

function utf8(name: string, value: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(value)
  } catch {
    throw unreadable(`${name.slice(0, 80)} is no UTF-8`)
  }
}
