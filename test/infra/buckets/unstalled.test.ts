import { PassThrough, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { unstalled } from '../../../infra/buckets/s3/unstalled.ts'

const failure = () => new Error('nothing came')
const pieces = Array.from({ length: 50 }, (_, n) => Buffer.alloc(10_000, n))
const bytes = Buffer.concat(pieces)

test('all bytes pass, in their order', async (t) => {
  t.deepEqual(await buffer(unstalled(Readable.from(pieces), 100, failure)), bytes)
})

test('a source that brings nothing for too long fails, at its begin and amid it', async (t) => {
  for (const before of [[], pieces.slice(0, 1)]) {
    const source = new PassThrough()
    for (const piece of before) source.write(piece)
    await t.throwsAsync(buffer(unstalled(source, 100, failure)), { message: 'nothing came' })
    t.true(source.destroyed)
  }
})

test('a source that brings little, and often enough, does not', async (t) => {
  async function* slowly() {
    for (const piece of pieces.slice(0, 8)) {
      await sleep(50)
      yield piece
    }
  }
  t.is((await buffer(unstalled(Readable.from(slowly()), 400, failure))).length, 80_000)
})

test('nor does one whose reader rests for longer', async (t) => {
  const stream = unstalled(Readable.from(pieces), 50, failure)
  const read: Buffer[] = []
  for await (const piece of stream) {
    if (read.length % 20 === 0) await sleep(150)
    read.push(piece)
  }
  t.deepEqual(Buffer.concat(read), bytes)
})

test('who stops reading ends the source', async (t) => {
  const source = Readable.from(pieces)
  for await (const _ of unstalled(source, 100, failure)) break
  t.true(source.destroyed)
})

test('so does who goes away before the first read', async (t) => {
  const source = new PassThrough()
  unstalled(source, 5_000, failure).destroy()
  await sleep(20)
  t.true(source.destroyed)
})

test('what the source fails of is told', async (t) => {
  const source = new PassThrough()
  source.write('some')
  const read = buffer(unstalled(source, 5_000, failure))
  source.destroy(new Error('the line is cut'))
  await t.throwsAsync(read, { message: 'the line is cut' })
})
