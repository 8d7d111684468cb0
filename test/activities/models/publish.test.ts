import { buffer } from 'node:stream/consumers'
import test from 'ava'
import { createModelFiles } from '../../../activities/models/model-files.ts'
import { publish, removeVersion } from '../../../activities/models/publish.ts'
import { createVersionStore } from '../../../activities/models/stores/versions.ts'
import { hiddenBucket } from '../../../activities/objects/buckets.ts'
import { modelBucket } from '../../../activities/objects/model-objects.ts'
import { openFolderStore } from '../../../infra/buckets/folder/store.ts'
import { createEmbeddedClickHouse } from '../../../infra/clickhouse/embedded/client.ts'
import { migrate } from '../../../infra/clickhouse/migrate.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const clickhouse = createEmbeddedClickHouse({ path: temporaryFolder() })
await migrate(clickhouse)
const { buckets, objects, close } = await openFolderStore(temporaryFolder())
for (const bucket of [modelBucket, hiddenBucket]) await buckets.create(bucket)
test.after.always(async () => {
  await close()
  await clickhouse.close()
})
const versions = createVersionStore(clickhouse)
const files = createModelFiles(objects)

/** A model of two versions, the second of them current. */
async function modelOf(name: string) {
  const key = { schema: 'shop', model: name }
  const made = []
  for (const number of [1, 2]) {
    const training = { ...key, training: number }
    await files.write(training, 'model.onnx', Buffer.from(`file ${number}`))
    const times = { start_us: number, end_us: number }
    const version = { number, key: files.keyOf(training, 'model.onnx'), algorithm: 'TEST', ...times, metrics: {} }
    await publish({ objects, files, versions }, key, version)
    made.push(version)
  }
  return { key, made }
}

test('a version that one process removes while another makes it current is current, with its file', async (t) => {
  const { key, made } = await modelOf('raced')
  const [first] = made
  if (first === undefined) return t.fail()
  const raced = {
    ...versions,
    makeCurrent: async (...args: Parameters<typeof versions.makeCurrent>) => {
      await removeVersion({ files, versions }, key, first)
      await versions.makeCurrent(...args)
    },
  }
  await publish({ objects, files, versions: raced }, key, first)
  t.is((await versions.current(key))?.number, 1)
  t.is(Buffer.from(await files.load(first.key)).toString(), 'file 1')
})

test('a version that one process makes current while another removes it stays, with its file', async (t) => {
  for (const at of ['before its files go', 'behind its files'] as const) {
    const { key, made } = await modelOf(`raced ${at}`)
    const [first] = made
    if (first === undefined) return t.fail()
    const raced = {
      ...versions,
      list: async (...args: Parameters<typeof versions.list>) => {
        const listed = await versions.list(...args)
        if (at === 'before its files go' && !listed[0]?.current) await publish({ objects, files, versions }, key, first)
        return listed
      },
      remove: async (...args: Parameters<typeof versions.remove>) => {
        if (at === 'behind its files') await versions.makeCurrent(key, first)
        await versions.remove(...args)
      },
    }
    t.false(await removeVersion({ files, versions: raced }, key, first), at)
    t.is((await versions.current(key))?.number, 1)
    t.is(Buffer.from(await files.load(first.key)).toString(), 'file 1')
  }
})

test('a version that has become current is not removed', async (t) => {
  const { key, made } = await modelOf('current')
  const [first, second] = made
  if (first === undefined || second === undefined) return t.fail()
  t.false(await removeVersion({ files, versions }, key, second))
  t.true(await removeVersion({ files, versions }, key, first))
  t.is((await versions.list(key)).length, 1)
  const object = await objects.get('ml_bucket_info', 'current__shop')
  t.is(object && (await buffer(object.stream)).toString(), 'file 2')
})
