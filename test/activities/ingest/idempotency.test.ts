import { join } from 'node:path'
import test from 'ava'
import {
  answerTo,
  answerWithHash,
  createIdempotency,
  hashOf,
  nameOfBatch,
  nameOfEvent,
} from '../../../activities/ingest/idempotency.ts'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('a batch and an event that bear one key are answered each with its own', async (t) => {
  const { log } = createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 1e6 })
  await log.append('s.a', Buffer.from('{}\n'), 1, [{ key: nameOfBatch('k'), answer: 'of the batch', seq: 1 }])
  const { first } = createIdempotency('s.a', log)
  t.deepEqual([nameOfBatch('k'), nameOfEvent('k')].map(first), ['of the batch', undefined])
  await log.append('s.a', Buffer.from('{}\n'), 1, [{ key: nameOfEvent('k'), answer: 'of the event', seq: 2 }])
  t.deepEqual([nameOfBatch('k'), nameOfEvent('k')].map(first), ['of the batch', 'of the event'])
  await log.close()
})

test('an answer is given to the body that it was kept for; one of an earlier release, without a hash, to any', async (t) => {
  const [one, other] = [await hashOf(Buffer.from('{"n":1}')), await hashOf(Buffer.from('{"n":2}'))]
  const kept = answerWithHash('{"errcode":0}', one)
  t.is(answerTo(kept, one), '{"errcode":0}')
  t.is(answerTo(kept, undefined), '{"errcode":0}')
  t.throws(() => answerTo(kept, other), { message: /another body/ })
  t.is(answerTo('{"errcode":0}', other), '{"errcode":0}')
  t.is(answerWithHash('', one), '')
})
