/** Query parameters that calls do not know: those that change something refuse them, those that read report them. */
import { readFileSync } from 'node:fs'
import test from 'ava'
import { startService } from '../../support/service.ts'

type Paths = Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
const { paths }: { readonly paths: Paths } = JSON.parse(
  readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'),
)
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId }]) => ({ method: method.toUpperCase(), path, id: operationId })),
)
const { client, close } = await startService()
test.after.always(close)

/** They read, whatever their method. */
const reading = ['usage', 'runSql', 'listBuckets', 'listObjects', 'listObjectsByFlag', 'getSlices', 'forecast', 'mcp']
/** Clients of vendors add what they like. */
const ofVendors = [
  ...[
    'segmentMessages',
    'postHogBatch',
    'postHogCapture',
    'postHogEvent',
    'postHogIngest',
    'postHogFlags',
    'postHogDecide',
  ],
  'snowplowEvents',
]
/** Their statement decides, their kind, or the question that they ask. */
const byStatement = ['runQuery', 'queryGraph', 'queryStreamGraph', 'predict', 'askQuestion']

for (const { method, path, id } of operations) {
  const changes = (method !== 'GET' || id === 'makeGraph') && ![...reading, ...byStatement, ...ofVendors].includes(id)
  if (!changes) continue
  test(`${method} ${path} refuses a parameter that it does not know, before it looks at anything else`, async (t) => {
    const place = path.replaceAll(/\{\w+\}/g, 'nowhere')
    for (const name of ['dry_run', 'surely_unknown']) {
      const answer = await client.send(method, `${place}?${name}=1`)
      t.is(answer.status, 400, name)
      t.regex(answer.body.error[0], new RegExp(`^${name} is no parameter of this call`))
    }
  })
}

const shop = {
  schema: 'strays',
  streams: [{ name: 'a', type: 1, swsz: 0, attr: [{ name: 'x', type: 9, stat: 1 }] }],
}
const sql = (text: string, query: string) => client.post(`/db/mydb/query?${query}`, { sql: text })

test.serial('nothing is deleted or edited by ?dry_run=1, dry-run, dryRun, ?undo_hours=24', async (t) => {
  await client.ok(client.post('/stream', shop))
  await client.ok(client.post('/graph/strays_g', {}))
  await client.ok(client.post('/db/mydb/table', { table_name: 'strays_t', table_type: 1, key_type: 1 }))
  for (const parameter of ['dry_run=1', 'dry-run=1', 'dryRun=true', 'dryrun=1', 'undo_hours=24', 'keep=24']) {
    for (const path of ['/stream/strays', '/stream/strays/a', '/graph/strays_g', '/db/mydb/strays_t']) {
      const answer = await client.send('DELETE', `${path}?${parameter}`)
      t.is(answer.status, 400, `${path}?${parameter}`)
      if (!parameter.startsWith('keep')) t.regex(answer.body.error[0], /did you mean (dry|undo)\?/)
    }
    const edit = await client.send('PUT', `/stream?${parameter}`, { ...shop, streams: [] })
    t.is(edit.status, 400)
  }
  t.is((await client.ok(client.get('/stream/strays/info'))).num_streams, 1)
  t.true((await client.ok(client.get('/graph/list'))).graphs.includes('strays_g'))
  t.is((await client.get('/db/mydb/strays_t')).status, 200)
})

test.serial('a statement that changes refuses them, one that reads names them in error', async (t) => {
  await client.ok(client.post('/stream/strays/a', { x: 1 }))
  for (const text of ['delete from strays.a', 'insert into strays.a values null {"x":2}']) {
    const answer = await sql(text, 'dry_run=1')
    t.is(answer.status, 400)
    t.regex(answer.body.error[0], /^dry_run is no parameter/)
  }
  const count = await client.ok(sql('select count(*) from strays.a', 'consistancy=eventual'))
  t.is(count.retval, 1)
  t.deepEqual(count.error, ['consistancy is no parameter of this call; did you mean consistency?'])
  const rows = await client.ok(sql('select * from strays.a where y = 1', 'lmit=1'))
  t.is(rows.num_items, 0)
  t.is(rows.error.length, 2)
  t.regex(rows.error[1], /^lmit is no parameter of this call: it takes consistency, rebuild, force$/)
})

test.serial('a call whose answer has no error tells in the header x-weir-note', async (t) => {
  for (const path of [
    '/stream/strays/a/count?consitency=eventual',
    '/db/mydb/strays_t?kye=LAX',
    '/db/mydb/list?key=a',
  ]) {
    const { status, headers, body } = await client.get(path)
    t.is(status, 200)
    t.regex(headers.get('x-weir-note') ?? '', /is no parameter of this call/, path)
    t.is(body.error, undefined)
  }
  const infos = await client.get('/stream/strays/info?wrong%C3%A9=1')
  t.deepEqual(infos.body.error, ['wrongé is no parameter of this call: it takes consistency, limit, cursor'])
  const refused = await client.get('/stream/strays/a/refused?limt=2&caf%C3%A9%0A=1')
  t.is(refused.status, 200)
  t.is(
    refused.headers.get('x-weir-note'),
    'limt is no parameter of this call; did you mean limit?; caf?? is no parameter of this call: it takes limit, cursor',
  )
})

test.serial('a value that consistency does not have is refused', async (t) => {
  for (const path of ['/stream/strays/info', '/stream/strays/a/count'])
    t.is((await client.get(`${path}?consistency=evntual`)).status, 400)
  const asked = await sql('select count(*) from strays.a', 'consistency=evntual')
  t.regex(asked.body.error[0], /^consistency: write consistency=eventual/)
})
