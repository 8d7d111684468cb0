/** The floor of a request: a bare Koa that parses the same JSON and sends it back. Prints its port. */
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import rawBody from 'raw-body'

const app = new Koa()
app.use(async (context) => {
  const body = await rawBody(context.req)
  context.body = JSON.parse(body.toString('utf8'))
})
const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.send?.({ port })
})
process.on('disconnect', () => process.exit())
