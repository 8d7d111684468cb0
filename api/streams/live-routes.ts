import type { Context } from 'koa'
import type { Beginning } from '../../activities/live/beginning.ts'
import type { LiveEngine } from '../../activities/live/engine.ts'
import { type Position, positionOf } from '../../activities/live/position.ts'
import type { Registry } from '../../activities/registry/registry.ts'
import { wholeNumber } from '../../base/decode/values.ts'
import { fault } from '../../base/faults.ts'
import type { LiveClients } from '../auth/live-clients.ts'
import { createRoutes, inSchema, type Routes, read } from '../auth/routes.ts'
import { answerEventStream } from '../http/event-stream.ts'
import { parameter } from '../http/parameter.ts'
import { strayIn } from '../http/stray.ts'
import { queryText } from '../http/url-text.ts'
import * as calls from './calls.ts'

export type LiveRoutesDeps = {
  readonly registry: Pick<Registry, 'stream'>
  readonly live: Pick<LiveEngine, 'events'>
  readonly clientOf: LiveClients
}

const lastEvents = wholeNumber(0, 1_000)

/** The events of a stream, as they come. */
export function liveRoutes({ registry, live, clientOf }: LiveRoutesDeps): Routes {
  const routes = createRoutes()

  routes.get('/stream/:schema/:stream/live', read(inSchema), calls.followEvents, async (context) => {
    const target = registry.stream(parameter(context, 'schema'), parameter(context, 'stream'))
    const where = queryText(context, 'where')
    const from = beginningOf(context)
    const client = clientOf(context)
    const notes = strayIn(context.query, calls.followEvents)
    const request = { target, from, client, notes, ...(where !== undefined && { where }) }
    answerEventStream(context, await live.events(request))
  })

  return routes
}

/** A browser that comes back sends the address of before and the id of the last event: that is the later one. */
function beginningOf(context: Context): Beginning {
  const [last, after] = [queryText(context, 'last'), queryText(context, 'after')]
  if (last !== undefined && after !== undefined) throw fault('invalid', 'send last or after, not both')
  const max = last === undefined ? undefined : lastEvents.safeParse(last)
  if (max?.error) throw fault('invalid', `last: ${max.error.issues.map(({ message }) => message).join('; ')}`)
  const given = after === undefined ? undefined : idIn(after, 'after')
  const came = context.get('Last-Event-ID')
  if (came !== '') return { after: idIn(came, 'Last-Event-ID') }
  if (given) return { after: given }
  return max === undefined ? 'now' : { last: max.data }
}

function idIn(text: string, name: string): Position {
  const position = positionOf(text)
  if (position) return position
  throw fault('invalid', `${name}: send the id of the last event that came, got ${JSON.stringify(text.slice(0, 40))}`)
}
