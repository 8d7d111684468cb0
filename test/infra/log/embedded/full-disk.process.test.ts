import { join } from 'node:path'
import { Fault } from '../../../../base/faults.ts'
import { createLmdbLog } from '../../../../infra/log/embedded/log.ts'
import type { TurnCommit } from '../../../../infra/log/port.ts'
import { withSmallDisk } from '../../../support/small-disk.ts'
import { turnOf } from '../../../support/turn.ts'

const title = 'a full disk refuses lines and keeps nothing of them, what is there can be fed, and room brings all back'

withSmallDisk(title, 128, async (t, disk) => {
  const path = join(disk.folder, 'log')
  const { log, turns, source, rules, trouble } = createLmdbLog({ path, maxBytes: 2 ** 40 })
  const remember = (value: string): TurnCommit => ({
    lines: [{ queue: 's.made', lines: Buffer.from('made\n'), rows: 1 }],
    changes: [{ space: 's.a/rule:1', key: 'k', isItem: false, seq: 1, value }],
  })
  const first = await turns.commit(turnOf('s.a', Buffer.from('kept\n'), 1, remember('kept')))
  t.is(trouble(), undefined)
  disk.fill(8)
  t.regex(trouble() ?? '', /disk may be full: \d+ bytes are free/)
  const faults = await Promise.all(
    ['s.a', 's.b', 's.a'].map((queue) =>
      t.throwsAsync(turns.commit(turnOf(queue, Buffer.from('not kept\n'), 1, remember('not kept'))), {
        instanceOf: Fault,
      }),
    ),
  )
  t.deepEqual(
    faults.map((fault) => [fault?.kind, fault?.details.retryAfter]),
    Array.from({ length: 3 }, () => ['limited', 5]),
  )
  t.deepEqual([source.bytes('s.a'), source.bytes('s.made')], ['kept\n'.length, 'made\n'.length])
  t.is(rules.value('s.a/rule:1', 'k'), 'kept')
  t.deepEqual([...source.chunks('s.a')].length, 1)
  await source.begin('s.a', { first, last: first })
  await source.finish('s.a', { first, last: first })
  t.is(source.bytes('s.a'), 0)

  t.regex(trouble() ?? '', /disk may be full/)

  disk.free()
  await turns.commit(turnOf('s.b', Buffer.from('again\n'), 1, remember('again')))
  t.is(trouble(), undefined)
  await log.close()
  const reopened = createLmdbLog({ path, maxBytes: 2 ** 40 })
  t.deepEqual(
    [...reopened.source.chunks('s.b')].map(({ lines }) => lines.toString()),
    ['again\n'],
  )
  t.deepEqual([...reopened.source.chunks('s.a')], [])
  t.is(reopened.rules.value('s.a/rule:1', 'k'), 'again')
  await reopened.log.close()
})
