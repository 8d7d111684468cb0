import { join } from 'node:path'
import { Fault } from '../../../../base/faults.ts'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import { withSmallDisk } from '../../../support/small-disk.ts'

const title = 'a full disk refuses lines and keeps nothing of them, what is there can be fed, and room brings all back'

withSmallDisk(title, 128, async (t, disk) => {
  const path = join(disk.folder, 'log')
  const { log, source } = createLmdbLog({ path, maxBytes: 2 ** 40 })
  const first = await log.append('s.a', Buffer.from('kept\n'), 1)
  disk.fill(8)
  const faults = await Promise.all(
    ['s.a', 's.b', 's.a'].map((queue) =>
      t.throwsAsync(log.append(queue, Buffer.from('not kept\n'), 1), { instanceOf: Fault }),
    ),
  )
  t.deepEqual(
    faults.map((fault) => [fault?.kind, fault?.details.retryAfter]),
    Array.from({ length: 3 }, () => ['limited', 5]),
  )
  t.is(source.bytes(), 'kept\n'.length)
  t.deepEqual([...source.chunks('s.a')].length, 1)
  await source.begin('s.a', { first, last: first })
  await source.finish('s.a', { first, last: first })
  t.is(source.bytes(), 0)

  disk.free()
  await log.append('s.b', Buffer.from('again\n'), 1)
  await log.close()
  const reopened = createLmdbLog({ path, maxBytes: 2 ** 40 })
  t.deepEqual(
    [...reopened.source.chunks('s.b')].map(({ lines }) => lines.toString()),
    ['again\n'],
  )
  t.deepEqual([...reopened.source.chunks('s.a')], [])
  await reopened.log.close()
})
