import type { Context } from 'koa'
import type { ImportEngine, ShownImport } from '../../activities/imports/engine.ts'
import type { Place } from '../../activities/keys/places.ts'
import type { Scope } from '../../activities/keys/scopes.ts'
import { isObject, type Json, parseJson } from '../../base/json.ts'
import { decodeImport, type FileImport, importToWire } from '../../sql/import/definition.ts'
import type { Audited } from '../auth/audited.ts'
import { authorIn, mayHere, permit, sees } from '../auth/permit.ts'
import { createRoutes, type Routes, read, writeOrIngest } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import { seenOver, waitOf } from '../http/wait.ts'
import { headerKeys } from '../objects/bucket-body.ts'
import * as calls from './calls.ts'

export type ImportRoutesDeps = {
  readonly imports: ImportEngine
  readonly changing: Audited
  readonly bodyLimit: number
}

/** Files of buckets that become events. */
export function importRoutes({ imports, changing, bodyLimit }: ImportRoutesDeps): Routes {
  const routes = createRoutes()

  const sending = (context: Context): Scope => (mayHere(context, 'ingest') ? 'ingest' : 'write')

  /** The import, where the caller may do that with it: one that is not there belongs to no place. */
  async function found(context: Context, scope: Scope, id: string): Promise<ShownImport> {
    const there = await imports.find(id)
    permit(context, scope, there && placeOf(there.definition))
    if (there) return there
    throw imports.missing(id)
  }

  /** The bucket takes `read`, the stream a right to send events there. */
  function permitImport(context: Context, wire: Json): void {
    const { from, into } = isObject(wire) ? wire : {}
    const bucket = isObject(from) && typeof from.bucket === 'string' ? from.bucket : ''
    permit(context, 'read', `bucket:${bucket}`)
    permit(context, sending(context), `schema:${typeof into === 'string' ? into.split('.', 1)[0] : ''}`)
  }

  routes.post('/import', writeOrIngest('in body'), calls.startImport, async (context) => {
    const wait_ms = waitOf(context, 0)
    const wire = parseJson(await readText(context, bodyLimit, 'the import'), 'the import')
    permitImport(context, wire)
    const sent = decodeImport(wire)
    const by = authorIn(context)
    const { id } = await changing(
      context,
      (made?: { readonly id: string }) => ({ what: 'import' as const, name: made?.id ?? '', detail: 'begun' }),
      () => imports.start(sent, headerKeys(context), by),
      ({ isNew }) => isNew,
    )
    const seen = await seenOver(
      context,
      wait_ms,
      () => imports.find(id),
      (now) => now?.state !== 'running',
    )
    if (!seen) throw imports.missing(id)
    context.body = { ...shown(seen), errcode: 0 }
  })

  routes.get('/import', read('in list'), calls.listImports, async (context) => {
    const isSeen = sees(context)
    const list = (await imports.list()).filter(({ definition }) => isSeen(placeOf(definition)))
    context.body = { imports: list.map(inList), num_imports: list.length, errcode: 0 }
  })

  routes.get('/import/:import', read('in body'), calls.describeImport, async (context) => {
    context.body = { ...shown(await found(context, 'read', parameter(context, 'import'))), errcode: 0 }
  })

  routes.delete('/import/:import', writeOrIngest('in body'), calls.deleteImport, async (context) => {
    const id = parameter(context, 'import')
    await found(context, sending(context), id)
    const done = await changing(
      context,
      (how?: string) => ({ what: 'import' as const, name: id, detail: how ?? 'ended' }),
      () => imports.remove(id),
    )
    const msg =
      done === 'forgotten'
        ? `the import ${id} is forgotten; its events stay`
        : `the import ${id} is cancelled: it brings no further rows, and those that came stay`
    context.body = { errcode: 0, msg }
  })

  return routes
}

const placeOf = ({ into }: FileImport): Place => `schema:${into.schema}`

const shown = (found: ShownImport) => ({ ...inList(found), errors: found.progress.errors })

function inList({ id, definition, asked, state, progress, waits }: ShownImport) {
  const { reason, end_us, num_files, files_done, bytes, bytes_done, accepted, repeated, refused, notes } = progress
  return {
    id,
    ...importToWire(definition),
    state,
    ...(reason !== undefined && { reason }),
    ...(waits !== undefined && { waiting: waits }),
    begun: asked.at_us,
    ...(end_us !== undefined && { ended: end_us }),
    by: asked.by,
    progress: state === 'done' ? 1 : Math.floor((bytes_done / Math.max(bytes, bytes_done, 1)) * 1000) / 1000,
    num_files,
    files_done,
    bytes,
    accepted,
    ...(repeated > 0 && { repeated }),
    rejected: refused,
    ...(notes.length > 0 && { error: notes }),
  }
}
