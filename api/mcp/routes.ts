import type { Context, Middleware } from 'koa'
import type { Caller } from '../../activities/keys/caller.ts'
import { Fault, fault } from '../../base/faults.ts'
import { type Json, parseJson } from '../../base/json.ts'
import { callerIn } from '../auth/permit.ts'
import { anyTool, createRoutes, type Routes } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import * as calls from './calls.ts'
import { createInnerCalls } from './inner.ts'
import { answerMessage, earlierVersions, unreadable } from './protocol.ts'
import { answerStateless, isStateless, revision } from './stateless.ts'

export type McpRoutesDeps = {
  /** Turns an error that a call throws into the answer of its tool. */
  readonly faults: Middleware
  readonly routesOfAll: () => readonly Pick<Routes, 'router'>[]
  readonly bodyLimit: number
  /** Counts a message against `RATE_LIMIT`; throws where it is one too many. */
  readonly count: (context: Context, caller: Caller) => void
}

/** The message, or why it is no JSON. */
function readMessage(text: string): { readonly sent?: Json; readonly why: string } {
  try {
    return { sent: parseJson(text, 'the message'), why: '' }
  } catch (error) {
    if (error instanceof Fault && error.kind === 'invalid') return { why: error.message }
    throw error
  }
}

/** Streamable HTTP without sessions and without streams of its own: each message is answered by itself, as JSON. */
export function mcpRoutes({ faults, routesOfAll, bodyLimit, count }: McpRoutesDeps): Routes {
  const routes = createRoutes()
  const innerOf = createInnerCalls(faults, routesOfAll)

  routes.post('/mcp', anyTool, calls.mcp, async (context) => {
    const { sent, why } = readMessage(await readText(context, bodyLimit, 'the message'))
    if (sent === undefined) {
      context.status = 400
      context.body = unreadable(why)
      return
    }
    const header = (name: string): string => context.get(name)
    if (isStateless(sent, header)) {
      const { status, body } = await answerStateless(sent, header, callerIn(context), innerOf(context))
      context.body = body
      context.status = status
      return
    }
    const spoken = header('mcp-protocol-version')
    if (spoken !== '' && !earlierVersions.some((each) => each === spoken)) {
      const known = [revision, ...earlierVersions].join(', ')
      throw fault('invalid', `MCP-Protocol-Version ${spoken.slice(0, 40)} is not known; there are ${known}`)
    }
    const messages = [sent].flat()
    if (messages.length === 0) throw fault('invalid', 'send a message, or a list of some')
    if (messages.length > calls.maxMessages)
      throw fault('invalid', `send at most ${calls.maxMessages} messages at once`)
    // The first is counted as the request, and all before any of them does something.
    for (const _ of messages.slice(1)) count(context, callerIn(context))
    const inner = innerOf(context)
    const answers: object[] = []
    for (const message of messages) {
      const answer = await answerMessage(message, callerIn(context), inner)
      if (answer) answers.push(answer)
    }
    const [first] = answers
    if (first === undefined) {
      context.body = null
      context.status = 202
    } else context.body = Array.isArray(sent) ? answers : first
  })

  return routes
}
