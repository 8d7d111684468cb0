import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { callerOf, whyDenied } from '../../activities/keys/doors.ts'
import type { KeyEngine } from '../../activities/keys/engine.ts'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import { callerIn } from '../auth/permit.ts'
import { createRoutes, open, type Routes } from '../auth/routes.ts'
import { cookieOf, noCookieOf } from '../auth/session-cookie.ts'
import { isSameOrigin } from '../browsers/same-origin.ts'
import { readText } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'
import { packedFor, type ReadPage } from './files.ts'
import { assetHeaders } from './headers.ts'
import { showPage } from './show.ts'

export type ConsoleRoutesDeps = {
  /** Absent where it was not built. */
  readonly readPage: ReadPage | undefined
  readonly keys: Pick<KeyEngine, 'find' | 'isRequired'>
}

const maxBody = 16 * 1024

/** The page for browsers, its files, and the cookie that holds its key. */
export function consoleRoutes({ readPage, keys }: ConsoleRoutesDeps): Routes {
  const routes = createRoutes()

  routes.get('/console/session', open, calls.session, (context) => {
    const { by, scopes, on } = callerIn(context)
    context.set('Cache-Control', 'no-store')
    context.body = {
      keys: keys.isRequired ? 'required' : 'off',
      id: by === '' ? null : by,
      scopes: [...scopes],
      on: on === undefined ? null : [...on],
    }
  })

  routes.post('/console/session', open, calls.signIn, async (context) => {
    refuseOtherSites(context.req)
    const body = calls.keyOnWire.safeParse(parseJson(await readText(context, maxBody, 'the key'), 'the key'))
    if (!body.success) throw fault('invalid', `send {"key"}: ${z.prettifyError(body.error).replaceAll('\n', '; ')}`)
    if (!keys.isRequired) {
      context.body = { errcode: 0, error: ['keys are off (API_KEYS): every caller may do everything'] }
      return
    }
    const { key } = body.data
    if (!callerOf(keys, [key])) throw fault('denied', whyDenied([key]), { headers: { 'WWW-Authenticate': 'Bearer' } })
    context.set('Set-Cookie', cookieOf(context.req, key))
    context.body = { errcode: 0 }
  })

  routes.delete('/console/session', open, calls.signOut, (context) => {
    refuseOtherSites(context.req)
    context.set('Set-Cookie', noCookieOf(context.req))
    context.body = { errcode: 0 }
  })

  routes.get('/console/assets/:asset', open, calls.consoleFile, async (context) => {
    const name = parameter(context, 'asset')
    const asset = (await readPage?.())?.assets.get(name)
    if (!asset)
      throw fault('missing', `the console has no file ${JSON.stringify(name.slice(0, 60))}; load the page anew`)
    const { bytes, encoding } = packedFor(asset, (each) => context.acceptsEncodings(each) === each)
    context.set({ ...assetHeaders, ETag: `"${name}"` })
    context.vary('Accept-Encoding')
    context.status = 200
    if (context.fresh) {
      context.status = 304
      return
    }
    if (encoding !== undefined) context.set('Content-Encoding', encoding)
    context.set('Content-Type', asset.type)
    context.body = bytes
  })

  routes.get(['/console', '/console/{*place}'], open, calls.consolePage, async (context) => {
    if (!readPage) throw fault('missing', 'the console was not built: npm run build')
    showPage(context, await readPage())
  })

  return routes
}

/** Another site's page may neither sign its visitor in, to see what is done, nor out. Programs say nothing of sites. */
function refuseOtherSites(request: IncomingMessage): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if ((origin === undefined && site === undefined) || isSameOrigin(request)) return
  throw fault('forbidden', 'a page of another site sent this: sign in on the page of the service itself')
}
