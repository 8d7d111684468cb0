import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import test from 'ava'
import { getRange } from '../../../activities/objects/ranges.ts'
import { Fault } from '../../../base/faults.ts'
import type { ObjectStore } from '../../../infra/buckets/store.ts'

/** An object that is replaced between the first `times` questions about it and the reading that follows. */
function replaced(times: number) {
  const opened: Readable[] = []
  let version = 0
  const objects: Pick<ObjectStore, 'stat' | 'get'> = {
    stat: async () => ({ size: 10, version: String(version) }),
    get: async () => {
      if (version < times) version++
      const stream = Readable.from([`version ${version}`])
      opened.push(stream)
      return { size: 10, version: String(version), stream }
    },
  }
  return { objects, opened }
}

test('the part that is read belongs to the version that it was chosen from', async (t) => {
  const { objects, opened } = replaced(2)
  const chosen: string[] = []
  const part = await getRange(objects, 'b', 'k', ({ version }) => {
    chosen.push(version)
    return { offset: 1, length: 2 }
  })
  t.deepEqual(chosen, ['0', '1', '2'])
  t.like(part, { version: '2', range: { offset: 1, length: 2 } })
  t.is(part && (await text(part.stream)), 'version 2')
  t.deepEqual(
    opened.map((stream) => stream.destroyed),
    [true, true, true],
  )
})

test('an object that is replaced without end is given up, with nothing left open', async (t) => {
  const { objects, opened } = replaced(Infinity)
  const error = await t.throwsAsync(
    getRange(objects, 'b', 'k', () => undefined),
    { instanceOf: Fault },
  )
  t.is(error?.kind, 'conflict')
  t.true(opened.length < 10 && opened.every((stream) => stream.destroyed))
})
