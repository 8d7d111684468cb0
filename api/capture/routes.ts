import type { Context } from 'koa'
import type { CaptureEngine } from '../../activities/capture/engine.ts'
import { readWriteKey, streamIn } from '../../activities/capture/write-key.ts'
import { precisionOf } from '../../activities/capture/write-lines.ts'
import { fault } from '../../base/faults.ts'
import { createRoutes, open, type Routes } from '../auth/routes.ts'
import { readBytes } from '../http/body.ts'
import type { Admit } from './admit.ts'
import * as calls from './calls.ts'

export type CaptureRoutesDeps = CaptureEngine & {
  readonly admit: Admit
  readonly bodyLimit: number
}

/** Events of the clients of vendors, each in its vendor's form. */
export function captureRoutes({ admit, writeLines, bodyLimit }: CaptureRoutesDeps): Routes {
  const routes = createRoutes()

  routes.post('/api/v2/write', open, calls.writeLines, async (context) => {
    const { key } = readWriteKey(tokenIn(context))
    admit.identify(context, key)
    const bucket = once(context, 'bucket') ?? ''
    const { schema, stream } = streamIn(bucket) ?? { schema: bucket }
    if (!/^\w+$/.test(schema))
      throw fault(
        'invalid',
        'bucket: expected a stream as <schema>.<stream>, or a schema whose streams the measurements name',
      )
    const precision = precisionOf(once(context, 'precision'))
    const { isOfPage } = admit.permitIn(context, schema)
    admit.check(schema, stream)
    const body = await readBytes(context, bodyLimit)
    const written = await writeLines({ body, schema, precision, isOfPage, ...(stream !== undefined && { stream }) })
    const { accepted, rejected, errors } = written
    const [first] = errors
    if (first === undefined) {
      context.status = 204
      return
    }
    const more = rejected > 1 ? `, and ${rejected - 1} more` : ''
    const message = `${accepted > 0 ? 'partial write: ' : ''}line ${first.line}: ${first.error}${more}; dropped=${rejected}`
    context.status = 400
    context.body = {
      ...{ errcode: -1, error: [message], code: 'invalid', message, line: first.line },
      ...{ accepted, rejected, errors },
    }
  })

  return routes
}

/** `Authorization: Token <key>`; a key in a usual header is found without it. */
const tokenIn = ({ req }: Context): string => /^Token +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1] ?? ''

/** A parameter that may be there once. */
function once({ query }: Context, name: string): string | undefined {
  const value = query[name]
  if (Array.isArray(value)) throw fault('invalid', `${name}: is there more than once`)
  return value
}
