import type { GraphAnswer, PlainGraphAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'

type Asked = {
  readonly graph: string
  readonly text: string
  readonly levk?: string | undefined
  readonly signal: AbortSignal
}

/** The answer in the form that says of what shape its rows are: plain rows and lines come to those alone who ask for them. */
const isShaped = (answer: GraphAnswer | PlainGraphAnswer | string): answer is GraphAnswer => typeof answer !== 'string'

export async function askGraph({ graph, text, levk, signal }: Asked): Promise<GraphAnswer> {
  const answer = await call('POST /graph/{graph}/query', { path: { graph }, query: { levk }, body: text, signal })
  if (!isShaped(answer)) throw new Error('the answer has lines, for which nothing asked')
  return answer
}
