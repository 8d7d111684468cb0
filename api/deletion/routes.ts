import type { Place } from '../../activities/keys/places.ts'
import type { ObjectEngine } from '../../activities/objects/engine.ts'
import type { Registry } from '../../activities/registry/registry.ts'
import type { SchemaEdits } from '../../activities/schemas/edit/edits.ts'
import { isSoleStream } from '../../activities/schemas/schema-restorer.ts'
import type { Deletions } from '../../activities/undo/deletions.ts'
import type { Deletion } from '../../infra/catalogue/deletions.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import { sees } from '../auth/permit.ts'
import { createRoutes, define, inBucket, inDatabase, inGraph, inSchema, type Routes, read } from '../auth/routes.ts'
import { notesIn } from '../http/notes.ts'
import { databaseOf, parameter } from '../http/parameter.ts'
import { pathOf } from '../http/undo.ts'
import { bucketKeysOnWire } from '../objects/bucket.ts'
import { readBody } from '../objects/bucket-body.ts'
import * as calls from './calls.ts'

export type DeletionRoutesDeps = {
  readonly deletions: Pick<Deletions, 'list' | 'undelete'>
  readonly registry: Pick<Registry, 'find'>
  readonly edits: Pick<SchemaEdits, 'undeleteStream'>
  readonly buckets: Pick<ObjectEngine['buckets'], 'checkDeletion'>
  readonly changing: Audited
  readonly bodyLimit: number
}

export const undeleted = (what: AuditedChange['what'], name: string): AuditedChange => ({
  what,
  name,
  detail: 'undeleted',
})

/** The deletions that can be undone, and the calls that undo them. That of a schema is in api/streams/routes.ts, since it is a stream's path too. */
export function deletionRoutes(deps: DeletionRoutesDeps): Routes {
  const { deletions, registry, edits, buckets, changing, bodyLimit } = deps
  const routes = createRoutes()

  routes.get('/deleted', read('in list'), calls.listDeleted, async (context) => {
    const isShown = sees(context)
    const deleted = (await deletions.list())
      .filter((thing) => isShown(placeOf(thing)))
      .map((thing) => ({
        what: thing.kind,
        name: thing.name,
        ts: thing.deleted,
        undo_until: thing.until,
        undelete: `POST ${pathOf(thing)}/undelete`,
      }))
    context.body = { deleted, num_deleted: deleted.length }
  })

  /** The last stream of a schema went with its schema, any other one alone: the deletion that came last says which. */
  routes.post('/stream/:schema/:stream/undelete', define(inSchema), calls.undeleteStream, async (context) => {
    const [schema, stream] = [parameter(context, 'schema'), parameter(context, 'stream')]
    const isMeant = async (thing: Deletion) => isSoleStream(thing, stream)
    const last = (await deletions.list()).find(({ kind, name, body }) =>
      kind === 'stream'
        ? name === `${schema}.${stream}`
        : kind === 'schema' && name === schema && isSoleStream({ body }, stream),
    )
    if (last ? last.kind === 'stream' : registry.find(schema)) {
      const change = { ...undeleted('schema', schema), detail: `stream ${stream} undeleted` }
      await changing(context, change, () => edits.undeleteStream(schema, stream))
      context.body = { errcode: 0, msg: `stream ${schema}.${stream} is back` }
      return
    }
    await changing(context, undeleted('schema', schema), () => deletions.undelete('schema', schema, isMeant))
    context.body = { errcode: 0, msg: `stream ${schema}.${stream} is back, with its schema` }
  })

  routes.post('/graph/:graph/undelete', define(inGraph), calls.undeleteGraph, async (context) => {
    const graph = parameter(context, 'graph')
    await changing(context, undeleted('graph', graph), () => deletions.undelete('graph', graph))
    context.body = { errcode: 0, msg: `graph ${graph} is back` }
  })

  routes.post('/db/:database/:table/undelete', define(inDatabase), calls.undeleteTable, async (context) => {
    const name = `${databaseOf(context)}.${parameter(context, 'table')}`
    await changing(context, undeleted('table', name), () => deletions.undelete('table', name))
    context.body = { errcode: 0, msg: `table ${name} is back` }
  })

  routes.post('/brs/:bucket/undelete', define(inBucket), calls.undeleteBucket, async (context) => {
    const bucket = parameter(context, 'bucket')
    const { keys, notes } = await readBody(context, bodyLimit, bucketKeysOnWire.shape, () => undefined)
    const isMeant = async (thing: Deletion): Promise<boolean> => {
      await buckets.checkDeletion(thing, keys)
      return true
    }
    await changing(context, undeleted('bucket', bucket), () => deletions.undelete('bucket', bucket, isMeant))
    context.body = { success: 0, msg: `bucket ${bucket} is back`, ...notesIn(notes) }
  })

  return routes
}

function placeOf({ kind, name }: Deletion): Place {
  const [first = ''] = name.split('.')
  if (kind === 'table') return `db:${first}`
  return kind === 'stream' ? `schema:${first}` : `${kind}:${name}`
}
