import type { IncomingMessage, ServerResponse } from 'node:http'

/** Requests of clients that send their body once they are told to: `Expect: 100-continue`. */
const waiting = new WeakMap<IncomingMessage, ServerResponse>()

/** From now on the request's body is invited where it is read, and nowhere else. */
export function awaitInvitation(request: IncomingMessage, response: ServerResponse): void {
  waiting.set(request, response)
  // After a refusal nobody knows whether the body comes next, or another request.
  response.setHeader('Connection', 'close')
}

/** Before a body is read. */
export function inviteBody(request: IncomingMessage): void {
  const response = waiting.get(request)
  if (!response) return
  waiting.delete(request)
  response.removeHeader('Connection')
  response.writeContinue()
}

/** Whether the client sends its body, without or after an invitation. */
export const isBodyComing = (request: IncomingMessage): boolean => !waiting.has(request)
