import { connect } from '../../clients/node/src/index.ts'
import { answer } from '../answer.js'
import { orders } from '../load/workload.ts'

export type SenderMessage = { readonly base: string; readonly stream: string; readonly events: number }
export type SenderAnswer = { readonly seconds: number; readonly accepted: number }

/** A program that sends events one after the other by `sendMany`, as they come about. */
answer(async ({ base, stream, events }: SenderMessage): Promise<SenderAnswer> => {
  const [schema = '', name = ''] = stream.split('/')
  function* made() {
    for (let i = 0; i < events; i++) yield { ...orders.event(i) }
  }
  const started = performance.now()
  const { accepted } = await connect({ url: base }).stream(schema, name).sendMany(made())
  return { seconds: (performance.now() - started) / 1000, accepted }
})
