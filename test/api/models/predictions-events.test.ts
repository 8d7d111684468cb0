import test from 'ava'
import { signModel, sumModel } from '../../activities/prediction/models.ts'
import { openModelShelf } from '../../support/model-shelf.ts'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const service = await startService()
const { client } = service
const shelf = await openModelShelf({ DATA_DIR: service.folder })
test.after.always(async () => {
  await service.close()
  await shelf.close()
})

const attr = [
  { name: 'age', type: 'DOUBLE' },
  { name: 'city', type: 'STRING' },
  { name: 'cm', type: 'DOUBLE' },
]
const inputs = ['age', 'city', 'height']
const height = { name: 'height', type: 'DOUBLE', opnm: 'DIV', iatr: ['cm', 'hundred'] }
const hundred = { name: 'hundred', type: 'LONG', opnm: 'COPY_VAL', iatr: [100] }
const pred = (name: string, type: string | number, model: string, iatr: readonly string[] = inputs) => ({
  name,
  type,
  opnm: 'PRED',
  algo: 'SVM',
  attr_type: 'HYB',
  model,
  iatr,
})

let schemas = 0
/** A schema of its own for each test; the name of its one stream. */
async function stream(catr: readonly unknown[]): Promise<string> {
  const schema = `pred${++schemas}`
  await client.register({ schema, streams: [{ name: 'people', type: 1, swsz: 0, attr, catr }] })
  return schema
}

const failures = async (schema: string): Promise<number> => {
  const { text } = await client.get('/metrics')
  return Number(
    new RegExp(`weir_prediction_failures_total\\{stream="${schema}\\.people"\\} (\\d+)`).exec(text)?.[1] ?? 0,
  )
}

test('an event is stored with what its model predicts, between what is computed before and after it', async (t) => {
  const schema = await stream([
    { name: 'twice', type: 'DOUBLE', opnm: 'MUL', iatr: ['sum', 2] },
    pred('label', 'STRING', 'sign'),
    pred('sum', 11, 'sum'),
    { name: 'whole', type: 'LONG', opnm: 'ADD', iatr: ['cut', 1] },
    pred('cut', 'LONG', 'sum'),
    height,
    hundred,
  ])
  await shelf.publish(schema, 'sum', sumModel())
  await shelf.publish(schema, 'sign', signModel())
  await client.event(`${schema}.people`, { age: 75, city: 'Rome', cm: 200 })
  const [event] = await client.documents(`select * from ${schema}.people`)
  t.like(event, { height: 2, sum: 2.5, twice: 5, cut: 2, whole: 3, label: 'old' })
})

test('an attribute of an algorithm that is not there is refused where it is new', async (t) => {
  const posted = (algo: string) => ({
    schema: 'unknown',
    streams: [{ name: 'people', type: 1, attr, catr: [{ ...pred('label', 'STRING', 'sign', ['age']), algo }] }],
  })
  const { status, body } = await client.post('/stream', posted('FOO'))
  t.is(status, 400)
  t.regex(
    body.error[0],
    /^streams\[0\].catr\[0\].algo: unknown algorithm 'FOO'; known are SVM, LIN, PROJ_LIN, TREE, KMEANS, IE/,
  )
  await client.register(posted('ie_sent'))
  const { status: replaced } = await client.send('PUT', '/stream', posted('BAR'))
  t.is(replaced, 400)
})

test('the lines of a batch get what single events get, each its own', async (t) => {
  const schema = await stream([pred('sum', 'DOUBLE', 'sum'), height, hundred])
  await shelf.publish(schema, 'sum', sumModel())
  const events = Array.from({ length: 700 }, (_, i) => ({ age: i, city: i % 2 ? 'Rome' : 'Bern', cm: 150, n: i }))
  const answer = await client.lines(`${schema}.people`, [
    ...events.slice(0, 300),
    { age: 'x' },
    ...events.slice(300),
    7,
  ])
  t.like(answer, { accepted: 700, rejected: 2 })
  t.deepEqual(
    answer.errors.map(({ line }: { line: number }) => line),
    [301, 702],
  )
  const stored = await client.documents(`select * from ${schema}.people limit 1000`)
  t.is(stored.length, 700)
  for (const { n, sum } of stored) t.true(Math.abs(sum - (n / 50 - 1 + (n % 2))) < 1e-12, `${n}: ${sum}`)
})

test('repeated keys count once in a batch with predictions, and bad lines do not take them', async (t) => {
  const schema = await stream([pred('sum', 'DOUBLE', 'sum'), height, hundred])
  await shelf.publish(schema, 'sum', sumModel())
  const line = { _id: 'a', age: 100, city: 'Rome', cm: 200 }
  const answer = await client.lines(`${schema}.people`, [{ _id: 'a', age: 'bad' }, line, line])
  t.like(answer, { accepted: 2, rejected: 1 })
  const twice = await Promise.all([1, 2, 3].map(() => client.event(`${schema}.people`, { ...line, _id: 'b' })))
  t.is(new Set(twice).size, 1)
  t.is(await client.count(`select count(*) from ${schema}.people`), 2)
})

test('a model that appears later, and one that changes, is used without a registration', async (t) => {
  const schema = await stream([pred('label', 'STRING', 'sign'), height, hundred])
  const label = async () => {
    await client.event(`${schema}.people`, { age: 75, city: 'Rome', cm: 200 })
    const [newest] = await client.documents(`select * from ${schema}.people limit 1`)
    return newest.label
  }
  t.is(await label(), undefined)
  t.is(await failures(schema), 0)
  await shelf.publish(schema, 'sign', signModel())
  await until('the model', async () => (await label()) === 'old', 20_000)
  await shelf.publish(schema, 'sign', signModel(['no', 'yes']))
  await until('the new model', async () => (await label()) === 'yes', 20_000)
  await shelf.remove(schema, 'sign')
  await until('no model', async () => (await label()) === undefined, 20_000)
})

test('an event on which the model fails is stored without the attribute, and counted', async (t) => {
  const schema = await stream([pred('sum', 'DOUBLE', 'sum'), pred('broken', 'DOUBLE', 'broken'), height, hundred])
  await shelf.publish(schema, 'sum', sumModel())
  await shelf.publish(schema, 'broken', Buffer.from('no model'))
  const gone = await shelf.publish(schema, 'gone', sumModel())
  await shelf.objects.remove('weir_models', gone.key)
  const answer = await client.lines(`${schema}.people`, [
    { age: 100, city: 'Rome', cm: 200 },
    { age: 100, city: 'Rome' },
  ])
  t.like(answer, { accepted: 2, rejected: 0 })
  const stored = await client.documents(`select * from ${schema}.people`)
  t.deepEqual(
    stored.map(({ sum }) => sum),
    [2, 3],
  )
  t.true(stored.every((event) => !('broken' in event)))
  t.is(await failures(schema), 2)
})

test('an attribute of the wrong type is refused as ever, and not predicted away', async (t) => {
  const schema = await stream([pred('sum', 'DOUBLE', 'sum'), height, hundred])
  await shelf.publish(schema, 'sum', sumModel())
  const { status, text } = await client.post(`/stream/${schema}/people`, { age: 'old' })
  t.is(status, 400)
  t.regex(text, /age: expected/)
})
