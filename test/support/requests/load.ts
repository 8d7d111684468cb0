import { setTimeout as after } from 'node:timers/promises'
import type { Client } from './client.ts'

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

/** Clients that post nearly as fast as they are answered, single events and batches, until they are stopped or cut off. */
export function startLoad(client: Client, stream: string, ids: { next(): number }): Load {
  const acknowledged: number[] = []
  const refused: string[] = []
  let stopped = false
  const path = `/stream/${stream.replace('.', '/')}`
  const eventOf = (id: number) => JSON.stringify({ id, who: `who ${id % 100}`, group: id % 7, even: id % 2 === 0 })

  async function post(sent: readonly number[], type: string): Promise<void> {
    const answer = await client
      .post(path, sent.map(eventOf).join('\n'), { 'content-type': type })
      .catch(() => undefined)
    if (answer === undefined) stopped = true
    else if (answer.status === 200) acknowledged.push(...sent)
    else refused.push(`${answer.status} ${answer.text}`)
    await after(pause_ms)
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
