/** The page that shows OpenAPI to people. */

/** All addresses are the service's own: the page works where no other server can be reached. */
export const page = `<!doctype html>
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

/** Headers of all of them. */
export const pageHeaders = {
  'Content-Security-Policy': rules,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
}

const script = 'text/javascript'

export type PageFile = { readonly type: string; readonly text?: string; readonly file?: string }

/** The files that the page loads: the type of each, and its text, or the address of the file that holds it. */
export const pageFiles: ReadonlyMap<string, PageFile> = new Map([
  ['show.js', { type: script, text: show }],
  ['swagger-ui.css', { type: 'text/css', file: import.meta.resolve('swagger-ui-dist/swagger-ui.css') }],
  ['swagger-ui-bundle.js', { type: script, file: import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js') }],
])
