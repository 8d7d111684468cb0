import { z } from 'zod'
import { anyObject, type Call, json } from '../http/call.ts'

/** Messages of one request. */
export const maxMessages = 50

/** One message, or a list of some. */
const messages = z.union([anyObject, z.array(anyObject).min(1).max(maxMessages)])

export const mcp: Call = {
  id: 'mcp',
  group: 'service',
  summary:
    'The Model Context Protocol over Streamable HTTP, without sessions: tools for agents, those that the key may use',
  parameters: 'told',
  body: { contents: [json(messages)] },
  answers: [json(messages)],
  also: { 202: { says: 'the message was a notification, which has no answer' } },
}
