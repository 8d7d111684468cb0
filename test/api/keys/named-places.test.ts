/** Schemas and trainings name things beyond their own place: a key needs `read` or `train` there, too. */
import test from 'ava'
import { startService } from '../../support/service.ts'
import { until } from '../../support/until.ts'

const ADMIN_KEY = 'the-key-of-the-one-who-may-do-all'
const { client, close } = await startService({ API_KEYS: 'require', ADMIN_KEY })
test.after.always(close)

const admin = { 'x-api-key': ADMIN_KEY }
const keyOf = async (scopes: readonly string[], on?: readonly string[]) => {
  const { key } = await client.ok(client.post('/keys', { name: 'k', scopes, ...(on && { on }) }, admin))
  return { 'x-api-key': key as string }
}

const reference = (more: object = {}) => ({
  name: 'r',
  rstm: 'hr.people',
  jqry: { cond: ['_pk'], args: ['k'], cmp: ['EQ'] },
  ratr: ['_pk'],
  iatr: ['found'],
  ...more,
})
const withReference = (schema: string, references: readonly object[], more: readonly object[] = []) => ({
  schema,
  streams: [{ name: 'x', type: 'input', swsz: 0, attr: [{ name: 'k', type: 'STRING' }], refr: references }, ...more],
})

test.before(async () => {
  await client.ok(client.post('/db/hr/table', { table_name: 'people', table_type: 1, key_type: 1, key_sz: 24 }, admin))
  await client.ok(client.post('/db/hr/people/doc', { _pk: 'zz', doc: { salary: 7 } }, admin))
})

test.serial('a reference to a table takes read on its database, at registration, edit and dry run', async (t) => {
  const mine = await keyOf(['read', 'write', 'define'], ['schema:shop'])
  for (const path of ['/stream', '/stream?dry=1']) {
    const refused = await client.post(path, withReference('shop', [reference()]), mine)
    t.is(refused.status, 403, path)
    t.regex(refused.body.error[0], /db:hr/)
  }
  // Nothing tells whether the table is there.
  const absent = await client.post('/stream', withReference('shop', [reference({ rstm: 'hr.nothing' })]), mine)
  t.is(absent.status, 403)
  await client.ok(client.post('/stream', withReference('shop', []), mine))
  t.is((await client.send('PUT', '/stream', withReference('shop', [reference()]), mine)).status, 403)
  const added = { schema: 'shop', streams: [{ ...withReference('shop', [reference()]).streams[0], name: 'y' }] }
  t.is((await client.send('PUT', '/stream/shop', added, mine)).status, 403)
})

test.serial('read on the database, too, does', async (t) => {
  const both = await keyOf(['read', 'write', 'define'], ['schema:shop2', 'db:hr'])
  await client.ok(client.post('/stream', withReference('shop2', [reference()]), both))
  const noRead = await keyOf(['define'], ['schema:shop3', 'db:hr'])
  const refused = await client.post('/stream', withReference('shop3', [reference()]), noRead)
  t.is(refused.status, 403)
  t.regex(refused.body.error[0], /read/)
  const unbound = await keyOf(['define'])
  t.is((await client.post('/stream', withReference('shop3', [reference()]), unbound)).status, 403)
})

test.serial('a schema that stands keeps its references, and takes no more from the table', async (t) => {
  await client.ok(client.post('/stream', withReference('kept', [reference()]), admin))
  const mine = await keyOf(['read', 'write', 'define'], ['schema:kept'])
  const other = { name: 'z', type: 'input', swsz: 0, attr: [{ name: 'n', type: 'LONG' }] }
  const edited = withReference('kept', [reference()], [other])
  await client.ok(client.send('PUT', '/stream', edited, mine))
  const more = withReference('kept', [reference({ ratr: ['_pk', 'salary'], iatr: ['found', 'salary'] })], [other])
  t.is((await client.send('PUT', '/stream', more, mine)).status, 403)
  t.is((await client.send('PUT', '/stream', more, admin)).status, 200)
})

