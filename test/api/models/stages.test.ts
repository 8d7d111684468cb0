import test from 'ava'
import { startService } from '../../support/service.ts'
import { pointsCsv } from './data.ts'
import { type Asked, createTrainer, requestOf } from './trainer.ts'

const service = await startService()
const { client } = service
const trainer = createTrainer(client)
test.after.always(() => service.close())

const versionsOf = async (model: string) => (await client.ok(client.get(`/ml/shop/${model}/versions`))).versions
const currentOf = async (model: string) =>
  (await versionsOf(model)).find(({ current }: { current: boolean }) => current)
const put = (model: string, body: object, query = '') => client.send('PUT', `/ml/shop/${model}/version${query}`, body)
const train = async (model: string, rows: string, asked: Asked): Promise<number> => {
  await trainer.upload(model, rows)
  return trainer.train(model, asked)
}

/** Points whose class says nothing of where they lie. */
const noise = (rows: number): string =>
  Array.from(
    { length: rows },
    (_, i) => `${(i * 7) % 13},${(i * 5) % 11},${i % 3 === 0 ? 'on' : 'off'},${i % 2}\n`,
  ).join('')

test('a version that is trained with activate 0 is not current, and PUT makes it so', async (t) => {
  t.is(await train('stage', pointsCsv(100), { algo_type: 'LIN' }), 25)
  t.is(await train('stage', pointsCsv(100, 2), { algo_type: 'TREE', more: { activate: 0 } }), 25)
  t.like(await versionsOf('stage'), [
    { version: 2, current: false, staged: true, train_req_state: 25 },
    { version: 1, current: true, staged: undefined },
  ])
  const status = await trainer.statusOf('stage')
  t.is(status.serving, 1)
  t.regex(status.notes.join(), /version 2 is published and not current/)
  t.is((await client.get('/ml/shop/stage')).body.version, 1)
  const { models } = await client.ok(client.get('/ml'))
  t.like(
    models.find(({ model_name }: { model_name: string }) => model_name === 'stage'),
    { version: 1, num_versions: 2 },
  )
  t.is((await put('stage', { version: 2 })).status, 200)
  t.like(await versionsOf('stage'), [
    { version: 2, current: true, staged: undefined },
    { version: 1, current: false, train_req_state: 26 },
  ])
})

test('a first version with activate 0 serves no prediction until it is made current', async (t) => {
  t.is(await train('first', pointsCsv(60), { algo_type: 'LIN', more: { activate: 0 } }), 25)
  const line = { 'schema-name': 'shop', model_name: 'first', input_format: 'CSV', data: '1,2,on' }
  const refused = await client.post('/ml/pred/2', line)
  t.is(refused.status, 404)
  t.regex(refused.text, /model first has no current version: PUT .* with version 1 makes it so/)
  t.is((await client.get('/ml/shop/first')).status, 404)
  const { models } = await client.ok(client.get('/ml'))
  const listed = models.find(({ model_name }: { model_name: string }) => model_name === 'first')
  t.is(listed.version, undefined)
  t.is(listed.num_versions, 1)
  t.is((await client.post('/ml/pred/2', { ...line, version: 1 })).status, 200)
  t.is((await put('first', { version: 1 })).status, 200)
  t.is((await client.post('/ml/pred/2', line)).status, 200)
})

test('with a condition a version becomes current only where it is better on the same rows', async (t) => {
  t.is(await train('better', noise(200), { algo_type: 'LIN' }), 25)
  const worse = { if: 'accuracy', better_than: 'current', by: 0.01 }
  // The current version has learnt from rows of chance, and the new one from points that can be told apart.
  t.is(await train('better', pointsCsv(200), { algo_type: 'TREE', more: { activate: worse } }), 25)
  const [second] = await versionsOf('better')
  t.like(second, { version: 2, current: true, beside: { version: 1 } })
  t.true(second.metrics.accuracy > second.beside.metrics.accuracy + 0.01)
  t.is(second.beside.metrics.rows, second.metrics.rows)
  t.regex((await trainer.recordOf('better')).train_log.log.join('\n'), /on the same rows: it is better by 0.01 or more/)

  t.is(
    await train('better', pointsCsv(200), { algo_type: 'TREE', more: { activate: { if: 'accuracy', by: 0.01 } } }),
    25,
  )
  const [third] = await versionsOf('better')
  t.like(third, { version: 3, current: false, staged: true, beside: { version: 2 } })
  const { notes, serving } = await trainer.statusOf('better')
  t.is(serving, 2)
  t.regex(notes.join('\n'), /accuracy of version 3 is .* it is not better by 0.01 or more/)

  const refused = await put('better', { version: 3, if: 'accuracy', by: 0.01 })
  t.is(refused.status, 409)
  t.regex(refused.text, /not better by 0.01 or more: version 2 stays current/)
  const unmeasured = await put('better', { version: 1, if: 'log_loss' })
  t.is(unmeasured.status, 409)
  t.is((await currentOf('better')).version, 2)
  t.is((await put('better', { version: 3 })).status, 200)
  // Version 3's training measured both, so that the way back has figures as well.
  const back = await put('better', { version: 2, if: 'accuracy', by: 0.5 })
  t.is(back.status, 409)
})

