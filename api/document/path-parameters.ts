import { z } from 'zod'
import { properties } from '../../activities/graphs/algorithms/names.ts'
import { clientName } from '../../sql/schema/values.ts'
import type { Parameter } from '../http/call.ts'

const flag = z.enum(['0', '1'])

/** What stands in paths, by its name there. */
const parameters: Readonly<Record<string, Parameter>> = {
  schema: { says: 'the name of a schema', schema: clientName },
  stream: { says: 'the name of a stream of the schema', schema: clientName },
  database: { says: 'the name of a database', schema: clientName },
  table: { says: 'the name of a table of the database', schema: clientName },
  index: { says: 'the path that an index covers', schema: z.string().min(1) },
  graph: { says: 'the name of a graph', schema: clientName },
  algorithm: { says: 'the name of an algorithm', schema: z.enum(Object.keys(properties)) },
  model: { says: 'the name of a model', schema: clientName },
  file: { says: 'the name of a file, as the prediction was asked for', schema: z.string().min(1) },
  bucket: { says: 'the name of a bucket', schema: z.string().min(1) },
  key: { says: 'the key of an object; its slashes stay as they are', schema: z.string().min(1) },
  page: {
    says: 'the name of a file of the page',
    schema: z.enum(['swagger-ui.css', 'swagger-ui-bundle.js', 'show.js']),
  },
  id: { says: 'the id of a key', schema: z.string().min(1) },
  notification: { says: 'the notifid of a template', schema: z.string().regex(/^\d{1,16}$/) },
  flag: { says: '0 for brief items, 1 for verbose ones', schema: flag },
  verbose: { says: '0 for brief items, 1 for verbose ones', schema: flag },
  type: { says: '1 for a file, in the background; 2 for a line, at once', schema: z.enum(['1', '2']) },
}

/** Throws for a name of which nothing is said. */
export function pathParameter(name: string): Parameter {
  const found = parameters[name]
  if (found) return found
  throw new Error(`api/document/path-parameters.ts says nothing of :${name}`)
}

/** As OpenAPI writes it: `/db/{database}/list`. */
export const openApiPath = (path: string): string => path.replace(/\{\*(\w+)\}/g, '{$1}').replace(/:(\w+)/g, '{$1}')

export const namesIn = (path: string): string[] =>
  [...openApiPath(path).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
