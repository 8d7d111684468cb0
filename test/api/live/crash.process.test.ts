import { setTimeout as sleep } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { type EventStream, openEventStream } from '../../support/requests/event-stream.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { until } from '../../support/until.ts'

const settings = { DATA_DIR: temporaryFolder() }
let service: ServiceProcess = await spawnService(settings)
test.after.always(() => service.end('SIGKILL'))

const attr = [{ name: 'key', type: 'STRING' }]
const fqry = { name: { query: [{ key: 'key', cmp_op: 5, val: '' }] } }
const schema = {
  schema: 'live',
  streams: [
    { name: 's', type: 1, swsz: 0, attr, fltr: [{ name: 'f', fqry, fatr: ['key'], ostm: 'copies' }] },
    { name: 'copies', type: 2, swsz: 0, inpt: ['s'], attr },
  ],
}

/** A reader that comes back behind the last event that it has, whenever its connection ends; `cuts` tells when it ends it. */
function createReader(stream: string, last: string, cuts: () => boolean) {
  const got: { id: string; key: string }[] = []
  let isOver = false
  let open: EventStream | undefined
  async function readOn(): Promise<void> {
    let from = last
    while (!isOver) {
      try {
        open = await openEventStream(service.url, `/stream/live/${stream}/live`, { headers: { 'Last-Event-ID': from } })
        const reading = open
        await until('the end of a connection', () => reading.isEnded() || isOver || cuts(), 600_000)
      } catch {
        await sleep(20)
      }
      open?.close()
      for (const { id = '', data = '' } of open?.named('event') ?? []) {
        got.push({ id, key: JSON.parse(data).key })
        from = id
      }
      open = undefined
    }
  }
  const reading = readOn()
  return {
    got,
    count: (): number => got.length + (open?.named('event').length ?? 0),
    end: async (): Promise<void> => {
      isOver = true
      await reading
    },
  }
}

test.serial(
  'readers have each acknowledged event once and in one order, however often they or the service end',
  async (t) => {
    t.timeout(750_000)
    await service.client.register(schema)
    const first = await openEventStream(service.url, '/stream/live/s/live?last=1')
    await service.client.event('live.s', { key: 'first' })
    await first.until('the first event', 1)
    const last = first.lastId() ?? ''
    first.close()
    let beat = 0
    const readers = [
      createReader('s', last, () => false),
      createReader('s', last, () => ++beat % 40 === 0),
      createReader('copies', last, () => ++beat % 30 === 0),
    ]
    const acknowledged: string[] = []
    let isOver = false
    const writers = [1, 7, 300].map(async (size, writer) => {
      for (let sent = 0; !isOver; sent++) {
        const events = Array.from({ length: size }, (_, n) => ({
          key: `${writer}.${sent}.${n}`,
          _id: `${writer}.${sent}.${n}`,
          // Of any time before: the order is that in which they come.
          ...(n % 2 === 0 && { _pk: 1_600_000_000_000_000 + ((sent * 7919 + n * 104_729) % 1_000_000_007) }),
        }))
        while (!(await service.client.lines('live.s', events).catch(() => undefined))) await sleep(20)
        acknowledged.push(...events.map(({ key }) => key))
        await sleep(10)
      }
    })
    for (const wait of [700, 400, 900]) {
      await sleep(wait)
      await service.end('SIGKILL')
      service = await spawnService(settings)
    }
    isOver = true
    await Promise.all(writers)
    await until(
      'all events at each reader',
      () => readers.every((reader) => reader.count() >= acknowledged.length),
      60_000,
    )
    await Promise.all(readers.map(({ end }) => end()))
    const [one, two, copies] = readers.map(({ got }) => got)
    const keys = one?.map(({ key }) => key) ?? []
    t.deepEqual(keys.toSorted(), acknowledged.toSorted())
    t.true(keys.length > 500)
    t.deepEqual(two, one)
    t.deepEqual(copies, one)
  },
)

test.serial('at SIGTERM a stream ends after a whole event, and the service with it', async (t) => {
  const streams = await Promise.all(
    Array.from({ length: 5 }, () => openEventStream(service.url, '/stream/live/s/live?last=1000')),
  )
  await Promise.all(streams.map((each) => each.until('events', 100)))
  const { code, took_ms } = await service.end('SIGTERM')
  await Promise.all(streams.map((each) => each.ended()))
  t.is(code, 0)
  t.true(took_ms < 20_000)
  for (const each of streams) {
    t.is(each.rest(), '')
    t.true(each.data().every(({ key }) => typeof key === 'string'))
  }
})
