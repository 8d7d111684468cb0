import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import rawBody from 'raw-body'
import { answer } from '../answer.js'

/** A bare Koa that parses the JSON of a body, and answers as much as Weir says of an event. */
const app = new Koa()
app.use(async (context) => {
  const { length } = Object.keys(JSON.parse((await rawBody(context.req)).toString('utf8')))
  context.body = { errcode: 0, _pk: Date.now() * 1000 + length }
})

answer(async () => {
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
})
