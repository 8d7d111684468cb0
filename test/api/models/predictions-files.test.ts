import test from 'ava'
import { signModel, sumModel } from '../../activities/prediction/models.ts'
import { openModelShelf } from '../../support/model-shelf.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await startService()
const { client } = service
const shelf = await openModelShelf({ DATA_DIR: service.folder })
await shelf.publish('shop', 'sum', sumModel(1024))
await shelf.publish('shop', 'age', signModel())
test.after.always(async () => {
  await service.close()
  await shelf.close()
})

const put = (key: string, content: string) =>
  client.ok(client.send('PUT', `/brs/ml_bucket_info/object/${key}`, content, { 'content-type': 'text/csv' }))
const object = (key: string) => client.get(`/brs/ml_bucket_info/object/${key}`)
const predict = (model: string, file: string, more: Readonly<Record<string, unknown>> = {}) =>
  client.post('/ml/pred/1', {
    'schema-name': 'shop',
    model_name: model,
    data_type: 1,
    input_format: 'CSV',
    data: file,
    ...more,
  })
const status = async (model: string, file: string) => (await client.get(`/ml/shop/${model}/${file}/status`)).body
const end = (model: string, file: string) =>
  until(
    `the end of ${file}`,
    async () => {
      const found = await status(model, file)
      return found.pred_req_state < 20 || found.pred_req_state === 25 ? found : undefined
    },
    30_000,
  )

test('each row of a file gets its line in order, one that cannot be predicted an empty one', async (t) => {
  const rows = Array.from({ length: 5000 }, (_, i) => (i % 1000 === 7 ? `x,Rome,1.5` : `${i},Bern,1.5`))
  await put('sum__shop__people.csv', `age,city,height\n${rows.join('\n')}\n`)
  const { body } = await predict('sum', 'people.csv', { headr: 0 })
  t.deepEqual(body.error, ['headr is unknown and does nothing; did you mean header?'])
  t.like(body, { pred_file_out: 'sum__shop__people.csv.predict', errorcode: 0 })
  t.is(typeof body.msg, 'string')
  const found = await end('sum', 'people.csv')
  t.like(found, { pred_req_state: 25, progress: 1, num_rows: 5000, num_failed: 5, errorcode: 0, model_name: 'sum' })
  t.regex(found.error[0], /line 9, column 1, attribute 'age'/)
  const lines = (await object('sum__shop__people.csv.predict')).text.split('\n')
  t.is(lines.pop(), '')
  t.is(lines.length, 5000)
  for (const [i, line] of lines.entries()) {
    if (i % 1000 === 7) t.is(line, '')
    else t.true(Math.abs(Number(line) - (i / 50 - 1)) < 1e-12)
  }
})

test('with consider_target the status tells how the predictions agree', async (t) => {
  await put('age__shop__known.csv', '80,Rome,old,1\n10,Rome,old,1\n10,Rome,young,1\n90,Rome,old,1\n')
  await predict('age', 'known.csv', { consider_target: 1 })
  t.like(await end('age', 'known.csv'), { pred_req_state: 25, user_pred_accuracy: 75, num_rows: 4 })
  t.is((await object('age__shop__known.csv.predict')).text, 'old\nyoung\nyoung\nold\n')
})

test('an empty file has an empty result', async (t) => {
  await put('sum__shop__empty.csv', '')
  await predict('sum', 'empty.csv')
  t.like(await end('sum', 'empty.csv'), { pred_req_state: 25, num_rows: 0 })
  t.is((await object('sum__shop__empty.csv.predict')).text, '')
})

test('a prediction that was removed has no status and no result; the file stays', async (t) => {
  await put('sum__shop__brief.csv', '100,Rome,2\n')
  await predict('sum', 'brief.csv')
  await end('sum', 'brief.csv')
  t.is((await object('sum__shop__brief.csv.predict')).text, '3\n')
  t.is((await client.send('DELETE', '/ml/shop/sum/brief.csv/status')).status, 200)
  t.is((await client.get('/ml/shop/sum/brief.csv/status')).status, 404)
  t.is((await client.send('DELETE', '/ml/shop/sum/brief.csv/status')).status, 404)
  t.is((await object('sum__shop__brief.csv.predict')).status, 404)
  t.is((await object('sum__shop__brief.csv')).status, 200)
})

