import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import rawBody from 'raw-body'
import { answer } from '../queries/ask.ts'

/** A bare Koa that parses the JSON of a body and sends it back. */
const app = new Koa()
app.use(async (context) => {
  context.body = JSON.parse((await rawBody(context.req)).toString('utf8'))
})

answer(async () => {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
})