const training = (details: object, more: object = {}) => ({
  'schema-name': 'mine',
  model_name: 'm',
  algo_type: 'LIN',
  attr_type: 'NUM',
  attr_list: [
    { name: 'a', position: 0 },
    { name: 'b', position: 1 },
  ],
  training_details: { input_format: 'CSV', target_idx: 1, ...details },
  ...more,
})
const streamSource = { training_source_type: 'STREAM', 'stream-name': 'x' }

test.serial('a file held out of a training is read from no bucket but those of the key', async (t) => {
  await client.ok(client.post('/brs/bucket', { bucket_name: 'payroll' }, admin))
  await client.ok(client.post('/stream', withReference('mine', []), admin))
  const mine = await keyOf(['train'], ['schema:mine'])
  for (const details of [
    { ...streamSource, bucket_name: 'payroll', holdout: { file: '2026/salaries.csv' } },
    {
      training_source_type: 'FILE',
      training_source: 'm__mine__own.csv',
      is_src_global: 1,
      holdout: { file: 'delay__air__july.csv' },
    },
    { training_source_type: 'FILE', training_source: 'own.csv', holdout: { file: '_a__b.csv' } },
  ]) {
    const refused = await client.post('/ml/train', training(details), mine)
    t.is(refused.status, 403, JSON.stringify(details))
    t.regex(refused.body.error[0], /bucket:/)
  }
  const both = await keyOf(['train'], ['schema:mine', 'bucket:payroll'])
  const allowed = { ...streamSource, bucket_name: 'payroll', holdout: { file: '2026/salaries.csv' } }
  t.is((await client.post('/ml/train', training(allowed), both)).status, 200)
  await until(
    'its end',
    async () => (await client.send('GET', '/ml/mine/m/status', undefined, admin)).body.train_req_state < 20,
  )
})

test.serial('a bucket with keys asks for them for a file held out, too; the hidden one is refused', async (t) => {
  await client.ok(client.post('/brs/bucket', { bucket_name: 'locked', access_key: 'a', secret_key: 's3cret' }, admin))
  const locked = { ...streamSource, bucket_name: 'locked', holdout: { file: 'f.csv' } }
  t.is((await client.post('/ml/train', training(locked), admin)).status, 403)
  for (const details of [
    { ...streamSource, bucket_name: 'weir_models', holdout: { file: 'f.csv' } },
    { training_source_type: 'BUCKET', bucket_name: 'weir_models' },
    { training_source_type: 'FILE', training_source: 'x', bucket_name: 'weir_models' },
  ]) {
    const refused = await client.post('/ml/train', training(details), admin)
    t.is(refused.status, 400, JSON.stringify(details))
    t.regex(refused.text, /weir_models/)
  }
})

test.serial("another schema's published model is no training file, though the keys are one", async (t) => {
  const other = training(
    { training_source_type: 'FILE', training_source: 'absent.csv' },
    { 'schema-name': 'air__v2', model_name: 'delay' },
  )
  await client.ok(client.post('/ml/train', other, admin))
  const air = await keyOf(['train', 'read'], ['schema:air'])
  const file = (training_source: string) =>
    training({ training_source_type: 'FILE', training_source }, { 'schema-name': 'air', model_name: 'delay' })
  for (const name of ['v2', 'v2.traindetails']) {
    t.is((await client.post('/ml/train', file(name), air)).status, 403, name)
    const asked = { 'schema-name': 'air', model_name: 'delay', data_type: 1, input_format: 'CSV', data: name }
    t.is((await client.post('/ml/pred/1', asked, air)).status, 403, name)
    const upload = { 'schema-name': 'air', 'stream-name': 'x', model_name: 'delay', duration_sec: 1, file_name: name }
    t.is((await client.post('/stream/upload_data', upload, air)).status, 403, name)
  }
  t.is((await client.post('/ml/train', file('v3'), air)).status, 200)
  // Of a schema with __ in its name no file's key tells whose it is.
  const odd = await keyOf(['train', 'read'], ['schema:air__v2'])
  const own = training(
    { training_source_type: 'FILE', training_source: 'f.csv' },
    { 'schema-name': 'air__v2', model_name: 'late' },
  )
  t.is((await client.post('/ml/train', own, odd)).status, 403)
})
