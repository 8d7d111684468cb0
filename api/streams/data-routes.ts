import { placesOfFile } from '../../activities/models/training/places.ts'
import type { Registry } from '../../activities/schemas/registry.ts'
import type { StreamUpload } from '../../jobs/stream-upload.ts'
import { encodeCode, streamKinds } from '../../sql/schema/codes.ts'
import { dependenciesOf } from '../../sql/schema/dependencies.ts'
import { permit } from '../auth/permit.ts'
import { createRoutes, inSchema, type Routes, read, train } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { isEventual } from '../http/flags.ts'
import { parameter } from '../http/parameter.ts'
import * as calls from './calls.ts'
import { readUpload } from './upload.ts'

export type StreamDataRoutesDeps = {
  readonly registry: Registry
  readonly upload: StreamUpload
  readonly bodyLimit: number
}

/** How streams hang together, and their events as a training file. */
export function streamDataRoutes({ registry, upload, bodyLimit }: StreamDataRoutesDeps): Routes {
  const routes = createRoutes()

  routes.get('/stream/:schema/depgraph', read(inSchema), calls.dependencies, (context) => {
    const { schema } = registry.schema(parameter(context, 'schema'))
    const dependencies = dependenciesOf(schema)
    const nodes = schema.streams.map(({ name, kind }) => ({
      node: name,
      type: encodeCode(streamKinds, kind),
      parent: dependencies.get(name)?.parents ?? [],
      children: dependencies.get(name)?.children ?? [],
    }))
    context.body = { schema: schema.name, node_info: nodes }
  })

  routes.post('/stream/upload_data', train('in body'), calls.uploadEvents, async (context) => {
    const { schema, stream, ...request } = readUpload(await readText(context, bodyLimit, 'the request'))
    for (const place of [`schema:${schema}` as const, ...placesOfFile(request.model, request.file)])
      permit(context, 'train', place)
    const target = registry.stream(schema, stream)
    const { lines, bytes } = await upload(target, { ...request, eventual: isEventual(context.query) })
    const msg = `the events of ${schema}.${stream} are uploaded as ${request.file}`
    context.body = { msg, num_lines: lines, file_size_bytes: bytes }
  })

  return routes
}
