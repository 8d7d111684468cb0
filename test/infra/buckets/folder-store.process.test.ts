import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import test from 'ava'
import { openFolderStore } from '../../../infra/buckets/folder/store.ts'
import { type Harness, keysIn, streamOf, temporaryFolder, textOf } from './harness.ts'
import { storeCases } from './store-cases.ts'

const root = mkdtempSync(join(tmpdir(), 'weir-buckets-'))
test.after.always(() => rmSync(root, { recursive: true, force: true }))
let places = 0
const harness: Harness = { newPlace: () => ({ folder: join(root, String(places++)) }), keysArePaths: false }

for (const { title, run } of storeCases) {
  test(`folder: ${title}`, (t) => run(t, harness))
}

test('an object is a file that people recognise', async (t) => {
  const folder = temporaryFolder(t)
  const { buckets, objects } = await openFolderStore(folder)
  await buckets.create('ml_bucket_info')
  for (const key of ['m__s__flights.csv', 'Dir/x', '.x']) await objects.put('ml_bucket_info', key, streamOf('v'))
  t.deepEqual(readdirSync(join(folder, 'ml_bucket_info')).sort(), ['%2ex', '%44ir%2fx', 'm__s__flights.csv'])
})

test('files that are no objects are neither listed nor read', async (t) => {
  const folder = temporaryFolder(t)
  const { buckets, objects } = await openFolderStore(folder)
  await buckets.create('b')
  for (const name of ['Upper', '%zz', '%41%', '.swp', 'a+']) await writeFile(join(folder, 'b', name), 'v')
  await mkdir(join(folder, 'b', 'folder'))
  await mkdir(join(folder, 'not.a.bucket'))
  await writeFile(join(folder, 'file'), 'v')
  t.deepEqual(await keysIn(objects, 'b'), [])
  t.is(await textOf(objects, 'b', 'Upper'), undefined)
  t.deepEqual(await buckets.list(), ['b'])
})

test('opening a store removes what dead processes left, and nothing of living ones', async (t) => {
  const folder = temporaryFolder(t)
  const scratch = join(folder, '.scratch')
  await mkdir(scratch, { recursive: true })
  const left = [`${hostname()}@999999999@r@0`, `${hostname()}@${process.pid}@earlier@0`, 'elsewhere@1@r@1', 'junk']
  const kept = [`${hostname()}@${process.ppid}@r@0`, 'elsewhere@1@r@0']
  for (const name of [...left, ...kept]) await writeFile(join(scratch, name), 'half an object')
  const dayBefore = new Date(Date.now() - 25 * 3600 * 1000)
  for (const name of ['elsewhere@1@r@1', 'junk']) await utimes(join(scratch, name), dayBefore, dayBefore)
  await openFolderStore(folder)
  t.deepEqual((await readdir(scratch)).sort(), kept.sort())
})

test('opening a store a second time leaves a put under way alone', async (t) => {
  const folder = temporaryFolder(t)
  const { buckets, objects } = await openFolderStore(folder)
  await buckets.create('b')
  const content = new Readable({ read() {} })
  content.push('first ')
  const putting = objects.put('b', 'k', content)
  await openFolderStore(folder)
  content.push('second')
  content.push(null)
  await putting
  t.is(await textOf(objects, 'b', 'k'), 'first second')
  t.deepEqual(await readdir(join(folder, '.scratch')), [])
})
