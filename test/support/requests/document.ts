import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'

type Schema = Readonly<Record<string, unknown>>
type MediaType = { readonly schema: Schema; readonly example?: unknown; readonly 'x-line'?: Schema }
type Described = { readonly $ref?: string; readonly content?: Readonly<Record<string, MediaType>> }
export type Operation = {
  readonly operationId: string
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> }
  readonly responses: Readonly<Record<string, Described>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly responses: Readonly<Record<string, Described>> }
}

export type Answered = { readonly status: number; readonly type: string; readonly text: string }

/** docs/openapi.json, and what it says of requests and answers. */
export function readDocument() {
  const document: Document = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ ...document, $id: 'weir' })
  const whole = (schema: Schema): Schema => JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"weir#/'))

  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
  /** Fixed steps of a path come before parameters. */
  const weight = (path: string) => path.replace(/\{\w+\}/g, '~')
  const ordered = routes.toSorted((a, b) => (weight(a.path) < weight(b.path) ? -1 : 1))
  const patternOf = (path: string) => new RegExp(`^${path.replace('/{key}', '/.+').replace(/\{\w+\}/g, '[^/]+')}$`)

  /** How a value breaks its schema; undefined where it does not. */
  function problemOf(schema: Schema, value: unknown): string | undefined {
    const check = ajv.compile(whole(schema))
    return check(value) ? undefined : ajv.errorsText(check.errors)
  }

  return {
    operations: routes.map(({ operation }) => operation),
    problemOf,

    /** The operation that a request is for. */
    find(method: string, path: string): Operation | undefined {
      return ordered.find((route) => route.method === method && patternOf(route.path).test(path))?.operation
    },

    /** The part of an answer that the document does not foresee; undefined where it foresees all. */
    problemOfAnswer({ operationId, responses }: Operation, { status, type, text }: Answered): string | undefined {
      const given = responses[String(status)]
      const described = given?.$ref ? document.components.responses[given.$ref.split('/').at(-1) ?? ''] : given
      if (described === undefined) return `${operationId} has no status ${status}`
      const content = described.content?.[type.replace(/;.*/s, '')]
      if (content === undefined)
        return described.content ? `${operationId} answers no ${type} with ${status}` : undefined
      if (!type.startsWith('application/json')) return undefined
      return problemOf(content.schema, JSON.parse(text))
    },
  }
}
