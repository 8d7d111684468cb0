/** Calls that tools make for the client of a message. */
import { EventEmitter } from 'node:events'
import Router from '@koa/router'
import test from 'ava'
import type { Context } from 'koa'
import { createInnerCalls } from '../../../api/mcp/inner.ts'

test('for a client that is gone nothing more is asked or changed', async (t) => {
  let changed = 0
  const router = new Router()
  router.post('/change', (context) => {
    changed++
    context.body = { errcode: 0 }
  })
  const calls = createInnerCalls(
    (_, next) => next(),
    () => [{ router }] as never,
  )
  const res = Object.assign(new EventEmitter(), { destroyed: false })
  const outer = { res, req: { socket: {}, headers: {} }, state: {} } as unknown as Context
  const change = calls(outer)
  t.deepEqual(await change({ method: 'POST', path: '/change' }), { status: 200, text: '{"errcode":0}' })
  res.destroyed = true
  t.like(await change({ method: 'POST', path: '/change' }), { status: 503 })
  t.is(changed, 1)
})
