import type { Random } from '../../support/random/random.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import type { Load, LoadDeps } from './load.ts'

/** A relation that an event brings: from a node that is merged with others of its kind, or deleted, again and again. */
type Sent = {
  readonly who: string
  isAcknowledged: boolean /** Whether a deletion may have taken it. */
  mayBeGone: boolean
}
type Row = { readonly id: number; readonly s: string; readonly o: string }

const isOf = (who: string, kind: 'merged' | 'deleted'): boolean => who.startsWith(kind === 'merged' ? 'M' : 'D')

/** Relations by events, about nodes that are merged and deleted meanwhile. */
export function createRelations({ asker, generation, isKafka }: LoadDeps) {
  const schema = `met${generation}`
  const sent = new Map<number, Sent>()
  let made = 0
  let counted = 0

  const schemaText = {
    schema,
    streams: [
      {
        name: 'st',
        type: 1,
        swsz: 0,
        attr: ['who', 'what'].map((name) => ({ name, type: 5 })).concat([{ name: 'id', type: 9 }]),
        rels: [{ sub: 'who', sub_label: 'P', rel: 'MET', obj: 'what', obj_label: 'T', rel_props: ['id'] }],
      },
    ],
  }

  async function event(process: number, who: string, what: string): Promise<void> {
    const id = ++made
    const one: Sent = { who, isAcknowledged: false, mayBeGone: false }
    sent.set(id, one)
    const body = { id, who, what }
    const request = { what: 'relations by events', method: 'POST', path: `/stream/${schema}/st`, body }
    const { answer } = await asker.once(process, request)
    one.isAcknowledged = answer?.status === 200
  }

  async function change(process: number, text: string): Promise<boolean> {
    const path = `/graph/${schema}_graph/query`
    const { isAnswered } = await asker.once(process, { what: 'changes of nodes', method: 'POST', path, body: text })
    return isAnswered
  }

  /**
   * A relation that was sent before the answer to a deletion may be there or not; where no answer comes, the deletion may
   * come at any later time.
   */
  async function remove(process: number, who: string): Promise<void> {
    const forget = (): void => {
      for (const one of sent.values()) if (one.who === who) one.mayBeGone = true
    }
    forget()
    if (!(await change(process, `DELETE (P:${who})`))) unsure.add(who)
    forget()
  }
  const unsure = new Set<string>()

  async function rows(text: string): Promise<readonly Row[]> {
    const body = await asker.reader.ok(asker.reader.post(`/graph/${schema}_graph/query`, text))
    return body.rows
  }

  const load: Load = {
    async open() {
      if (isKafka) return
      await asker.surely(0, { what: 'schemas', method: 'POST', path: '/stream', body: schemaText, refusals: [409] })
    },
    async act(random: Random) {
      if (isKafka) return
      const process = random.whole(0, asker.processes - 1)
      const who = `${random.pick(['M', 'D'])}_${random.whole(0, 4)}`
      const kind = random.whole(0, 9)
      if (kind === 1) await event(process, `M_${random.whole(5, 6)}`, 'T_0')
      else if (kind > 1) await event(process, who, `T_${random.whole(0, 20)}`)
      else if (isOf(who, 'deleted')) await remove(process, who)
      else await change(process, `MERGE (P:M_${random.whole(5, 6)})<-[*]-(P:${who})`)
    },
    async check() {
      if (isKafka) return []
      const findings: Finding[] = []
      counted = await asker.reader.count(`select count(*) from ${schema}.st`)
      const found = await rows('s=>(@s *)-[@r MET]->(@o *); RETURN r.id AS id, s.name AS s, o.name AS o')
      const nodes = new Set((await rows('s=>(@n *); RETURN n.name AS s')).map(({ s }) => s))
      const there = new Map<number, Row>()
      for (const row of found) {
        const wanted = sent.get(row.id)
        if (there.has(row.id)) findings.push(doubled(`relation ${row.id} of ${schema}`))
        there.set(row.id, row)
        const isAtHome = wanted && (isOf(wanted.who, 'merged') ? isOf(row.s, 'merged') : row.s === wanted.who)
        if (!isAtHome)
          findings.push(wrong(`relation ${JSON.stringify(row)} of ${schema} was sent as ${JSON.stringify(wanted)}`))
        for (const name of [row.s, row.o])
          if (!nodes.has(name)) findings.push(lost(`node ${name} of ${schema}, which has relations`))
      }
      for (const [id, { who, isAcknowledged, mayBeGone }] of sent) {
        if (isAcknowledged && !mayBeGone && !unsure.has(who) && !there.has(id))
          findings.push(lost(`relation ${id} of ${who} in ${schema}`))
      }
      return findings
    },
  }
  return {
    ...load,
    /** Posted events that are there, by the last check: they count in usage. */
    counted: (): number => counted,
  }
}
