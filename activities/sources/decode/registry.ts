/** Schemas of a registry, by the numbers that messages bear (Confluent's Schema Registry API). */
import { Fault, fault } from '../../../base/faults.ts'
import { isObject, type Json, parseJson, utf8 } from '../../../base/json.ts'
import { Refusal } from '../../../base/refusal.ts'
import type { Outbound } from '../../../infra/outbound/http.ts'
import type { RegistryLocation } from '../../../sql/source/registry.ts'

/** A schema, and the schemas that it refers to: each behind those that it refers to itself. */
export type RegisteredSchema = {
  readonly id: number
  readonly type: string
  readonly text: string
  readonly references: readonly { readonly name: string; readonly text: string }[]
}

const maxAnswer_bytes = 1024 * 1024
/** The references of one schema. */
const maxReferences = 200
/** Schemas that are kept compiled, and the characters of their texts. */
const [maxKept, maxKeptCharacters] = [500, 16 * 1024 * 1024]
/** The registry's own code for a schema that it does not have, as its answer to a request that it understands. */
const noSuchSchema: readonly Json[] = [40403, 40401, 40402]

/** A schema that cannot be read may be mended by then. */
const failureKept_ms = 10_000

type Kept<Compiled> = { readonly characters: number } & (
  | { readonly compiled: Compiled }
  | { readonly failure: unknown; readonly until: number }
)

/** Compiles each schema once; calls that need one at a time share the request. */
export function createRegistry<Compiled>(
  { url, user, password = '' }: RegistryLocation,
  outbound: Pick<Outbound, 'get'>,
  compile: (schema: RegisteredSchema) => Promise<Compiled>,
) {
  const base = url.endsWith('/') ? url.slice(0, -1) : url
  const headers = {
    accept: 'application/vnd.schemaregistry.v1+json, application/json',
    ...(user !== undefined && { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` }),
  }
  const kept = new Map<number, Kept<Compiled>>()
  const underWay = new Map<number, Promise<Kept<Compiled>>>()

  const away = (reason: string, cause?: unknown) =>
    fault('unavailable', `the schema registry ${base} ${reason}`, { cause })

  async function ask(path: string): Promise<{ readonly [name: string]: Json }> {
    const { status, body } = await outbound.get(base + path, headers, maxAnswer_bytes).catch((error: unknown) => {
      throw away(`gave no answer: ${error instanceof Error ? error.message : String(error)}`, error)
    })
    if (status === 200 && body === undefined)
      throw fault('invalid', `the schema at ${path} has over ${maxAnswer_bytes} bytes`)
    const answer = jsonOf(body)
    if (status === 404 && isObject(answer) && noSuchSchema.includes(answer.error_code ?? null))
      throw fault('invalid', `the schema registry has no ${path}`)
    if (status !== 200 || !isObject(answer) || typeof answer.schema !== 'string')
      throw away(`answered ${path} with ${status}${status === 200 ? ' and no schema' : ''}`)
    return answer
  }

  async function referencesOf(answer: { readonly [name: string]: Json }): Promise<RegisteredSchema['references']> {
    const found = new Map<string, { readonly name: string; readonly text: string }>()
    const asked = new Set<string>()
    async function gather(references: Json | undefined): Promise<void> {
      for (const reference of Array.isArray(references) ? references : []) {
        if (!isObject(reference)) throw away('refers to a schema by what is no object')
        const { name, subject, version } = reference
        const path = `/subjects/${encodeURIComponent(String(subject))}/versions/${encodeURIComponent(String(version))}`
        if (asked.has(path)) continue
        asked.add(path)
        if (asked.size > maxReferences) throw fault('invalid', `the schema refers to over ${maxReferences} others`)
        const other = await ask(path)
        await gather(other.references)
        found.set(path, { name: String(name), text: String(other.schema) })
      }
    }
    await gather(answer.references)
    return [...found.values()]
  }

  async function load(id: number): Promise<Kept<Compiled>> {
    try {
      const answer = await ask(`/schemas/ids/${id}`)
      const { schema, schemaType = 'AVRO' } = answer
      const references = await referencesOf(answer)
      const text = String(schema)
      const compiled = await compile({ id, type: String(schemaType), text, references })
      return { compiled, characters: references.reduce((sum, reference) => sum + reference.text.length, text.length) }
    } catch (failure) {
      const isOfSchema = failure instanceof Refusal || (failure instanceof Fault && failure.kind === 'invalid')
      if (isOfSchema) return { failure, until: performance.now() + failureKept_ms, characters: 0 }
      throw failure
    }
  }

  function keep(id: number, entry: Kept<Compiled>): void {
    kept.delete(id)
    kept.set(id, entry)
    let characters = [...kept.values()].reduce((sum, each) => sum + each.characters, 0)
    for (const [oldest, each] of kept) {
      if (kept.size <= maxKept && characters <= maxKeptCharacters) return
      characters -= each.characters
      kept.delete(oldest)
    }
  }

  async function entryOf(id: number): Promise<Kept<Compiled>> {
    const known = kept.get(id)
    if (known && ('compiled' in known || performance.now() < known.until)) return known
    const loading = underWay.get(id) ?? load(id).finally(() => underWay.delete(id))
    underWay.set(id, loading)
    const entry = await loading
    if (kept.get(id) !== entry) keep(id, entry)
    return entry
  }

  return async (id: number): Promise<Compiled> => {
    const entry = await entryOf(id)
    if ('failure' in entry) throw entry.failure
    return entry.compiled
  }
}

function jsonOf(body: Buffer | undefined): Json | undefined {
  try {
    return body && parseJson(utf8(body, 'the answer'), 'the answer')
  } catch {
    return undefined
  }
}
