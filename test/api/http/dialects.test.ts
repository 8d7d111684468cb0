import test from 'ava'
import { startService } from '../../support/service.ts'

const { client, close } = await startService()
test.after.always(close)

/** Each family of calls, with a path that no method, or another one, is for. */
const calls: readonly (readonly [method: string, path: string, status: number, member: 'msg' | 'success'])[] = [
  ['PATCH', '/db/mydb/table', 405, 'msg'],
  ['PUT', '/db/mydb/visits/index', 405, 'msg'],
  ['GET', '/db/notification/register', 405, 'msg'],
  ['GET', '/db/mydb/visits/nothing', 404, 'msg'],
  ['GET', '/stream/air/flights/graph/query', 405, 'msg'],
  ['POST', '/graph/list', 405, 'msg'],
  ['POST', '/graph/stat', 405, 'msg'],
  ['DELETE', '/graph/list', 405, 'msg'],
  ['GET', '/brs/bucket', 405, 'success'],
  ['POST', '/brs/images/object/key', 405, 'success'],
  ['GET', '/brs/images/putfile', 405, 'success'],
  ['GET', '/brs/nothing/at/all', 404, 'success'],
]

for (const [method, path, status, member] of calls) {
  test(`${method} ${path} is refused in the words of its calls`, async (t) => {
    const answer = await client.send(method, path)
    t.is(answer.status, status, answer.text)
    const { errcode, error } = answer.body
    t.is(errcode, status === 405 ? -1 : -3)
    t.deepEqual(answer.body, { errcode, error, [member]: member === 'msg' ? error[0] : errcode })
    if (status === 405) t.truthy(answer.headers.get('allow'))
  })
}
