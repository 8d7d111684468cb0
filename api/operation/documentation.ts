import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { fault } from '../../base/faults.ts'
import { version } from '../../infra/version.ts'
import { createRoutes, open, type Routes, read } from '../auth/routes.ts'
import { createDocument, type DescribedRoute } from '../document/document.ts'
import { earlierEdition } from '../document/earlier-edition.ts'
import { page, pageFiles, pageHeaders } from '../document/page.ts'
import { parameter } from '../http/parameter.ts'
import { deliverSend } from '../notifications/calls.ts'
import * as calls from './calls.ts'

/** OpenAPI of the calls that this process answers, and a page that shows it. */
export function documentationRoutes(described: () => readonly DescribedRoute[]): Routes {
  const routes = createRoutes()
  const tag = `"${version()}"`
  const documentOf = () => createDocument(described(), [deliverSend], version())
  let document: string | undefined
  let earlier: string | undefined

  routes.get('/openapi.json', open, calls.openApi, (context) => {
    document ??= JSON.stringify(documentOf())
    context.type = 'application/json'
    context.body = document
  })

  routes.get('/openapi-3.0.json', open, calls.openApiEarlier, (context) => {
    earlier ??= JSON.stringify(earlierEdition(documentOf()))
    context.type = 'application/json'
    context.body = earlier
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