test('figures of the current version are those that its own training told of the same rows', async (t) => {
  const data = pointsCsv(150)
  t.is(await train('same', data, { algo_type: 'TREE', details: { holdout: { share: 0.3 } } }), 25)
  t.is(
    await train('same', data, { algo_type: 'TREE', details: { holdout: { share: 0.3 } }, more: { activate: 0 } }),
    25,
  )
  const [second] = await versionsOf('same')
  // The version in place has learnt from all rows, those held out too, so that it is no worse on them.
  t.true(second.beside.metrics.accuracy >= second.metrics.accuracy)
  t.deepEqual(
    second.beside.metrics.by_label.map(({ label, rows }: { label: number; rows: number }) => [label, rows]),
    second.metrics.by_label.map(({ label, rows }: { label: number; rows: number }) => [label, rows]),
  )
})

test('a version that cannot be compared stays beside the current one, which the status says', async (t) => {
  t.is(await train('apart', pointsCsv(100), { algo_type: 'LIN' }), 25)
  const other = `x,y\n${Array.from({ length: 100 }, (_, i) => `${i},${i % 2}\n`).join('')}`
  await trainer.upload('apart', other)
  const request = {
    'schema-name': 'shop',
    model_name: 'apart',
    algo_type: 'TREE',
    activate: { if: 'accuracy' },
    training_details: { training_source_type: 'FILE', training_source: 'data.csv', input_format: 'CSV', target: 'y' },
  }
  await client.ok(client.post('/ml/train', request))
  t.is(await trainer.ended('apart'), 25)
  t.like(await versionsOf('apart'), [
    { version: 2, current: false, staged: true },
    { version: 1, current: true },
  ])
  t.regex(
    (await trainer.statusOf('apart')).notes.join('\n'),
    /version 1 has no accuracy .*which these data do not have/,
  )
})

test('a version that predicts something else becomes current by force alone', async (t) => {
  t.is(await train('other', pointsCsv(100), { algo_type: 'LIN' }), 25)
  const renamed = pointsCsv(100).replaceAll('red', 'green')
  t.is(await train('other', renamed, { algo_type: 'LIN', more: { activate: 0 } }), 25)
  const refused = await put('other', { version: 2 })
  t.is(refused.status, 409)
  t.regex(refused.text, /version 2 has no label .*as version 1 of model other does, which is current: \?force=1/)
  t.is((await currentOf('other')).version, 1)
  t.is((await put('other', { version: 2 }, '?force=1')).status, 200)
  t.is((await currentOf('other')).version, 2)
})

test('a rollback brings the version back that was current before, and again', async (t) => {
  t.is(await train('back', pointsCsv(60), { algo_type: 'LIN' }), 25)
  const alone = await client.post('/ml/shop/back/rollback', {})
  t.is(alone.status, 409)
  t.is(await train('back', pointsCsv(60), { algo_type: 'TREE' }), 25)
  t.is(await train('back', pointsCsv(60), { algo_type: 'TREE', more: { activate: 0 } }), 25)
  const back = await client.ok(client.post('/ml/shop/back/rollback', {}))
  t.is(back.version, 1)
  t.is((await currentOf('back')).version, 1)
  t.is((await client.ok(client.post('/ml/shop/back/rollback', {}))).version, 2)
  t.is((await client.post('/ml/shop/nosuch/rollback', {})).status, 404)
})

