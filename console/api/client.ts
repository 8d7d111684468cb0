/** Asks the service. The key is in a cookie that scripts cannot read, so no call carries one. */
import type { Calls } from './calls.ts'
import { answered, notReached } from './connection.ts'
import { parseJson } from './json.ts'
import { keyRefused } from './session.ts'

export type CallName = keyof Calls

export type Asked = {
  /** Values of the `{names}` in the path. */
  readonly path?: Readonly<Record<string, string | number>>
  /** Undefined and empty values are left out. */
  readonly query?: Readonly<Record<string, string | number | undefined>>
  /** JSON, a text that is sent as it is, or bytes. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The service said no: `reasons` are its sentences. */
export class Refusal extends Error {
  readonly status: number
  readonly reasons: readonly string[]
  readonly body: unknown

  constructor(status: number, reasons: readonly string[], body: unknown) {
    super(reasons.join(' '))
    this.name = 'Refusal'
    this.status = status
    this.reasons = reasons
    this.body = body
  }
}

/** No answer came: the service is away, or the network is. */
export class Unreachable extends Error {
  constructor(cause: unknown) {
    super('Weir does not answer', { cause })
    this.name = 'Unreachable'
  }
}

/** Proof that the page itself asks, where the browser tells the service neither site nor origin. */
export const ownHeaders = { 'x-weir-console': '1' }

/** The JSON answer of a call, such as `call('GET /stream/{schema}/info', { path: { schema } })`; throws a Refusal. */
export async function call<Name extends CallName>(name: Name, asked: Asked = {}): Promise<Calls[Name]> {
  const response = await fetchCall(name, asked)
  return parseJson(await textOf(response)) as Calls[Name] // docs/openapi.json, from which the type is, foresees it
}

/** The answer as text, for calls that answer no JSON. */
export const callText = async (name: CallName, asked: Asked = {}): Promise<string> =>
  textOf(await fetchCall(name, asked))

/** The answer as bytes, to be saved as a file. */
export async function callBlob(name: CallName, asked: Asked = {}): Promise<Blob> {
  const response = await fetchCall(name, asked)
  return response.blob().catch((error: unknown) => {
    throw lost(error, asked.signal)
  })
}

/** The answer whose status is good; its body is left to the caller. */
export async function fetchCall(name: CallName, asked: Asked = {}): Promise<Response> {
  const [method = 'GET'] = name.split(' ', 1)
  const { body, headers, signal } = asked
  const response = await fetch(addressOf(name, asked), {
    method,
    headers: { ...ownHeaders, ...(isPlain(body) && { 'Content-Type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isPlain(body) ? JSON.stringify(body) : (body as BodyInit) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    throw lost(error, signal)
  })
  answered(response.status)
  if (!response.ok) throw await refusalOf(response)
  return response
}

/** The path of a call with its names filled in, and its query. */
export function addressOf(name: CallName, { path = {}, query = {} }: Asked = {}): string {
  const [, pattern = ''] = name.split(' ', 2)
  const filled = pattern.replace(/\{(\w+)\}/g, (_, part: string) => {
    const value = path[part]
    if (value === undefined) throw new Error(`${name} needs ${part}`)
    // The key of an object may have slashes.
    return part === 'key' ? String(value).split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value)
  })
  const asked = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = new URLSearchParams(asked.map(([key, value]) => [key, String(value)])).toString()
  return text === '' ? filled : `${filled}?${text}`
}

/** Texts, bytes and forms are sent as they are. */
const isPlain = (body: unknown): boolean =>
  body !== undefined &&
  typeof body !== 'string' &&
  !(body instanceof Blob || body instanceof ArrayBuffer || body instanceof Uint8Array || body instanceof FormData)

async function textOf(response: Response): Promise<string> {
  return response.text().catch((error: unknown) => {
    throw lost(error, undefined)
  })
}

function lost(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return error
  notReached()
  return new Unreachable(error)
}

/** Also for answers that other ways than `call` have brought. */
export async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text().catch(() => '')
  let body: unknown = text
  try {
    body = parseJson(text)
  } catch {}
  const refusal = new Refusal(response.status, reasonsIn(body, response.status), body)
  if (refusal.status === 401) keyRefused()
  return refusal
}

function reasonsIn(body: unknown, status: number): readonly string[] {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const { error } = body
    if (Array.isArray(error) && error.length > 0) return error.map(String)
    if (typeof error === 'string' && error !== '') return [error]
  }
  return [`the answer has the status ${status}`]
}
