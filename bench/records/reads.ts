import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { quantile } from '../quantile.ts'
import { timed } from '../timed.ts'
import { keyOf } from './table.ts'

async function get(agent: Agent, url: string): Promise<void> {
  const [answer] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage]
  const body = await text(answer)
  if (answer.statusCode !== 200) throw new Error(body)
}

/** Records by their keys, one after the other. Resolves to the time of each, in ms. */
export async function pointReads(base: string, reads: number, records: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true })
  const taken: number[] = []
  for (let n = 0; n < reads; n++) {
    taken.push(await timed(() => get(agent, `${base}/db/mydb/airports?key=${keyOf(n * 97, records)}`)))
  }
  agent.destroy()
  return taken
}

export const shown = (taken: readonly number[]): string =>
  `p50 ${quantile(taken, 0.5).toFixed(1)} ms, p99 ${quantile(taken, 0.99).toFixed(1)} ms`
