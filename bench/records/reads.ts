import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { mainRows } from '../../sql/table/records.ts'
import { quantile } from '../quantile.ts'
import type { Figure } from '../report.ts'
import { timed } from '../timed.ts'
import type { RecordTable } from './table.ts'

async function get(agent: Agent, url: string): Promise<void> {
  const [answer] = (await once(request(url, { agent }).end(), 'response')) as [IncomingMessage]
  const body = await text(answer)
  if (answer.statusCode !== 200) throw new Error(body)
}

/** Records by their keys, one after the other. */
export async function pointReads(
  url: string,
  { clickhouse, keyOf, table, parts }: RecordTable,
  what: string,
  reads: number,
): Promise<Figure> {
  const agent = new Agent({ keepAlive: true })
  const { storage } = await table()
  const read: number[] = []
  const bare: number[] = []
  for (let n = 0; n < reads; n++) {
    const key = keyOf(n * 97)
    read.push(await timed(() => get(agent, `${url}/db/mydb/airports?key=${key}`)))
    bare.push(
      await timed(() =>
        clickhouse(
          `SELECT doc FROM weir_records.${storage} FINAL WHERE ${mainRows} AND _pk = '${key}' SETTINGS max_threads = 1`,
        ),
      ),
    )
  }
  agent.destroy()
  return {
    part: 'records',
    what: `${what}, ${await parts()} parts`,
    weir: `p50 ${quantile(read, 0.5).toFixed(1)} ms, p99 ${quantile(read, 0.99).toFixed(1)} ms`,
    beside: `ClickHouse with FINAL: p50 ${quantile(bare, 0.5).toFixed(1)} ms`,
    target: 'p50 5 ms',
    isMet: quantile(read, 0.5) < 5,
  }
}
