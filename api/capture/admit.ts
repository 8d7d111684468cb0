import type { Context } from 'koa'
import { type StreamName, streamOf, type WriteKey } from '../../activities/capture/write-key.ts'
import { ingestOf } from '../../activities/ingest/accept.ts'
import { nobody } from '../../activities/keys/caller.ts'
import { callerOf, whyDenied } from '../../activities/keys/doors.ts'
import type { KeyEngine } from '../../activities/keys/engine.ts'
import type { Registry } from '../../activities/registry/registry.ts'
import { fault } from '../../base/faults.ts'
import type { Count } from '../auth/identify.ts'
import { callerIn, mayHere, permit } from '../auth/permit.ts'
import { shownKeys } from '../auth/shown-keys.ts'

export type AdmitDeps = {
  readonly keys: Pick<KeyEngine, 'find' | 'isRequired'>
  readonly registry: Registry
  readonly count: Count
}

/** Admits requests of vendors' clients, whose keys stand in places of their own. */
export function createAdmit({ keys, registry, count }: AdmitDeps) {
  /** Finds the caller by the key in that place, or by one in a usual header: fault `denied` where there is none. */
  function identify(context: Context, key: string | undefined): void {
    if (!keys.isRequired || (key === undefined && callerIn(context) !== nobody)) return
    const shown = [...new Set([...shownKeys(context.req.rawHeaders), ...(key === undefined ? [] : [key])])]
    const found = callerOf(keys, shown)
    const why = shown.length === 0 ? 'this needs a key of Weir where the client has its write key' : whyDenied(shown)
    if (!found) throw fault('denied', why, { headers: { 'WWW-Authenticate': 'Bearer' } })
    if (callerIn(context) === nobody) count(context, found, { isAddressCounted: true })
    context.state.caller = found
  }

  /** Fault `forbidden` unless the caller may post events to that schema; whether its key may stand in a page. */
  function permitIn(context: Context, schema: string): { readonly isOfPage: boolean } {
    permit(context, mayHere(context, 'ingest') ? 'ingest' : 'write', `schema:${schema}`)
    return { isOfPage: !mayHere(context, 'write') }
  }

  /** Whether a schema, and a stream that takes events, is there. */
  function check(schema: string, stream: string | undefined): void {
    if (stream === undefined) registry.schema(schema)
    else ingestOf(registry.stream(schema, stream))
  }

  return {
    identify,
    permitIn,
    check,

    /** The stream of a write key, for which it is good, and which takes events. */
    streamFor(context: Context, writeKey: WriteKey): StreamName & { readonly isOfPage: boolean } {
      identify(context, writeKey.key)
      const { schema, stream } = streamOf(writeKey, callerIn(context), registry)
      const permitted = permitIn(context, schema)
      check(schema, stream)
      return { schema, stream, ...permitted }
    },
  }
}

export type Admit = ReturnType<typeof createAdmit>
