/** `?wait=`: a call that begins a job waits for its end, for so many seconds at most. */
import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

const schema = {
  schema: 'web',
  streams: { visits: { keep: 'forever', attributes: { price: { type: 'number', stats: ['summary'] }, kind: 'text' } } },
}
const training = {
  'schema-name': 'web',
  model_name: 'kinds',
  algo_type: 'KMEANS',
  algo_param: { k: 2 },
  training_details: { training_source_type: 'STREAM', 'stream-name': 'visits' },
  attr_list: [{ name: 'price', position: 0 }],
}

test.before(async () => {
  await client.ok(client.send('POST', '/stream', schema))
  const lines = Array.from({ length: 40 }, (_, n) => JSON.stringify({ price: n % 2 ? n : 1000 + n }))
  await client.post('/stream/web/visits', lines.join('\n'), { 'content-type': 'application/x-ndjson' })
})

test.serial('a training, a prediction of a file and a rebuild have ended in their answers', async (t) => {
  const trained = await client.ok(client.send('POST', '/ml/train?wait=30', training))
  t.is(trained.train_req_state, 25)
  t.is((await client.ok(client.get('/ml/web/kinds/status'))).train_req_state, 25)
  const failing = { ...training, model_name: 'fails', attr_list: [{ name: 'nowhere', position: 0 }] }
  const failed = await client.ok(client.send('POST', '/ml/train?wait=30', failing))
  t.true(failed.train_req_state < 20)
  t.truthy(failed.reason)

  await client.ok(
    client.send('POST', '/stream/upload_data', {
      'schema-name': 'web',
      'stream-name': 'visits',
      model_name: 'kinds',
      file_name: 'rows',
      duration_sec: 3600,
    }),
  )
  const predicted = await client.ok(
    client.send('POST', '/ml/pred/1?wait=30', { 'schema-name': 'web', model_name: 'kinds', data: 'rows' }),
  )
  t.is(predicted.pred_req_state, 25)

  const rebuilt = await client.ok(client.send('POST', '/stream/web/visits/rebuild?wait=30'))
  t.is(rebuilt.state, 'done')
})

test.serial('without it, or with 0, a call answers at once and says nothing of the end', async (t) => {
  for (const query of ['', '?wait=0']) {
    const begun = await client.ok(
      client.send('POST', `/ml/train${query}`, { ...training, model_name: `at_once_${query.length}` }),
    )
    t.false('train_req_state' in begun)
  }
})

test('what is no number of seconds from 0 to 30 is refused, and nothing is begun', async (t) => {
  for (const wait of ['31', '-1', 'x', '', '1&wait=2']) {
    const { status, body } = await client.send('POST', `/ml/train?wait=${wait}`, { ...training, model_name: 'never' })
    t.is(status, 400, wait)
    t.regex(body.error.join(), /wait: send/)
  }
  t.is((await client.get('/ml/web/never/status')).status, 404)
})