test('a prediction under way is refused anew, shows its progress, leaves the service free, and ends when removed', async (t) => {
  const block = Array.from({ length: 20_000 }, (_, i) => `${i % 100},Rome,1.5`).join('\n')
  await put('sum__shop__long.csv', `${Array.from({ length: 40 }, () => block).join('\n')}\n`)
  await predict('sum', 'long.csv')
  const again = await predict('sum', 'long.csv')
  t.is(again.status, 409, again.text)
  let slowest = 0
  const seen = await until(
    'some progress',
    async () => {
      const began = performance.now()
      await client.get('/health/live')
      slowest = Math.max(slowest, performance.now() - began)
      const found = await status('sum', 'long.csv')
      return found.progress > 0 ? found : undefined
    },
    30_000,
  )
  t.log(`slowest /health/live ${slowest.toFixed(0)} ms`)
  t.true(slowest < 1000)
  t.true(seen.pred_req_state >= 20 && seen.num_rows > 0)
  t.is((await client.send('DELETE', '/ml/shop/sum/long.csv/status')).status, 200)
  t.is((await client.get('/ml/shop/sum/long.csv/status')).status, 404)
  await until('all parts are gone', async () => {
    for await (const { key } of shelf.objects.list('weir_models', 'shop/sum/predictions/'))
      if (key.includes('long')) return false
    return true
  })
  t.is((await object('sum__shop__long.csv.predict')).status, 404)
})

const refused: readonly (readonly [title: string, more: Record<string, unknown>, status: number])[] = [
  ['a model that is not there', { model_name: 'none' }, 404],
  ['a file that is not there', { data: 'none.csv' }, 404],
  ['a file outside of the bucket', { data: '../x' }, 400],
  ['a result as source', { data: 'x.predict' }, 400],
  ['a data_type of the other call', { data_type: 2 }, 400],
]

for (const [title, more, code] of refused) {
  test(`refused: ${title}`, async (t) => {
    const answer = await predict('sum', 'people.csv', more)
    t.is(answer.status, code, answer.text)
    t.is(answer.body.errorcode, answer.body.errcode)
    t.true(answer.body.errorcode < 0)
  })
}

test('a model that cannot be loaded ends in state 18 with its reason', async (t) => {
  await shelf.publish('shop', 'broken', Buffer.from('no model'))
  await put('broken__shop__a.csv', '1,2,3\n')
  await predict('broken', 'a.csv')
  const found = await end('broken', 'a.csv')
  t.is(found.pred_req_state, 18)
  t.is(found.errorcode, 18)
  t.regex(found.error.join(), /model/)
})

test('of several that ask for the same file at once one has its run, which ends, and the others are told so', async (t) => {
  for (const round of [1, 2, 3]) {
    const file = `twice${round}.csv`
    await put(`sum__shop__${file}`, '1,Rome,1.5\n'.repeat(20_000))
    const answers = await Promise.all([predict('sum', file), predict('sum', file), predict('sum', file)])
    t.deepEqual(
      answers.map((answer) => answer.status).toSorted((a, b) => a - b),
      [200, 409, 409],
    )
    const refused = answers.find((answer) => answer.status === 409)
    t.regex(refused?.body.error[0], /is being predicted already; GET .*status tells how far it is/)
    t.like(await end('sum', file), { pred_req_state: 25, num_rows: 20_000 })
    t.is((await predict('sum', file)).status, 200, 'and again')
    t.like(await end('sum', file), { pred_req_state: 25, num_rows: 20_000 })
  }
})

test('the status names words that training did not see, by attribute', async (t) => {
  await put('sum__shop__new.csv', '1,Rome,1.5\n2,Bonn,1.5\n3,Bern,1.5\n')
  await predict('sum', 'new.csv')
  t.deepEqual((await end('sum', 'new.csv')).notes, [
    "attribute 'city': 2 rows have a word that training did not see, such as 'Bonn', 'Bern'",
  ])
  await put('sum__shop__old.csv', '1,Rome,1.5\n')
  await predict('sum', 'old.csv')
  t.is((await end('sum', 'old.csv')).notes, undefined)
})

test('a prediction that fails leaves no result of an earlier one', async (t) => {
  await put('sum__shop__again.csv', '1,Rome,1.5\n')
  await predict('sum', 'again.csv')
  t.is((await end('sum', 'again.csv')).pred_req_state, 25)
  t.is((await object('sum__shop__again.csv.predict')).status, 200)
  t.is((await predict('sum', 'again.csv', { version: 9 })).status, 404)
  t.is((await object('sum__shop__again.csv.predict')).status, 200, 'none has begun')
  await put('sum__shop__again.csv', 'years,town,metres\n1,Rome,1.5\n')
  await predict('sum', 'again.csv')
  const { pred_req_state: state, error } = await end('sum', 'again.csv')
  t.is(state, 18, error.join())
  t.is((await object('sum__shop__again.csv.predict')).status, 404)
})
