import { lazy, useLocation } from 'preact-iso'
import { may } from '../../api/session.ts'
import { partsOf } from '../../parts/paths.ts'

// Each brings a library of its own: an editor, a layout of graphs, charts.
const SchemaEditor = lazy(() => import('./schema-editor.tsx').then(({ SchemaEditor }) => SchemaEditor))
const SchemaPage = lazy(() => import('./schema-page.tsx').then(({ SchemaPage }) => SchemaPage))
const StreamPage = lazy(() => import('./stream-page.tsx').then(({ StreamPage }) => StreamPage))

/** `/console/streams/S/ST` shows a stream, `/console/streams/S` a schema, `/console/streams` the first schema. */
export default function Streams({ rest = '' }: { readonly rest?: string }) {
  const { query } = useLocation()
  const [schema, stream] = partsOf(rest)
  // A key that may not define sees the schema instead.
  const isEdited = may('define')
  if (isEdited && query.do === 'register') return <SchemaEditor />
  if (schema === undefined) return <SchemaPage />
  if (isEdited && query.do === 'edit') return <SchemaEditor key={schema} schema={schema} />
  if (stream === undefined) return <SchemaPage schema={schema} />
  return <StreamPage key={`${schema}/${stream}`} schema={schema} stream={stream} />
}
