import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Readable } from 'node:stream'
import Koa, { type Context, type Middleware } from 'koa'
import { fault } from '../../base/faults.ts'
import type { Routes } from '../auth/routes.ts'

export type InnerRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** The path and the query behind it. */
  readonly path: string
  readonly body?: string
  /** JSON if absent. */
  readonly type?: string
}
export type InnerAnswer = { readonly status: number; readonly text: string }
export type Inner = (request: InnerRequest) => Promise<InnerAnswer>

/** Tools bound the rows that they ask for; an answer beyond that is not read to its end. */
const mostBytes = 16 * 1024 * 1024
const left = JSON.stringify({ errcode: -1, error: ['the client is gone: nothing more is done for it'] })
const tooLong = JSON.stringify({ errcode: -1, error: ['the answer exceeds 16 MB: ask for fewer rows or columns'] })

/**
 * Asks other calls of this process for the caller of a request: with its key's rights, in its name in the record of
 * changes, and until its client goes away. Against `RATE_LIMIT` counts the message that asks them.
 */
export function createInnerCalls(faults: Middleware, routes: () => readonly Pick<Routes, 'router'>[]) {
  const outers = new WeakMap<IncomingMessage, Context>()
  const answered = new WeakMap<IncomingMessage, Pick<Context, 'status' | 'body'>>()
  let handle: ReturnType<Koa['callback']> | undefined

  function open(): ReturnType<Koa['callback']> {
    const app = new Koa()
    app.silent = true
    app.use(async (context, next) => {
      context.respond = false // The tool reads the answer.
      const outer = outers.get(context.req)
      Object.assign(context.state, { caller: outer?.state.caller, body: outer?.state.body })
      await next()
      answered.set(context.req, context)
    })
    app.use(faults)
    for (const { router } of routes()) app.use(router.routes())
    app.use((context) => {
      throw fault('missing', `no path ${context.path.slice(0, 200)}`)
    })
    return app.callback()
  }

  return (outer: Context): Inner =>
    async (asked) => {
      // A list of messages would go on to its end, the changes among them too.
      if (outer.res.destroyed) return { status: 503, text: left }
      const request = requestOf(asked, outer)
      const response = new ServerResponse(request)
      const leave = (): boolean => response.emit('close')
      outers.set(request, outer)
      outer.res.once('close', leave)
      try {
        handle ??= open()
        await handle(request, response)
        const { status = 503, body } = answered.get(request) ?? {}
        const text = await textOf(body)
        return text === undefined ? { status: 400, text: tooLong } : { status, text }
      } finally {
        outer.res.off('close', leave)
      }
    }
}

/** A request that has come whole, over no connection. */
function requestOf({ method, path, body = '', type = 'application/json' }: InnerRequest, outer: Context) {
  const bytes = Buffer.from(body)
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: outer.req.socket.remoteAddress })
  const request = new IncomingMessage(socket)
  const { host = 'localhost' } = outer.req.headers
  const headers = { host, 'content-type': type, 'content-length': String(bytes.length) }
  Object.assign(request, { method, url: path, headers, complete: true })
  request.push(bytes)
  request.push(null)
  return request
}

/** Undefined where it is too long. */
async function textOf(body: unknown): Promise<string | undefined> {
  if (typeof body === 'string') return body
  if (Buffer.isBuffer(body)) return body.toString()
  if (!(body instanceof Readable)) return JSON.stringify(body ?? null)
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
