import type { Audit } from '../../activities/audit/audit.ts'
import type { Keys } from '../../activities/keys/keys.ts'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import { wholeNumber } from '../../sql/schema/values.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { admin, createRoutes, type Routes } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import { queryText } from '../http/url-text.ts'
import * as calls from './calls.ts'

export type KeyRoutesDeps = {
  readonly keys: Keys
  readonly audit: Audit
  readonly changing: Audited
  readonly bodyLimit: number
}

const changeOf = (name: string, detail: string): AuditedChange => ({ what: 'key', name, detail })
const maxChanges = 10_000
const usualChanges = 100
const limit = wholeNumber(1, maxChanges)

/** Keys, and the record of changes. */
export function keyRoutes({ keys, audit, changing, bodyLimit }: KeyRoutesDeps): Routes {
  const routes = createRoutes()

  routes.post('/keys', admin, calls.makeKey, async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the key'), 'the key')
    const { record, token: key, notes } = keys.draft(wire)
    const { id, name, scopes, places } = record
    const bound = places.length === 0 ? '' : ` on ${places.join(', ')}`
    const change = changeOf(id, `made: ${name}, ${scopes.join(', ')}${bound}`.slice(0, 1000))
    await changing(context, change, () => keys.add(record))
    context.body = { errcode: 0, id, key, ...(notes.length > 0 && { error: notes }) }
  })

  routes.get('/keys', admin, calls.listKeys, async (context) => {
    context.body = await keys.list()
  })

  routes.delete('/keys/:id', admin, calls.revokeKey, async (context) => {
    const id = parameter(context, 'id')
    await changing(context, changeOf(id, 'revoked'), () => keys.revoke(id))
    context.body = { errcode: 0 }
  })

  routes.get('/audit', admin, calls.listChanges, async (context) => {
    const asked = queryText(context, 'limit')
    const most = limit.safeParse(asked ?? usualChanges)
    if (!most.success) throw fault('invalid', `limit: ${most.error.issues.map(({ message }) => message).join('; ')}`)
    context.body = await audit.list(most.data)
  })

  return routes
}
