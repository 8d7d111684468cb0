import type { HookEngine } from '../../activities/hooks/engine.ts'
import type { HookChange, NamedHook } from '../../activities/hooks/hooks.ts'
import { ingestOf } from '../../activities/ingest/accept.ts'
import { nobody } from '../../activities/keys/caller.ts'
import type { Place } from '../../activities/keys/places.ts'
import type { Registry } from '../../activities/registry/registry.ts'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import { decodeHook, type Hook, hookToWire } from '../../sql/hook/definition.ts'
import { checkName } from '../../sql/schema/check/name.ts'
import type { Audited } from '../auth/audited.ts'
import { createDoorRights } from '../auth/door-rights.ts'
import { leaveBody } from '../auth/identify.ts'
import { authorIn, callerIn, sees } from '../auth/permit.ts'
import { createRoutes, define, open, type Routes, read } from '../auth/routes.ts'
import { readBytes, readText } from '../http/body.ts'
import { isDry } from '../http/flags.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'

export type HookRoutesDeps = HookEngine & {
  readonly registry: Registry
  readonly changing: Audited
  readonly bodyLimit: number
}

const shown = ({ name, hook, secrets, at, author }: NamedHook) => ({
  name,
  ...hookToWire(hook),
  num_secrets: secrets.length,
  changed: at,
  by: author,
})

const placeOf = ({ hook: { into } }: Pick<NamedHook, 'hook'>): Place => `schema:${into.schema}`

/** Doors for signed webhooks, and deliveries to them. */
export function hookRoutes({ hooks, deliveries, receive, registry, changing, bodyLimit }: HookRoutesDeps): Routes {
  const routes = createRoutes()

  const { found, permitInto } = createDoorRights({ ...hooks, placeOf })

  routes.put('/hook/:hook', define('in body'), calls.putHook, async (context) => {
    const name = parameter(context, 'hook')
    const problem = checkName(name)
    if (problem !== undefined) throw fault('invalid', `the name ${problem}`)
    const wire = parseJson(await readText(context, bodyLimit, 'the hook'), 'the hook')
    permitInto(context, name, wire)
    const sent = decodeHook(wire)
    const { schema, stream } = sent.hook.into
    ingestOf(registry.stream(schema, stream))
    const notes = notesOf(sent.hook)
    const author = authorIn(context)
    const dry = isDry(context.query)
    const change = dry
      ? hooks.wouldPut(name, sent)
      : await changing(
          context,
          (made?: HookChange) => ({ what: 'hook' as const, name, detail: detailOf(made) }),
          () => hooks.put(name, sent, author),
          ({ isChanged }) => isChanged,
        )
    const done = change.isNew ? 'made' : 'changed'
    const msg = change.isChanged
      ? `the hook ${name} ${dry ? `would be ${done}` : `is ${done}`}: the sender posts to /hook/${name}`
      : `the hook ${name} is that already: nothing ${dry ? 'would change' : 'changed'}`
    context.body = { errcode: 0, msg, ...(dry && { dry: 1 }), ...(notes.length > 0 && { error: notes }) }
  })

  routes.get('/hook', read('in list'), calls.listHooks, (context) => {
    const isSeen = sees(context)
    const list = hooks.list().filter((each) => isSeen(placeOf(each)))
    context.body = { hooks: list.map(shown), num_hooks: list.length, errcode: 0 }
  })

  routes.get('/hook/:hook', read('in body'), calls.describeHook, (context) => {
    const named = found(context, 'read', parameter(context, 'hook'))
    context.body = { ...shown(named), ...deliveries.list(named.name), errcode: 0 }
  })

  routes.delete('/hook/:hook', define('in body'), calls.deleteHook, async (context) => {
    const name = parameter(context, 'hook')
    found(context, 'define', name)
    if (isDry(context.query)) {
      context.body = { errcode: 0, dry: 1, msg: `the hook ${name} would be deleted; its events stay` }
      return
    }
    const author = authorIn(context)
    await changing(context, { what: 'hook', name, detail: 'deleted' }, () => hooks.remove(name, author))
    context.body = { errcode: 0, msg: `the hook ${name} is deleted; its events stay` }
  })

  routes.post('/hook/:hook', open, calls.deliver, async (context) => {
    const name = parameter(context, 'hook')
    let take: ReturnType<typeof receive>
    try {
      const named = hooks.find(name)
      if (!named) throw callerIn(context) === nobody ? nothingFor(name) : hooks.missing(name)
      take = receive(named, context.req.headers)
    } catch (error) {
      leaveBody(context.req)
      throw error
    }
    context.body = await take(await readBytes(context, bodyLimit))
  })

  return routes
}

/** Where there are keys, a stranger does not learn which hooks there are by a status of its own. */
const nothingFor = (name: string) =>
  fault('denied', `no hook ${JSON.stringify(name.slice(0, 64))} takes this request`, {
    headers: { 'WWW-Authenticate': 'Signature' },
  })

const detailOf = (made: HookChange | undefined): string => {
  if (!made) return 'put'
  return `${made.isNew ? 'made' : 'changed'}${made.hasNewSecrets && !made.isNew ? ', with other secrets' : ''}`
}

const hasOwnId: readonly string[] = ['stripe', 'slack', 'standard']

/** Sentences about things that the maker of a hook may not have meant. */
const notesOf = ({ id, verify, map = {} }: Hook): string[] => [
  ...(id || hasOwnId.includes(verify.scheme)
    ? []
    : [
        `id: is not there, and ${verify.scheme} signs none: a delivery that is sent twice counts twice; name the path of an id in the body, or {"hash": "body"} where no two deliveries have equal bodies`,
      ]),
  ...Object.entries(map).flatMap(([attribute, path]) => {
    const meant = pathMeant(path)
    const shown = JSON.stringify(path.slice(0, 100))
    if (meant === undefined) return []
    return [
      `map.${attribute} is ${shown}, of which each part between dots is the name of a member; did you mean ${JSON.stringify(meant)}?`,
    ]
  }),
]

/** The path that was meant by one of JSONPath, of jq, or a JSON Pointer; undefined of any other. A member may be called so. */
function pathMeant(path: string): string | undefined {
  if (path.length > 200) return undefined
  const parts = path.startsWith('/') ? path.slice(1).replaceAll('/', '.') : path
  const meant = parts.replaceAll(/\[(\d{1,9})\]/g, '.$1').replace(/^\$?\./, '')
  return meant === path || meant === '' ? undefined : meant
}