test('a version is copied under the name of another model, once', async (t) => {
  t.is(await train('tried', pointsCsv(60), { algo_type: 'LIN' }), 25)
  const copied = await client.ok(client.post('/ml/shop/tried/versions/1/copy', { to: 'live' }))
  t.is(copied.version, 1)
  t.like(await versionsOf('live'), [{ version: 1, current: true, copy_of: { model_name: 'tried', version: 1 } }])
  const line = { 'schema-name': 'shop', input_format: 'CSV', data: '1,2,on' }
  const labels = await Promise.all(
    ['tried', 'live'].map(
      async (model_name) => (await client.ok(client.post('/ml/pred/2', { ...line, model_name }))).predict_labels,
    ),
  )
  t.is(labels[0], labels[1])
  t.is((await client.ok(client.post('/ml/shop/tried/versions/1/copy', { to: 'live' }))).version, 1)
  t.is((await versionsOf('live')).length, 1)

  t.is(await train('tried', pointsCsv(60, 2), { algo_type: 'TREE' }), 25)
  t.is((await client.ok(client.post('/ml/shop/tried/versions/2/copy', { to: 'live', activate: 0 }))).version, 2)
  t.is((await currentOf('live')).version, 1)
  await client.ok(client.send('DELETE', '/ml/shop/tried'))
  t.is((await put('live', { version: 2 })).status, 200)
  t.is((await client.post('/ml/pred/2', { ...line, model_name: 'live' })).status, 200)
  for (const [body, says] of [
    [{}, /to is missing/],
    [{ to: 'live', activat: 0 }, /activat is not known; did you mean activate\?/],
    [{ to: 'live' }, /cannot be copied to that model itself/],
  ] as const) {
    const refused = await client.post('/ml/shop/live/versions/1/copy', body)
    t.is(refused.status, 400)
    t.regex(refused.text, says)
  }
})

test('copies that come at once each get a number of their own', async (t) => {
  const names = ['one', 'two', 'three', 'four']
  for (const name of names) t.is(await train(name, pointsCsv(40), { algo_type: 'LIN' }), 25)
  const answers = await Promise.all(
    names.map((name) => client.ok(client.post(`/ml/shop/${name}/versions/1/copy`, { to: 'all', activate: 0 }))),
  )
  t.deepEqual(answers.map(({ version }) => version).sort(), [1, 2, 3, 4])
  t.deepEqual(
    (await versionsOf('all')).map(({ copy_of }: { copy_of: { model_name: string } }) => copy_of.model_name).sort(),
    names.toSorted(),
  )
})

test('a PRED attribute asks the version that it names, by number or alias, and follows the alias', async (t) => {
  t.is(await train('served', pointsCsv(60), { algo_type: 'LIN' }), 25)
  t.is(await train('served', pointsCsv(60).replaceAll('red', 'green'), { algo_type: 'LIN', more: { activate: 0 } }), 25)
  const predicted = (name: string, version?: number | string) => ({
    ...{ name, type: 'STRING', opnm: 'PRED', model: 'served', iatr: ['a', 'b', 'colour'], version },
  })
  const posted = {
    schema: 'shop',
    streams: [
      {
        name: 'points',
        type: 1,
        attr: [
          { name: 'a', type: 'DOUBLE' },
          { name: 'b', type: 'DOUBLE' },
          { name: 'colour', type: 'STRING' },
        ],
        catr: [predicted('now'), predicted('second', '2'), predicted('best', 'champion')],
      },
    ],
  }
  const answer = await client.ok(client.post('/stream', posted))
  const error = answer.error.filter((note: string) => note.includes('model'))
  t.regex(
    error.join('\n'),
    /catr\[2\]\.model is model served of schema shop, which has no version champion yet: best stays missing until it has/,
  )
  t.is(error.length, 1)
  await client.ok(put('served', { version: 1, alias: 'champion' }))
  const label = async () => {
    await client.event('shop.points', { a: 0.9, b: 0.9, colour: 'warm' })
    const [{ now, second, best }] = await client.documents('select * from shop.points limit 1')
    return [now, second, best]
  }
  t.deepEqual(await label(), ['red', 'green', 'red'])
  await client.ok(put('served', { version: 2, alias: 'champion' }))
  t.deepEqual(await label(), ['red', 'green', 'green'])
  const { streams } = await client.ok(client.get('/stream/shop/schema'))
  t.deepEqual(
    streams[0].catr.map(({ version }: { version?: number | string }) => version),
    [undefined, '2', 'champion'],
  )
  const twice = structuredClone(posted)
  Object.assign(twice.streams[0]?.catr[0] ?? {}, { version: '!' })
  const refused = await client.send('PUT', '/stream', twice)
  t.is(refused.status, 400)
  t.regex(refused.text, /catr\[0\]\.version: must be the number of a version, from 1, or an alias/)
})

for (const [activate, says] of [
  [2, /activate: must be 1, 0 or/],
  [{}, /activate.if: is missing/],
  [{ if: 'acuracy' }, /activate.if: must be one of accuracy/],
  [{ if: 'auc', better_than: 'champion' }, /activate.better_than: must be ..current/],
  [{ if: 'auc', by: -1 }, /activate.by: must be a number from 0/],
] as const)
  test(`activate ${JSON.stringify(activate)} is refused`, async (t) => {
    const refused = await client.post('/ml/train', requestOf('bad', { algo_type: 'LIN', more: { activate } }))
    t.is(refused.status, 400)
    t.regex(refused.text, says)
  })
