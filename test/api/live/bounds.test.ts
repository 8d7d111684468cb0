import test from 'ava'
import { openEventStream } from '../../support/requests/event-stream.ts'
import { startService } from '../../support/service.ts'

const { client, url, close } = await startService({ MAX_QUERY_ROWS: '5000' })
test.after.always(close)

test('the beginning of a live stream is looked for within the bounds of queries', async (t) => {
  const attributes = [{ name: 'n', type: 'LONG' }]
  await client.register({ schema: 'bounds', streams: [{ name: 'st', type: 1, swsz: 3_000_000, attr: attributes }] })
  await client.lines(
    'bounds.st',
    Array.from({ length: 1_000 }, (_, n) => ({ n })),
  )
  const stream = await openEventStream(url, '/stream/bounds/st/live?last=3')
  await stream.until('the latest three', 3)
  t.deepEqual(
    stream.data().map(({ n }) => n),
    [997, 998, 999],
  )
  stream.close()
  for (let sent = 1_000; sent < 21_000; sent += 10_000) {
    await client.lines(
      'bounds.st',
      Array.from({ length: 10_000 }, (_, n) => ({ n: sent + n })),
    )
  }
  for (const parameters of ['last=1', 'after=1']) {
    const refused = await client.get(`/stream/bounds/st/live?${parameters}`)
    t.is(refused.status, 400, refused.text)
    t.regex(refused.body.error[0], /MAX_QUERY_ROWS/)
  }
  const now = await openEventStream(url, '/stream/bounds/st/live')
  await client.event('bounds.st', { n: -1 })
  await now.until('an event that comes', 1)
  now.close()
})
