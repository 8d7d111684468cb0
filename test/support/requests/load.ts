import { setTimeout as sleep } from 'node:timers/promises'
import type { ExecutionContext } from 'ava'
import type { Client } from './client.ts'
import { allRows } from './pages.ts'

/** The schema that `startLoad` posts to, with something of each kind that is derived from events. */
export const schema = {
  schema: 'load',
  streams: [
    {
      name: 'st',
      type: 1,
      swsz: 0,
      attr: [
        { name: 'id', type: 'LONG', stat: 'RSTAT' },
        { name: 'who', type: 'STRING', stat: 'UCOUNT' },
        { name: 'group', type: 'LONG' },
        { name: 'even', type: 'BOOL', stat: 'COUNT', gran: 10 },
      ],
      gpby: [{ gpat: ['group'], iatr: 'id', stat: 'RSTAT', gran: 60 }],
      enty: [
        {
          name: 'people',
          opid: 3,
          ratr: ['sum_of_ids'],
          iatr: ['id'],
          pkatr: [{ name: 'who', type: 5, opid: 1, iatr: ['who'] }],
          rstm: 'people',
        },
      ],
      fltr: [
        {
          name: 'evens',
          fqry: { name: JSON.stringify({ query: [{ key: 'even', cmp_op: 4, val: true }], qtype: 1 }), type: 1 },
          fatr: ['id', 'even'],
          ostm: 'evens',
        },
      ],
    },
    { name: 'people', type: 4, inpt: ['st'] },
    {
      name: 'evens',
      type: 2,
      inpt: ['st'],
      swsz: 0,
      attr: [
        { name: 'id', type: 'LONG', stat: 'RSTAT' },
        { name: 'even', type: 'BOOL' },
      ],
    },
  ],
}

/** Gives each event an id of its own, over all runs of a service. */
export const createIds = () => {
  let last = 0
  return { next: () => ++last, last: () => last }
}

export type Load = {
  /** Ids of the events that were answered with success. */
  readonly acknowledged: readonly number[]
  /** Answers other than success, and what they said. */
  readonly refused: readonly string[]
  /** Sends no more; resolves when every request has its answer or its error. */
  stop(): Promise<void>
}

/** Without one the load takes the processor from what it is to disturb. */
const pause_ms = 5
const singles = 12
const batches = 2
const linesInBatch = 150

/** An event that `checkWhole` expects of its id. */
export const eventOf = (id: number) => ({ id, who: `who ${id % 100}`, group: id % 7, even: id % 2 === 0 })

/** Clients that post nearly as fast as they are answered, single events and batches, until they are stopped or cut off. */
export function startLoad(client: Client, stream: string, ids: { next(): number }): Load {
  const acknowledged: number[] = []
  const refused: string[] = []
  let stopped = false
  const path = `/stream/${stream.replace('.', '/')}`
  async function post(sent: readonly number[], type: string): Promise<void> {
    const answer = await client
      .post(path, sent.map((id) => JSON.stringify(eventOf(id))).join('\n'), { 'content-type': type })
      .catch(() => undefined)
    if (answer === undefined) stopped = true
    else if (answer.status === 200) acknowledged.push(...sent)
    else refused.push(`${answer.status} ${answer.text}`)
    await sleep(pause_ms)
  }
  const many = (n: number) => Array.from({ length: n }, () => ids.next())
  const running = [
    ...Array.from({ length: singles }, async () => {
      while (!stopped) await post(many(1), 'application/json')
    }),
    ...Array.from({ length: batches }, async () => {
      while (!stopped) await post(many(linesInBatch), 'application/x-ndjson')
    }),
  ]
  return {
    acknowledged,
    refused,
    async stop() {
      stopped = true
      await Promise.all(running)
    },
  }
}

type Sum = { readonly cnt: number; readonly sum: number }

const sumOf = (ids: readonly number[]): Sum => ({ cnt: ids.length, sum: ids.reduce((sum, id) => sum + id, 0) })
const addUp = (sums: readonly Sum[]): Sum => ({
  cnt: sums.reduce((all, { cnt }) => all + cnt, 0),
  sum: sums.reduce((all, { sum }) => all + sum, 0),
})

/** Every acknowledged event is there, none is there twice, and every aggregate counts exactly the events that are there. */
export async function checkWhole(
  t: ExecutionContext,
  client: Client,
  acknowledged: readonly number[],
  usageIs: 'exact' | 'at least' = 'exact',
): Promise<number> {
  const rows = await allRows(client, 'select * from load.st')
  const there = rows.map(({ v }): number => JSON.parse(String(v)).id)
  const distinct = new Set(there)
  t.is(there.length, distinct.size, 'events that are there twice')
  t.deepEqual(
    acknowledged.filter((id) => !distinct.has(id)),
    [],
    'acknowledged events that are not there',
  )

  const all = sumOf(there)
  const [usage] = await client.rows('select usage from weir_stream')
  const used: number = JSON.parse(String(usage?.v)).aggr_val.sum
  t.true(usageIs === 'exact' ? used === all.cnt : used >= all.cnt, `usage of ${used}, ${all.cnt} events`)
  const evens = sumOf(there.filter((id) => id % 2 === 0))
  const aggregated = async (sql: string): Promise<Sum> =>
    addUp((await allRows(client, sql)).map(({ v }) => JSON.parse(String(v))).map((value) => value.aggr_val ?? value))
  t.is(await client.count('select count(*) from load.st'), all.cnt)
  t.deepEqual(await aggregated('select aggr(id) from load.st'), all, 'intervals')
  t.deepEqual(await aggregated('select aggr(id) from load.st rollup 1'), all, 'rollup 1')
  const [people] = await client.rows('select aggr(who) from load.st rollup 1')
  t.is(JSON.parse(String(people?.v)).aggr_val.cnt, new Set(there.map((id) => id % 100)).size)
  const counted = await allRows(client, 'select aggr(even) from load.st')
  t.is(
    counted.reduce((sum, { v }) => sum + Number(v), 0),
    all.cnt,
    'COUNT',
  )
  t.deepEqual(await aggregated('select aggr(id) from load.st groupby group'), all, 'groups')
  t.deepEqual(await aggregated('select aggr(id) from load.st groupby group rollup 0'), all, 'groups by interval')
  const entities = (await allRows(client, 'select * from load.people')).map(
    ({ v }): Sum => JSON.parse(String(v)).sum_of_ids,
  )
  t.deepEqual(addUp(entities), all, 'entities')
  t.is(await client.count('select count(*) from load.evens'), evens.cnt)
  t.deepEqual(await aggregated('select aggr(id) from load.evens rollup 1'), evens, 'filter stream')
  return all.cnt
}
