/**
 * The revision 2026-07-28, in which each request says for itself how it is meant, beside the earlier ones: no `initialize`, and
 * `_meta` with the version and the client's capabilities in each request, which the headers repeat.
 */
import type { Caller } from '../../activities/keys/caller.ts'
import { isObject, type Json } from '../../base/json.ts'
import { version } from '../../infra/version.ts'
import type { Inner } from './inner.ts'
import { answerMessage, capabilities, codes, earlierVersions, failure, instructions } from './protocol.ts'

export const revision = '2026-07-28'

const key = (name: string): string => `io.modelcontextprotocol/${name}`

/** The codes of the revision's own errors. */
const [headerMismatch, unsupportedVersion] = [-32020, -32022]

export type StatelessAnswer = { readonly status: number; readonly body: object | null }
type Message = { readonly [name: string]: Json }
/** The value of a header by its name in lower case; '' where there is none. */
type HeaderOf = (name: string) => string

const metaOf = ({ params }: Message): Message | undefined => {
  const meta = isObject(params) ? params._meta : undefined
  return isObject(meta) ? meta : undefined
}

/** Whether a body is of this revision, or of a later one, by its header, its own words, or its method. */
export function isStateless(sent: Json, header: HeaderOf): boolean {
  if (header('mcp-protocol-version') === revision) return true
  if (!isObject(sent)) return false
  return metaOf(sent)?.[key('protocolVersion')] !== undefined || sent.method === 'server/discover'
}

/** Methods, and the member of their parameters that the header `Mcp-Name` repeats. */
const methods: Readonly<Record<string, { readonly named?: 'name' | 'uri'; readonly isCacheable?: boolean }>> = {
  'server/discover': { isCacheable: true },
  'tools/list': { isCacheable: true },
  'tools/call': { named: 'name' },
  'resources/list': { isCacheable: true },
  'resources/templates/list': { isCacheable: true },
  'resources/read': { named: 'uri', isCacheable: true },
}

/** How long a client may keep a list, which is that of its key. */
const caching = { ttlMs: 60_000, cacheScope: 'private' }

export async function answerStateless(
  sent: Json,
  header: HeaderOf,
  caller: Caller,
  inner: Inner,
): Promise<StatelessAnswer> {
  if (!isObject(sent))
    return refused(400, failure(null, codes.request, 'send one message, an object: there are no batches'))
  const id = typeof sent.id === 'string' || typeof sent.id === 'number' ? sent.id : null
  const { method } = sent
  if (sent.jsonrpc !== '2.0' || typeof method !== 'string')
    return refused(400, failure(id, codes.request, 'send jsonrpc "2.0" and the method as a text'))
  if (sent.id === undefined) return { status: 202, body: null }
  const problem = problemOf(sent, method, header)
  if (problem) return refused(400, failure(id, problem.code, problem.message, problem.data))
  const known = Object.hasOwn(methods, method) ? methods[method] : undefined
  if (!known) return refused(404, failure(id, codes.method, `there is no method ${method.slice(0, 40)}`))
  const { result, ...rest } =
    method === 'server/discover' ? { jsonrpc: '2.0', id, result: discovered } : await ofEarlier(sent, caller, inner)
  if (!result) return { status: 200, body: rest }
  const _meta = { [key('serverInfo')]: { name: 'weir', version: version() } }
  const whole = { ...result, resultType: 'complete', ...(known.isCacheable && caching), _meta }
  return { status: 200, body: { ...rest, result: whole } }
}

const discovered = { supportedVersions: [revision], capabilities, instructions }

/** The methods of lists and calls are those of the earlier revisions. */
async function ofEarlier(sent: Message, caller: Caller, inner: Inner): Promise<{ readonly result?: object }> {
  return (await answerMessage(sent, caller, inner)) ?? {}
}

const refused = (status: 400 | 404, body: object): StatelessAnswer => ({ status, body })

type Problem = { readonly code: number; readonly message: string; readonly data?: object }

function problemOf(sent: Message, method: string, header: HeaderOf): Problem | undefined {
  const meta = metaOf(sent)
  const [asked, abilities] = [meta?.[key('protocolVersion')], meta?.[key('clientCapabilities')]]
  if (typeof asked !== 'string')
    return { code: codes.params, message: `params._meta: ${key('protocolVersion')} is missing: send "${revision}"` }
  if (!isObject(abilities))
    return {
      code: codes.params,
      message: `params._meta: ${key('clientCapabilities')} is missing: send {} where there are none`,
    }
  const spoken = header('mcp-protocol-version')
  if (spoken !== asked) return mismatch('MCP-Protocol-Version', spoken, asked)
  if (asked !== revision) {
    const supported = [revision]
    const earlier = `; initialize speaks ${earlierVersions.join(', ')}`
    return {
      code: unsupportedVersion,
      message: `version ${asked.slice(0, 40)} is not known here; send ${revision} in each request${earlier}`,
      data: { supported, requested: asked },
    }
  }
  if (header('mcp-method') !== method) return mismatch('Mcp-Method', header('mcp-method'), method)
  const named = Object.hasOwn(methods, method) ? methods[method]?.named : undefined
  const name = named !== undefined && isObject(sent.params) ? sent.params[named] : undefined
  if (typeof name === 'string' && decoded(header('mcp-name')) !== name)
    return mismatch('Mcp-Name', header('mcp-name'), name)
  return undefined
}

const mismatch = (name: string, got: string, wanted: string): Problem => ({
  code: headerMismatch,
  message: `the header ${name} ${got === '' ? 'is missing' : `is ${got.slice(0, 80)}`}; the body says ${wanted.slice(0, 80)}: both say the same`,
})

/** A value that a header cannot hold stands there as base64. */
function decoded(value: string): string {
  const base64 = /^=\?base64\?([A-Za-z0-9+/]+=*)\?=$/.exec(value)?.[1]
  return base64 === undefined ? value : Buffer.from(base64, 'base64').toString('utf8')
}
