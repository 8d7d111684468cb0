/** The revision 2026-07-28 of the Model Context Protocol, beside the earlier ones on one path. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const revision = '2026-07-28'
const prefix = 'io.modelcontextprotocol/'
const meta = { [`${prefix}protocolVersion`]: revision, [`${prefix}clientCapabilities`]: {} }

const headersOf = (method: string, name?: string): Record<string, string> => ({
  'mcp-protocol-version': revision,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})

const send = (method: string, params: object = {}, headers = headersOf(method), _meta: object | undefined = meta) =>
  client.post('/mcp', { jsonrpc: '2.0', id: 9, method, params: { ...params, ...(_meta && { _meta }) } }, headers)

test('a client that says what it speaks needs no initialize', async (t) => {
  const { status, body } = await send('server/discover')
  t.is(status, 200)
  t.deepEqual([body.id, body.result.supportedVersions, body.result.resultType], [9, [revision], 'complete'])
  t.deepEqual(body.result.capabilities, { tools: {}, resources: {} })
  t.is(body.result._meta[`${prefix}serverInfo`].name, 'weir')
  for (const method of ['tools/list', 'resources/list', 'resources/templates/list']) {
    const { result } = (await send(method)).body
    t.like(result, { resultType: 'complete', cacheScope: 'private' })
    t.true(Number.isInteger(result.ttlMs) && result.ttlMs >= 0)
  }
  const called = await send(
    'tools/call',
    { name: 'list_schemas', arguments: {} },
    headersOf('tools/call', 'list_schemas'),
  )
  t.like(called.body.result, { resultType: 'complete', isError: false })
  const encoded = `=?base64?${Buffer.from('list_schemas').toString('base64')}?=`
  t.is((await send('tools/call', { name: 'list_schemas' }, headersOf('tools/call', encoded))).status, 200)
  const noticed = await client.post('/mcp', { jsonrpc: '2.0', method: 'notifications/x', params: { _meta: meta } })
  t.deepEqual([noticed.status, noticed.text], [202, ''])
})

test('a request that does not say how it is meant is refused with what is missing', async (t) => {
  const refused = async (asked: ReturnType<typeof send>) => {
    const { status, body } = await asked
    t.is(body.id, 9)
    return [status, body.error.code]
  }
  const { [`${prefix}clientCapabilities`]: _, ...unable } = meta
  const { [`${prefix}protocolVersion`]: __, ...unversioned } = meta
  for (const each of [{}, unable, unversioned])
    t.deepEqual(await refused(send('server/discover', {}, headersOf('server/discover'), each)), [400, -32602])
  const other = { ...meta, [`${prefix}protocolVersion`]: 'v999' }
  const of = { ...headersOf('tools/list'), 'mcp-protocol-version': 'v999' }
  t.deepEqual(await refused(send('tools/list', {}, of, other)), [400, -32022])
  t.deepEqual((await send('tools/list', {}, of, other)).body.error.data, { supported: [revision], requested: 'v999' })
  const named = { name: 'list_schemas', arguments: {} }
  const wrong: readonly (readonly [string, object, Record<string, string>])[] = [
    ['tools/list', {}, headersOf('prompts/list')],
    ['tools/list', {}, headersOf('TOOLS/LIST')],
    ['tools/list', {}, { 'mcp-protocol-version': revision }],
    ['tools/list', {}, { ...headersOf('tools/list'), 'mcp-protocol-version': '2025-11-25' }],
    ['tools/call', named, headersOf('tools/call')],
    ['tools/call', named, headersOf('tools/call', 'query')],
  ]
  for (const [method, params, headers] of wrong)
    t.deepEqual(await refused(send(method, params, headers)), [400, -32020], JSON.stringify(headers))
  for (const method of ['initialize', 'ping', 'logging/setLevel', 'prompts/list', 'resources/subscribe', 'constructor'])
    t.deepEqual(await refused(send(method)), [404, -32601], method)
  t.is(
    (await client.post('/mcp', [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }], headersOf('tools/list'))).status,
    400,
  )
})

test('earlier revisions are answered as before, on the same path', async (t) => {
  const old = (method: string, params: object = {}) => client.post('/mcp', { jsonrpc: '2.0', id: 1, method, params })
  const { result } = (await old('initialize', { protocolVersion: revision })).body
  t.is(result.protocolVersion, '2025-11-25')
  t.deepEqual((await old('ping')).body.result, {})
  t.false('resultType' in (await old('tools/list')).body.result)
})

test('pages on words and SQL are resources, and what they show works', async (t) => {
  const { resources } = (await send('resources/list')).body.result
  const uris = resources.map(({ uri }: { uri: string }) => uri)
  t.deepEqual(uris, ['weir://pages/words', 'weir://pages/sql'])
  const read = async (uri: string) => (await send('resources/read', { uri }, headersOf('resources/read', uri))).body
  const [words, sql] = await Promise.all(uris.map(read))
  const schema = /^\{"schema".*\}$/m.exec(words.result.contents[0].text)?.[0] ?? ''
  t.is((await client.ok(client.post('/stream?strict=1', schema))).errcode, 0)
  for (const word of ['attributes', 'between', 'from_label'])
    t.true(words.result.contents[0].text.includes(`- ${word}: `), word)
  t.regex(sql.result.contents[0].text, /ST_by_60s/)
  const lost = await read('weir://pages/lost')
  t.deepEqual([lost.error.code, lost.error.data], [-32602, { uri: 'weir://pages/lost' }])
  t.regex(lost.error.message, /there are weir:\/\/pages\/words/)
})

test('a refusal names the tools by which the agent goes on', async (t) => {
  const use = async (name: string, given: object) => {
    const { result } = (await send('tools/call', { name, arguments: given }, headersOf('tools/call', name))).body
    t.true(result.isError)
    return result.content.map(({ text }: { text: string }) => text).join('\n')
  }
  const lost = await use('describe_stream', { schema: 'lost', stream: 's' })
  t.regex(lost, /the tool list_schemas tells which there are/)
  t.regex(lost, /to go on: list_schemas, describe_schema$/)
  t.regex(await use('predict', { schema: 'lost', model: 'm', rows: ['x'] }), /to go on: list_models, describe_model$/)
})
