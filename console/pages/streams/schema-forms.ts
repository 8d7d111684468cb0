import { callText } from '../../api/client.ts'
import type { Suggest } from '../../parts/editor/completion.ts'
import type { LanguageName } from '../../parts/editor/languages.ts'
import { problemsInWords } from './definition-problems.ts'
import { firstDefinition } from './first-definition.ts'
import { firstSchema } from './first-schema.ts'
import { offersAt } from './schema-completion.ts'
import { type Problem, problemsIn, syntaxProblem } from './schema-problems.ts'
import type { Shape, Shapes } from './shapes.ts'
import { isObject } from './wire-schema.ts'
import { type WordsSchema, wordsOffered } from './words-completion.ts'

export type FormName = 'words' | 'wire'

/** A form in which a schema is written; the service takes and shows either. */
export type SchemaForm = {
  readonly title: string
  readonly language: LanguageName
  /** The content type of its texts. */
  readonly type: string
  /** The text that an editor begins with where nothing is registered yet. */
  readonly first: string
  load(schema: string, signal: AbortSignal): Promise<string>
  /** The problem for which the service is not asked. */
  brokenIn(text: string): Problem | undefined
  problemsIn(text: string, sentences: readonly string[]): readonly Problem[]
  /** The name of the schema in a text that the service has taken. */
  nameIn(text: string): string | undefined
  /** Completion by what the service says of the form. */
  loadSuggest(signal: AbortSignal): Promise<Suggest>
}

const jsonOf = async (
  name: 'GET /openapi.json' | 'GET /definition.schema.json',
  signal: AbortSignal,
): Promise<unknown> => JSON.parse(await callText(name, { signal }))

export const schemaForms: Readonly<Record<FormName, SchemaForm>> = {
  words: {
    title: 'Words',
    language: 'yaml',
    type: 'application/yaml',
    first: firstDefinition,
    load: (schema, signal) =>
      callText('GET /stream/{schema}/schema', {
        path: { schema },
        query: { as: 'words' },
        headers: { Accept: 'application/yaml' },
        signal,
      }),
    brokenIn: () => undefined,
    problemsIn: problemsInWords,
    nameIn: (text) => /^schema:[ \t]*["']?(\w+)/m.exec(text)?.[1],
    async loadSuggest(signal) {
      const schema = (await jsonOf('GET /definition.schema.json', signal)) as WordsSchema // a JSON Schema
      return (text, at) => wordsOffered(text, at, schema)
    },
  },
  wire: {
    title: 'Wire form',
    language: 'json',
    type: 'application/json',
    first: firstSchema,
    load: async (schema, signal) =>
      indented(await callText('GET /stream/{schema}/schema', { path: { schema }, signal })),
    brokenIn: syntaxProblem,
    problemsIn,
    nameIn(text) {
      const value: unknown = JSON.parse(text)
      return isObject(value) && typeof value.schema === 'string' ? value.schema : undefined
    },
    async loadSuggest(signal) {
      const document = await jsonOf('GET /openapi.json', signal)
      const components = isObject(document) && isObject(document.components) ? document.components.schemas : undefined
      const shapes = (components ?? {}) as Shapes // a document of OpenAPI has JSON schemas there
      return (text, at) => offersAt(text, at, shapes, wireShape(shapes))
    },
  },
}

/** A body of a registration is a schema in either form. */
const wireShape = ({ RegisterSchemaBody: body, RegisterSchemaBody1: wire = body }: Shapes): Shape | undefined => wire

/** A schema that came on one line is laid out; one that a person laid out stays as it is. */
export function indented(text: string): string {
  if (text.trim().includes('\n')) return text
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
