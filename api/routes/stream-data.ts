import { problemOfFile } from '../../activities/objects/model-objects.ts'
import type { Registry } from '../../activities/schemas/registry.ts'
import { fault } from '../../infra/faults.ts'
import { isObject, parseJson } from '../../infra/json.ts'
import { createProblems } from '../../sql/schema/check/problems.ts'
import { encodeCode, streamKinds } from '../../sql/schema/codes.ts'
import { createPart } from '../../sql/schema/decode/part.ts'
import { dependenciesOf } from '../../sql/schema/dependencies.ts'
import { clientName, name, text, whole } from '../../sql/schema/values.ts'
import { readText } from '../decode/body.ts'
import { isEventual } from '../decode/flags.ts'
import { parameter } from '../decode/parameter.ts'
import { permit } from '../gate/permit.ts'
import { createRoutes, inSchema, type Routes, read, train } from '../gate/routes.ts'
import type { StreamUpload, Upload } from '../jobs/stream-upload.ts'

export type StreamDataRoutesDeps = {
  readonly registry: Registry
  readonly upload: StreamUpload
  readonly bodyLimit: number
}

/** How streams hang together, and their events as a training file: decisions 4. */
export function streamDataRoutes({ registry, upload, bodyLimit }: StreamDataRoutesDeps): Routes {
  const routes = createRoutes()

  routes.get('/stream/:schema/depgraph', read(inSchema), (context) => {
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

  routes.post('/stream/upload_data', train('in body'), async (context) => {
    const { schema, stream, ...request } = uploadOf(await readText(context, bodyLimit, 'the request'))
    permit(context, 'train', `schema:${schema}`)
    const target = registry.stream(schema, stream)
    const { lines, bytes } = await upload(target, { ...request, eventual: isEventual(context.query) })
    const msg = `the events of ${schema}.${stream} are uploaded as ${request.file}`
    context.body = { msg, num_lines: lines, file_size_bytes: bytes }
  })

  return routes
}

const fileName = name(problemOfFile)
/** To a thousand years. */
const duration = whole(1, 1000 * 366 * 86_400)

function uploadOf(body: string): Omit<Upload, 'eventual'> & { schema: string; stream: string } {
  const wire = parseJson(body, 'the request')
  if (!isObject(wire)) {
    throw fault('invalid', 'send {"schema-name", "stream-name", "model_name", "duration_sec", "file_name"}')
  }
  const problems = createProblems()
  const part = createPart(wire, '', problems)
  const request = {
    schema: part.take('schema-name', text) ?? '',
    stream: part.take('stream-name', text) ?? '',
    model: part.take('model_name', clientName) ?? '',
    duration_s: part.take('duration_sec', duration) ?? 0,
    file: part.take('file_name', fileName) ?? '',
  }
  problems.refuse()
  return request
}
