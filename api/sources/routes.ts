import type { Place } from '../../activities/keys/places.ts'
import { decodeSource, type Source, sourceToWire } from '../../activities/sources/definition.ts'
import type { ShownSource, SourceEngine } from '../../activities/sources/engine.ts'
import { lagOf } from '../../activities/sources/progress.ts'
import type { NamedSource, SourceChange } from '../../activities/sources/sources.ts'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import { checkName } from '../../sql/schema/check/name.ts'
import type { Audited } from '../auth/audited.ts'
import { createDoorRights } from '../auth/door-rights.ts'
import { authorIn, sees } from '../auth/permit.ts'
import { createRoutes, define, type Routes, read } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { isDry, isForced } from '../http/flags.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'

export type SourceRoutesDeps = {
  readonly sources: SourceEngine
  readonly changing: Audited
  readonly bodyLimit: number
}

const placeOf = ({ source: { into } }: Pick<NamedSource, 'source'>): Place => `schema:${into.schema}`

/** Topics of others that become events. */
export function sourceRoutes({ sources: engine, changing, bodyLimit }: SourceRoutesDeps): Routes {
  const routes = createRoutes()
  const { sources } = engine

  const { found, permitInto } = createDoorRights({ ...sources, placeOf })

  routes.put('/source/:source', define('in body'), calls.putSource, async (context) => {
    const name = parameter(context, 'source')
    const problem = checkName(name)
    if (problem !== undefined) throw fault('invalid', `the name ${problem}`)
    const wire = parseJson(await readText(context, bodyLimit, 'the source'), 'the source')
    permitInto(context, name, wire)
    const sent = decodeSource(wire)
    const author = authorIn(context)
    const dry = isDry(context.query)
    const change = dry
      ? await engine.put(name, sent, author, true)
      : await changing(
          context,
          (made?: SourceChange) => ({
            what: 'source' as const,
            name,
            detail: made === undefined ? 'put' : made.isNew ? 'made' : 'changed',
          }),
          () => engine.put(name, sent, author, false),
          ({ isChanged }) => isChanged,
        )
    context.body = { errcode: 0, msg: saysOf(name, sent.source, change, dry), ...(dry && { dry: 1 }) }
  })

  routes.put('/source/:source/:switch', define('in body'), calls.turnSource, async (context) => {
    const name = parameter(context, 'source')
    const state = parameter(context, 'switch')
    found(context, 'define', name)
    if (state !== 'ON' && state !== 'OFF') throw fault('missing', `a source is turned by /source/${name}/ON or /OFF`)
    if (isForced(context.query)) {
      if (state === 'OFF') throw fault('invalid', 'force: goes with ON alone')
      const change = { what: 'source' as const, name, detail: 'goes on without the process that is away' }
      await changing(context, change, () => engine.goOn(name, authorIn(context)))
      context.body = {
        errcode: 0,
        msg: `the source ${name} goes on without the process that is away: the last messages that it read may come twice, and the counts begin anew`,
      }
      return
    }
    const isChanged = await changing(
      context,
      { what: 'source', name, detail: `turned ${state}` },
      () => sources.turn(name, state === 'ON', authorIn(context)),
      Boolean,
    )
    context.body = { errcode: 0, msg: `the source ${name} is ${isChanged ? '' : 'already '}${state}` }
  })

  routes.get('/source', read('in list'), calls.listSources, async (context) => {
    const isSeen = sees(context)
    const list = (await engine.list()).filter((each) => isSeen(placeOf(each)))
    context.body = { sources: list.map(inList), num_sources: list.length, errcode: 0 }
  })

  routes.get('/source/:source', read('in body'), calls.describeSource, async (context) => {
    const name = parameter(context, 'source')
    found(context, 'read', name)
    const shown = await engine.find(name)
    if (!shown) throw sources.missing(name)
    const { partitions, errors, notes } = shown.progress
    context.body = {
      ...inList(shown),
      partitions: Object.entries(partitions).map(([partition, place]) => ({
        partition: Number(partition),
        next: place.next,
        end: place.end,
        lag: lagOf(place),
        ...(place.message !== undefined && { message: place.message }),
      })),
      errors,
      notes,
      errcode: 0,
    }
  })

  routes.delete('/source/:source', define('in body'), calls.deleteSource, async (context) => {
    const name = parameter(context, 'source')
    found(context, 'define', name)
    if (isDry(context.query)) {
      context.body = { errcode: 0, dry: 1, msg: `the source ${name} would be deleted; its events stay` }
      return
    }
    await changing(context, { what: 'source', name, detail: 'deleted' }, () => engine.remove(name, authorIn(context)))
    context.body = { errcode: 0, msg: `the source ${name} is deleted; its events stay` }
  })

  return routes
}

function saysOf(name: string, { kafka, from }: Source, change: SourceChange, dry: boolean): string {
  const { isNew, isChanged, beginsAnew } = change
  if (!isChanged) return `the source ${name} is that already: nothing ${dry ? 'would change' : 'changed'}`
  const [is, begins, goes] = dry ? ['would be', 'would begin', 'would go'] : ['is', 'begins', 'goes']
  const message = from === 'latest' ? 'next' : 'earliest'
  const where = beginsAnew ? `${begins} with the ${message} message of ${kafka.topic}` : `${goes} on where it was`
  return `the source ${name} ${is} ${isNew ? 'made' : 'changed'}: it ${where}`
}

function inList({ name, source, at, author, state, reason, progress }: ShownSource) {
  const { accepted, repeated, refused, skipped, lost, brought, since, partitions } = progress
  return {
    name,
    ...sourceToWire(source),
    state,
    ...(reason !== undefined && { reason, since }),
    lag: Object.values(partitions).reduce((sum, place) => sum + lagOf(place), 0),
    accepted,
    ...(repeated > 0 && { repeated }),
    rejected: refused,
    ...(skipped > 0 && { skipped }),
    ...(lost > 0 && { lost }),
    ...(brought !== undefined && { brought }),
    changed: at,
    by: author,
  }
}
