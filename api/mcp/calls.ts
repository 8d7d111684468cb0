import { anyObject, type Call, json } from '../http/call.ts'

export const mcp: Call = {
  id: 'mcp',
  group: 'service',
  summary:
    'The Model Context Protocol over Streamable HTTP, without sessions: tools for agents, those that the key may use',
  parameters: 'told',
  body: { contents: [json(anyObject)] },
  answers: [json(anyObject)],
  also: { 202: { says: 'the message was a notification, which has no answer' } },
}
