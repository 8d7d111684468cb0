/**
 * The fault in one word: `refused` (the request is at fault), `unauthorized`, `forbidden`, `missing`, `conflict`, `limit`
 * (too much or too often), `unavailable` and `late` (ask again), `network` (no answer came), `timeout`, `foreign` (what
 * answers is no Weir), `broken` (an answer that ends before its end).
 */
export type ErrorKind =
  | 'refused'
  | 'unauthorized'
  | 'forbidden'
  | 'missing'
  | 'conflict'
  | 'limit'
  | 'unavailable'
  | 'late'
  | 'network'
  | 'timeout'
  | 'foreign'
  | 'broken'

/** A request that failed. `message` is the service's own words, or a sentence on why no answer came. */
export class WeirError extends Error {
  override readonly name = 'WeirError'
  readonly kind: ErrorKind
  /** The status of the answer, where one came. */
  readonly status: number | undefined
  /** Weir's own code, where the answer has one. */
  readonly errcode: number | undefined
  /** The answer as it came, where it was JSON. */
  readonly answer: Readonly<Record<string, unknown>> | undefined

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.kind = kind
    this.status = details.status
    this.errcode = details.errcode
    this.answer = details.answer
  }
}

type ErrorDetails = {
  readonly status?: number
  readonly errcode?: number | undefined
  readonly answer?: Readonly<Record<string, unknown>> | undefined
  readonly cause?: unknown
}

const kinds: Readonly<Record<number, ErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  409: 'conflict',
  413: 'limit',
  429: 'limit',
  502: 'unavailable',
  503: 'unavailable',
  504: 'late',
}

/** The error that an answer of this status and text is. */
export function errorOf(status: number, text: string, where: string): WeirError {
  const answer = objectIn(text)
  const words = wordsOf(answer)
  const isWeir = answer !== undefined && (words !== undefined || 'errcode' in answer || 'errorcode' in answer)
  // A proxy before a Weir answers 502 to 504 in its own words.
  const isProxy = status >= 502 && status <= 504
  if (!isWeir && !isProxy) {
    return new WeirError('foreign', `what answers at ${where} with ${status} is no Weir: ${cut(text)}`, { status })
  }
  const code = answer?.errcode ?? answer?.errorcode
  return new WeirError(kinds[status] ?? 'refused', words ?? `${where} answered ${status}: ${cut(text)}`, {
    status,
    errcode: typeof code === 'number' ? code : undefined,
    answer,
  })
}

const kindsOfCodes: Readonly<Record<number, ErrorKind>> = {
  [-2]: 'unauthorized',
  [-3]: 'missing',
  [-4]: 'conflict',
  [-5]: 'limit',
  [-6]: 'unavailable',
  [-7]: 'late',
}

/** The refusal at which an answer of status 200 broke off: its code alone says of what kind it is. */
export function errorAmid(answer: unknown): WeirError {
  const members = typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {}
  const errcode = typeof members.errcode === 'number' ? members.errcode : undefined
  const words = wordsOf(members) ?? JSON.stringify(answer)
  return new WeirError(kindsOfCodes[errcode ?? -1] ?? 'refused', words, { errcode, answer: members })
}

/** An answer of status 200 that is none of Weir's. */
export const foreignError = (where: string, why: string): WeirError =>
  new WeirError('foreign', `what answers at ${where} is no Weir: ${why}`, { status: 200 })

/** An answer that leads elsewhere; a browser does not say where. */
export function redirectError(response: Response, address: string, where: string): WeirError | undefined {
  const { status, type, headers } = response
  const location = headers.get('location')
  if (type !== 'opaqueredirect' && (status < 300 || status > 399 || location === null)) return undefined
  const there = location !== null && URL.canParse(location, address) ? new URL(location, address).href : undefined
  // The path of the call is no part of the url to give.
  const rest = address.slice(where.length)
  const url = there?.endsWith(rest) ? there.slice(0, -rest.length) : there
  const words = `${where} redirects ${url === undefined ? 'elsewhere: give the url to which it leads' : `to ${url}: give that url`}`
  return new WeirError('foreign', words, status === 0 ? {} : { status })
}

/** A request to which no answer came, in one line that says what to look at. */
export function networkError(cause: unknown, where: string): WeirError {
  const code = codeOf(cause)
  const why =
    (code !== undefined && (passing[code] ?? lasting[code])) ||
    `${messageOf(cause)}${code === undefined ? '' : ` (${code})`}`
  return new WeirError('network', `no Weir answers at ${where}: ${why}`, { cause })
}

/**
 * Whether another try would meet the same: a certificate that is not trusted, an address that speaks no TLS, or what fetch
 * refuses by itself, such as a blocked port. A cut has a code in Node, and no cause in a browser.
 */
export function isLasting({ cause }: WeirError): boolean {
  const code = codeOf(cause)
  return code === undefined ? cause instanceof TypeError && cause.cause instanceof Error : code in lasting
}

const passing: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start one with "npm start", or give another url',
  ENOTFOUND: 'the host has no address; look at the url',
  EAI_AGAIN: 'the host has no address for now',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'the connection was not made in time',
}

const lasting: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is signed by itself; NODE_EXTRA_CA_CERTS names one to trust',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate is signed by an unknown authority; NODE_EXTRA_CA_CERTS names one to trust',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate is signed by an unknown authority; NODE_EXTRA_CA_CERTS names one to trust',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it speaks no TLS; the url should begin with http:',
}

function codeOf(error: unknown): string | undefined {
  for (let each = error; each instanceof Error; each = each.cause) {
    if ('code' in each && typeof each.code === 'string') return each.code
    if (each instanceof AggregateError && each.errors.length > 0) return codeOf(each.errors[0])
  }
  return undefined
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { message } = error.cause instanceof Error && error.cause.message !== '' ? error.cause : error
  return message === 'bad port' ? 'fetch blocks this port; let the service listen at another' : message
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

function wordsOf(answer: Record<string, unknown> | undefined): string | undefined {
  const { error } = answer ?? {}
  if (typeof error === 'string') return error
  return Array.isArray(error) && error.length > 0 ? error.join('; ') : undefined
}

const cut = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text).replaceAll('\n', ' ')
