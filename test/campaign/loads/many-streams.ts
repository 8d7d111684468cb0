import type { WireSchema } from '../../api/streams/oracle.ts'
import type { Random } from '../../support/random/random.ts'
import { doubled, type Finding, lost, wrong } from '../ledger.ts'
import type { Load, LoadDeps } from './load.ts'

/** Beyond this the comparison takes longer than the round. */
const most = 30_000
const atOnce = 8

type Sent = { readonly stream: number; isAcknowledged: boolean }

/** Many streams with a view each and a trickle of events to all of them: a kill meets many queues with a few events each. */
export function createManyStreams({ asker, streams, isKafka }: LoadDeps) {
  // Over Kafka each has a topic, a consumer and its threads; in several processes each has its queue in every one.
  const count = isKafka ? 12 : asker.processes > 1 ? 30 : streams
  const names = Array.from({ length: count }, (_, i) => `s${i}`)
  const attr = [{ name: 'id', type: 9, stat: 'RSTAT' }]
  const schema: WireSchema = { schema: 'many', streams: names.map((name) => ({ name, type: 1, swsz: 0, attr })) }
  const sent = new Map<number, Sent>()
  let [made, counted] = [0, 0]

  async function checkOne(stream: number): Promise<{ findings: Finding[]; there: number }> {
    const from = `many.${names[stream]}`
    const findings: Finding[] = []
    const there = new Set<number>()
    for (const { id } of await asker.reader.documents(`select * from ${from}`)) {
      if (there.has(id)) findings.push(doubled(`event ${id} of ${from}`))
      if (sent.get(id)?.stream !== stream) findings.push(wrong(`event ${id} of ${from} was never sent there`))
      there.add(id)
    }
    for (const [id, one] of sent) {
      if (one.stream === stream && one.isAcknowledged && !there.has(id)) findings.push(lost(`event ${id} of ${from}`))
    }
    if (findings.length > 0 || there.size === 0) return { findings, there: there.size }
    const [row] = await asker.reader.rows(`select aggr(id) from ${from} rollup 1`)
    const { cnt, sum } = JSON.parse(String(row?.v)).aggr_val
    const wanted = [...there].reduce((all, id) => all + id, 0)
    if (cnt !== there.size || sum !== wanted) {
      findings.push(
        (cnt > there.size ? doubled : lost)(`${from} has ${there.size} events, and counts ${cnt} with a sum of ${sum}`),
      )
    }
    return { findings, there: there.size }
  }

  return {
    async open() {
      await asker.surely(0, { what: 'schemas', method: 'POST', path: '/stream', body: schema, refusals: [409] })
    },
    async act(random: Random) {
      if (sent.size > most) return
      const events = Array.from({ length: atOnce }, () => {
        const [id, one] = [++made, { stream: random.whole(0, count - 1), isAcknowledged: false }]
        sent.set(id, one)
        return { id, one }
      })
      await Promise.all(
        events.map(async ({ id, one }) => {
          const path = `/stream/many/${names[one.stream]}`
          const request = { what: 'events of many streams', method: 'POST', path, body: { id } }
          const { answer } = await asker.once(random.whole(0, asker.processes - 1), request)
          one.isAcknowledged = answer?.status === 200
        }),
      )
    },
    async check() {
      const findings: Finding[] = []
      let all = 0
      for (let from = 0; from < count; from += atOnce) {
        const some = names.slice(from, from + atOnce).map((_, i) => checkOne(from + i))
        for (const one of await Promise.all(some)) {
          findings.push(...one.findings)
          all += one.there
        }
      }
      counted = all
      return findings
    },
    /** Posted events that are there, by the last check: they count in usage. */
    counted: (): number => counted,
  } satisfies Load & Record<string, unknown>
}
