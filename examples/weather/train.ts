import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, ClientError } from '../client.ts'

const done = 25
const longest_ms = 300_000

export type ModelKey = { readonly schema: string; readonly model: string }
type Answer = Record<string, unknown>

/** Trains a model unless it is there, and returns the measures of the rows held out of its training. */
export async function ensureModel(client: Client, { schema, model }: ModelKey, request: string): Promise<Answer> {
  const path = `/ml/${schema}/${model}`
  const { rows } = await client.get(`/ml/${schema}/request`)
  const asked = JSON.stringify(rows).includes(`"${schema}:${model}"`)
  if (!asked || (await stateOf(client, path)) !== done) {
    await client.post('/ml/train', request)
    await untilDone(client, path)
  }
  return client.get(`${path}/metrics`)
}

const stateOf = async (client: Client, path: string): Promise<number> =>
  Number((await client.get(`${path}/status`)).train_req_state)

async function untilDone(client: Client, path: string): Promise<void> {
  const until = Date.now() + longest_ms
  for (let state = 0; state !== done; state = await stateOf(client, path)) {
    if (state !== 0 && state < 20) throw new ClientError(`a training ended in state ${state}: see ${path}/request`)
    if (Date.now() > until)
      throw new ClientError(`a training is in state ${state} after five minutes: see ${path}/request`)
    await sleep(100)
  }
}
