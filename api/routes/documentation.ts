import { version } from '../../infra/version.ts'
import * as calls from '../describe/calls/service.ts'
import { createDocument, type DescribedRoute } from '../describe/document.ts'
import { createRoutes, open, type Routes } from '../gate/routes.ts'

/** OpenAPI of the calls that this process answers, and a page that shows it: decisions 11. */
export function documentationRoutes(described: () => readonly DescribedRoute[]): Routes {
  const routes = createRoutes()
  let document: string | undefined

  routes.get('/openapi.json', open, calls.openApi, (context) => {
    document ??= JSON.stringify(createDocument(described(), version()))
    context.type = 'application/json'
    context.body = document
  })

  return routes
}
