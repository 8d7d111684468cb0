import type { Audit } from '../../activities/audit/audit.ts'
import type { Keys } from '../../activities/keys/keys.ts'
import { decodeTokenRequest, type PageTokens } from '../../activities/keys/page-tokens.ts'
import type { Saved } from '../../activities/saved/saved.ts'
import { parseJson } from '../../base/json.ts'
import { refuseUnfit } from '../../sql/saved/values.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { callerIn, permit } from '../auth/permit.ts'
import { admin, createRoutes, type Routes, read } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { pagingOf } from '../http/listing.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'

export type KeyRoutesDeps = {
  readonly keys: Keys
  readonly tokens: PageTokens
  /** Whether keys are asked for. */
  readonly isRequired: boolean
  readonly saved: Pick<Saved, 'find'>
  readonly audit: Audit
  readonly changing: Audited
  readonly bodyLimit: number
}

const changeOf = (name: string, detail: string): AuditedChange => ({ what: 'key', name, detail })
const bindsNobody = 'keys are off, so everybody asks everything: the token binds nobody (API_KEYS=require)'
const maxChanges = 10_000
const usualChanges = 100

/** Keys, and the record of changes. */
/** A checksum is no secret: a client that makes a cursor may write another text into it. */
const timeIn = (key: string | undefined): string | undefined => (/^\d{1,18}$/.test(key ?? '') ? key : undefined)

export function keyRoutes({ keys, tokens, isRequired, saved, audit, changing, bodyLimit }: KeyRoutesDeps): Routes {
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

  // A token reads what its maker may read: no key is made, and no record of it.
  routes.post('/keys/token', read('in body'), calls.makeToken, async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the token'), 'the token')
    const asked = decodeTokenRequest(wire)
    permit(context, 'read', `saved:${asked.saved}`)
    const { question } = saved.find(asked.saved)
    const made = tokens.make(asked, callerIn(context))
    refuseUnfit(asked.fixed, question)
    context.set('Cache-Control', 'no-store')
    context.body = { errcode: 0, ...made, ...(!isRequired && { error: [bindsNobody] }) }
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
    const paging = pagingOf(context, { max: maxChanges })
    // One more tells whether any remain.
    context.body = await audit.list(paging ? paging.limit + 1 : usualChanges, timeIn(paging?.after?.key))
  })

  return routes
}
