import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Context } from 'koa'
import type { Told } from '../../activities/saved/saved.ts'
import { fault } from '../../base/faults.ts'
import { version } from '../../infra/version.ts'
import { callerIn, mayHere, sees } from '../auth/permit.ts'
import { createRoutes, open, type Routes, read } from '../auth/routes.ts'
import { createDocument, type DescribedRoute } from '../document/document.ts'
import { earlierEdition } from '../document/earlier-edition.ts'
import { page, pageFiles, pageHeaders } from '../document/page.ts'
import { parameter } from '../http/parameter.ts'
import { deliverSend } from '../notifications/calls.ts'
import { pathsOf } from '../saved/document.ts'
import * as calls from './calls.ts'

/** A document shows as many saved questions. */
const maxQuestions = 1_000

/** OpenAPI of the calls that this process answers, and a page that shows it. */
export function documentationRoutes(
  described: () => readonly DescribedRoute[],
  questions: () => readonly Told[],
): Routes {
  const routes = createRoutes()
  const tag = `"${version()}"`
  const documentOf = () => createDocument(described(), [deliverSend], version())
  const edition = (make: () => Record<string, unknown>) => {
    let made: { readonly whole: Record<string, unknown>; readonly text: string } | undefined
    return () => {
      if (made) return made
      const whole = make()
      made = { whole, text: JSON.stringify(whole) }
      return made
    }
  }
  const [present, earlier] = [edition(documentOf), edition(() => earlierEdition(documentOf()))]

  /** With the saved questions that the caller may ask; a caller without a key sees none where keys are asked for. */
  function withQuestions(context: Context, { whole, text }: ReturnType<typeof present>): string {
    const isSeen = sees(context)
    const asked = mayHere(context, 'read') ? questions().filter(({ name }) => isSeen(`saved:${name}`)) : []
    if (asked.length === 0) return text
    const caller = callerIn(context)
    const ofQuestions = asked.slice(0, maxQuestions).map((told) => pathsOf(told, caller))
    const paths = Object.assign({}, whole.paths, ...ofQuestions)
    return JSON.stringify({ ...whole, paths })
  }

  routes.get('/openapi.json', open, calls.openApi, (context) => {
    context.type = 'application/json'
    context.body = withQuestions(context, present())
  })

  routes.get('/openapi-3.0.json', open, calls.openApiEarlier, (context) => {
    context.type = 'application/json'
    context.body = withQuestions(context, earlier())
  })

  routes.get('/docs', read('anywhere'), calls.docsPage, (context) => {
    context.set(pageHeaders)
    context.type = 'text/html'
    context.body = page
  })

  routes.get('/docs/:page', read('anywhere'), calls.docsFile, (context) => {
    const name = parameter(context, 'page')
    const found = pageFiles.get(name)
    if (found === undefined) throw fault('missing', `there is no file ${JSON.stringify(name.slice(0, 40))}; GET /docs`)
    context.set({ ...pageHeaders, ETag: tag })
    context.status = 200
    if (context.fresh) {
      context.status = 304
      return
    }
    const { type, text, file } = found
    context.type = type
    context.body = file === undefined ? text : createReadStream(fileURLToPath(file))
  })

  return routes
}
