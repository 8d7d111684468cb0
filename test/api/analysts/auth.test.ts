import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import test from 'ava'
import { anyone } from '../../../activities/keys/caller.ts'
import { createAnalystAuth } from '../../../api/analysts/auth.ts'
import { createReachOf } from '../../../api/analysts/reach.ts'

function requestFrom(remoteAddress: string) {
  const socket = new Socket()
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
  const request = new IncomingMessage(socket)
  return { request, response: new ServerResponse(request) }
}

test('callers without keys are told apart by their addresses, so that one of them has no more than its share', async (t) => {
  const keys = { isRequired: false, find: () => anyone }
  const gate = createAnalystAuth({ keys, limit: undefined, reachOf: createReachOf(() => undefined) })
  const askers = await Promise.all(
    ['192.0.2.1', '192.0.2.2', '192.0.2.1'].map((address) => {
      const { request, response } = requestFrom(address)
      return gate(request, new URL('http://localhost/'), response)
    }),
  )
  t.deepEqual(
    askers.map(({ caller }) => caller),
    ['address 192.0.2.1', 'address 192.0.2.2', 'address 192.0.2.1'],
  )
})
