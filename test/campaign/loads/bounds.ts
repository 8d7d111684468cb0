import type { Event } from '../../../base/json.ts'
import type { Random } from '../../support/random/random.ts'
import { json } from '../../support/requests/client.ts'
import { type Finding, lost } from '../ledger.ts'
import { different } from './different.ts'
import { inOrder } from './in-order.ts'
import type { Load, LoadDeps } from './load.ts'

/** Free events of one key that a rule remembers. */
const bound = 10_000
/** Beyond this the comparison takes longer than the round. */
const most = 14_000

/** A join of one key whose free events go past their bound: those that are left are taken, the oldest first. */
export function createBounds({ asker, generation, lived }: LoadDeps) {
  const name = `bounds${generation}`
  const attr = [
    { name: 'id', type: 9 },
    { name: 'k', type: 9 },
  ]
  const stream = (own: string, other: string) => ({
    name: own,
    type: 1,
    swsz: 0,
    attr,
    join: [
      {
        name: 'pair',
        type: 1,
        iatr: ['id'],
        rstm: other,
        ratr: ['id'],
        jqry: { cond: ['k'], args: ['k'] },
        ostm: 'pairs',
      },
    ],
  })
  const schema = {
    schema: name,
    streams: [stream('x', 'y'), stream('y', 'x'), { name: 'pairs', type: 3, swsz: 0, inpt: ['x', 'y'], attr: [] }],
  }
  const acknowledged = { x: new Set<number>(), y: new Set<number>() }
  let [made, counted] = [0, 0]

  return {
    async open(): Promise<void> {
      await asker.surely(0, { what: 'schemas', method: 'POST', path: '/stream', body: schema, refusals: [409] })
    },
    async act(random: Random): Promise<void> {
      if (made > most * lived()) return
      const to = random.chance(0.7) ? 'x' : 'y'
      const ids = Array.from({ length: to === 'x' ? random.whole(1_000, 3_000) : random.whole(1, 100) }, () => ++made)
      const { answer } = await asker.once(0, {
        what: 'events past a bound of rules',
        method: 'POST',
        path: `/stream/${name}/${to}`,
        body: ids.map((id) => `${json({ id, k: 1 })}\n`).join(''),
        headers: { 'content-type': 'application/x-ndjson' },
        weight: ids.length,
      })
      if (answer?.status === 200) for (const id of ids) acknowledged[to].add(id)
    },
    async check(): Promise<readonly Finding[]> {
      const findings: Finding[] = []
      const all = [
        ...(await inOrder(asker.reader, name, 'x', findings)),
        ...(await inOrder(asker.reader, name, 'y', findings)),
      ].sort((one, other) => one.seq - other.seq)
      counted = all.length
      const there = new Set(all.map(({ event }) => Number(event.id)))
      for (const id of [...acknowledged.x, ...acknowledged.y]) {
        if (!there.has(id)) findings.push(lost(`event ${id} of ${name}`))
      }
      if (findings.length > 0) return findings
      const free: Readonly<Record<string, Event[]>> = { x: [], y: [] }
      const expected: Readonly<Record<string, unknown>>[] = []
      for (const { stream: own, event } of all) {
        const other = free[own === 'x' ? 'y' : 'x']?.shift()
        if (other) {
          expected.push({ id: event.id, _pk: event._pk, _jpk1: other._pk, _j1: { id: other.id } })
          continue
        }
        free[own]?.push(event)
        if ((free[own]?.length ?? 0) > bound) free[own]?.shift()
      }
      return different(`${name}.pairs`, await asker.reader.documents(`select * from ${name}.pairs`), expected)
    },
    /** Posted events that are there, by the last check: they count in usage. */
    counted: (): number => counted,
  } satisfies Load & Record<string, unknown>
}
