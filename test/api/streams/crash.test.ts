import { setTimeout as after } from 'node:timers/promises'
import test from 'ava'
import { type ServiceProcess, spawnService } from '../../support/process.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { differences } from './compare.ts'
import type { Event, WireSchema, WireStream } from './oracle.ts'

const start_us = 1_700_000_000_000_000
let posted = 0
const next = (): Event => {
  const i = posted++
  const [who, what] = [`w${i % 17}`, `t${i % 5}:${i % 3}`]
  return {
    _pk: start_us + i * 100_000,
    who,
    what,
    where: `p${i % 3}`,
    n: (i * 7) % 101,
    x: ((i * 13) % 97) / 8,
    m: i % 9,
  }
}

/** As in the README: six statistics, three group-bys, four entities, a relation, a filter. */
const input: WireStream = {
  name: 's',
  type: 1,
  swsz: 0,
  attr: [
    { name: 'who', type: 5, stat: 'UCOUNT' },
    { name: 'what', type: 5, stat: 'COUNT' },
    { name: 'where', type: 5, stat: 'UCOUNT', gran: 300 },
    { name: 'n', type: 9, stat: 'RSTAT' },
    { name: 'x', type: 11, stat: 'RSTAT', gran: 300 },
    { name: 'm', type: 9, stat: 'COUNT' },
  ],
  gpby: [
    { gpat: ['where'], iatr: 'n', stat: 'RSTAT' },
    { gpat: ['who', 'what'], iatr: 'x', stat: 'RSTAT', gran: 300 },
    { gpat: ['what'], iatr: 'who', stat: 'UCOUNT', gran: 300 },
  ],
  enty: [
    { name: 'a', opid: 3, ratr: ['n'], iatr: ['n'], pkatr: [{ name: 'id', type: 5, iatr: ['who'] }], rstm: 'people' },
    { name: 'b', opid: 1, ratr: ['m'], iatr: ['m'], pkatr: [{ name: 'id', type: 5, iatr: ['who'] }], rstm: 'people' },
    {
      name: 'c',
      opid: 2,
      ratr: ['who'],
      iatr: ['who'],
      pkatr: [{ name: 'id', type: 5, iatr: ['what'] }],
      rstm: 'things',
    },
    {
      name: 'd',
      opid: 3,
      ratr: ['x'],
      iatr: ['x'],
      pkatr: [{ name: 'id', type: 5, iatr: ['where', 'what'] }],
      rstm: 'places',
    },
  ],
  rels: [{ sub: 'who', obj: 'what', rel: 'TOOK', rel_props: ['n'] }],
  fltr: [
    {
      name: 'f',
      fqry: { name: '{"query":[{"key":"n","cmp_op":0,"val":50}]}', type: 1 },
      fatr: ['who', 'n'],
      ostm: 'large',
    },
  ],
}
const large: WireStream = {
  name: 'large',
  type: 2,
  inpt: ['s'],
  swsz: 0,
  attr: [{ name: 'n', type: 9, stat: 'RSTAT' }],
  gpby: [{ gpat: ['who'], iatr: 'n', stat: 'COUNT' }],
}
const targets: WireStream[] = ['people', 'things', 'places'].map((name) => ({ name, type: 4, inpt: ['s'], attr: [] }))
const whole = (schema: string): WireSchema => ({ schema, streams: [input, large, ...targets] })
const bare = (schema: string): WireSchema => ({
  schema,
  streams: [{ name: 's', type: 1, swsz: 0, attr: input.attr.map(({ name, type }) => ({ name, type })) }],
})

const DATA_DIR = temporaryFolder()
let service: ServiceProcess = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
test.after.always(() => service.end('SIGKILL'))
const again = async () => {
  service = await spawnService({ DATA_DIR, LOG_LEVEL: 'info' })
}

/** Posts until the service is gone; every event bears an id, so that what was not answered can be posted again. */
async function load(name: string, taken: Event[], clients: number): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      for (;;) {
        const events = Array.from({ length: index === 0 ? 1 : 20 }, () => ({ ...next(), _id: `${name} ${posted}` }))
        // Whether the log has what was not answered cannot be told: it is posted again.
        taken.push(...events)
        for (;;) {
          const { client } = service
          const sent = await client.lines(`${name}.s`, events).catch(() => undefined)
          if (sent) break
          if (stopped) return
          await after(20)
        }
        if (stopped) return
      }
    }),
  )
}
let stopped = false

test.serial('after kill -9 under load every event is in everything, exactly once', async (t) => {
  await service.client.register(whole('load'))
  const taken: Event[] = []
  stopped = false
  const loading = load('load', taken, 3)
  for (const wait of [400, 250, 600]) {
    await after(wait)
    await service.end('SIGKILL')
    await again()
  }
  await after(200)
  stopped = true
  await loading
  const unsure: Event[] = taken.filter((event) => event._pk > 0)
  for (let from = 0; from < unsure.length; from += 200)
    await service.client.lines('load.s', unsure.slice(from, from + 200))
  t.true(taken.length > 50)
  t.deepEqual(await differences(service.client, whole('load'), { s: taken }), [])
})

test.serial('after kill -9 amid registrations and edits each schema is there entirely or not at all', async (t) => {
  const kept = new Map<string, { schema: WireSchema; events: Event[] }>()
  for (let round = 0; round < 4; round++) {
    const [fresh, edited] = [`fresh${round}`, `edited${round}`]
    await service.client.register(bare(edited))
    const events = Array.from({ length: 30 }, next)
    await service.client.lines(`${edited}.s`, events)
    const changes = [service.client.send('PUT', '/stream', whole(edited)), service.client.post('/stream', whole(fresh))]
    await after([15, 80, 200, 450][round] ?? 0)
    await service.end('SIGKILL')
    await Promise.allSettled(changes)
    await again()
    const { client } = service
    const { status, body } = await client.get(`/stream/${fresh}/schema`)
    t.true(status === 404 || (status === 200 && body.streams.length === 5), `${fresh}: ${status}`)
    if (status === 404) await client.register(whole(fresh))
    const more = Array.from({ length: 10 }, next)
    await client.lines(`${fresh}.s`, more)
    t.deepEqual(await differences(client, whole(fresh), { s: more }), [], `round ${round}`)
    const present = await client.ok(client.get(`/stream/${edited}/schema`))
    t.true([1, 5].includes(present.streams.length))
    if (present.streams.length === 1) await client.ok(client.send('PUT', '/stream', whole(edited)))
    await client.lines(`${edited}.s`, more)
    kept.set(edited, { schema: whole(edited), events: [...events, ...more] })
    const half = await client.ok(client.get('/stream/list'))
    t.true(half.schemas.length >= round + 2)
    await client.ok(client.send('DELETE', `/stream/${fresh}`))
  }
  for (const { schema, events } of kept.values())
    t.deepEqual(await differences(service.client, schema, { s: events }), [])
})
