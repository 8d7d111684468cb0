import { join } from 'node:path'
import test from 'ava'
import { createIdempotency, nameOfBatch, nameOfEvent } from '../../../activities/ingest/idempotency.ts'
import { createLmdbLog } from '../../../infra/log/embedded/log.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

test('keys that an older version kept are known as what they were: those of batches, those of events', async (t) => {
  const { log } = createLmdbLog({ path: join(temporaryFolder(), 'log'), maxBytes: 1e6 })
  const [ofBatch, ofEvent] = ['{"errcode":0,"accepted":2,"rejected":0,"errors":[]}', '{"errcode":0,"_pk":7}']
  const former = [
    { key: 'batch', answer: ofBatch, seq: 1 },
    { key: 'event', answer: ofEvent, seq: 2 },
  ]
  await log.append('s.a', Buffer.from('{}\n'), 1, former)
  const { first } = createIdempotency('s.a', log)
  t.deepEqual(['batch', 'event'].map(nameOfBatch).map(first), [ofBatch, undefined])
  t.deepEqual(['batch', 'event'].map(nameOfEvent).map(first), [undefined, ofEvent])
  await log.close()
})
