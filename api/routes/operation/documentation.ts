import { createReadStream } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createDocument, type DescribedRoute } from '../../../calls/document/document.ts'
import * as calls from '../../../calls/service.ts'
import { fault } from '../../../infra/faults.ts'
import { version } from '../../../infra/version.ts'
import { parameter } from '../../decode/parameter.ts'
import { createRoutes, open, type Routes, read } from '../../gate/routes.ts'

/** All addresses are the service's own: the page works where no other is to be reached. */
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Weir: every call</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="calls"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/show.js"></script>
</body>
</html>
`
const show = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#calls', deepLinking: true, docExpansion: 'none', validatorUrl: null })\n`

const rules = [
  "default-src 'none'",
  "script-src 'self'",
  // The page's own elements carry styles.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const guard = {
  'Content-Security-Policy': rules,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

const script = 'text/javascript'

/** What the page loads: its type, and its text, or the file that holds it. */
const files: ReadonlyMap<string, { readonly type: string; readonly text?: string; readonly file?: string }> = new Map([
  ['show.js', { type: script, text: show }],
  ['swagger-ui.css', { type: 'text/css', file: import.meta.resolve('swagger-ui-dist/swagger-ui.css') }],
  ['swagger-ui-bundle.js', { type: script, file: import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js') }],
])

/** OpenAPI of the calls that this process answers, and a page that shows it: decisions 11. */
export function documentationRoutes(described: () => readonly DescribedRoute[]): Routes {
  const routes = createRoutes()
  const tag = `"${version()}"`
  let document: string | undefined

  routes.get('/openapi.json', open, calls.openApi, (context) => {
    document ??= JSON.stringify(createDocument(described(), version()))
    context.type = 'application/json'
    context.body = document
  })

  routes.get('/docs', read('anywhere'), calls.docsPage, (context) => {
    context.set(guard)
    context.type = 'text/html'
    context.body = page
  })

  routes.get('/docs/:page', read('anywhere'), calls.docsFile, (context) => {
    const name = parameter(context, 'page')
    const found = files.get(name)
    if (found === undefined) throw fault('missing', `there is no file ${JSON.stringify(name.slice(0, 40))}; GET /docs`)
    context.set({ ...guard, ETag: tag })
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
