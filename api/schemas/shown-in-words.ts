import type { Context } from 'koa'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson, writeJson } from '../../base/json.ts'
import { writeYaml } from '../../base/yaml.ts'
import { toWords } from '../../sql/schema/words/translate.ts'
import { accepts } from '../http/accepts.ts'

/** `?as=words` */
export function isAskedInWords({ as }: Readonly<Record<string, unknown>>): boolean {
  if (as === undefined || as === 'wire') return false
  if (as === 'words') return true
  throw fault('invalid', 'as: write as=words for the schema in words, or leave it out for the wire form')
}

const yamlTypes = ['application/yaml', 'application/x-yaml', 'text/yaml'] as const

/** Answers a schema in words: as JSON, or as YAML where the client asks for that. */
export function showInWords(context: Context, body: string): void {
  const wire = parseJson(body, 'the schema')
  if (!isObject(wire)) throw new Error('a registered schema is an object')
  const words = toWords(wire)
  context.vary('Accept')
  if (accepts(context, ...yamlTypes)) {
    context.type = 'application/yaml'
    context.body = writeYaml(words)
    return
  }
  context.type = 'application/json'
  context.body = writeJson(words)
}
