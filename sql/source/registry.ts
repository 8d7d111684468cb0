/** The schema registry of a source of Kafka messages. */
import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { text } from '../../base/decode/values.ts'
import { createWireObject, isObject } from '../../base/decode/wire-object.ts'
import { hint } from '../../base/suggest.ts'

/** A registry with Confluent's calls (Confluent, Karapace, Redpanda; Apicurio below /apis/ccompat/v7). */
export type RegistryLocation = { readonly url: string; readonly user?: string; readonly password?: string }

const longestUrl = 2_000
const longestCredential = 500

export const registryOnWire = z.object({
  url: z.string().meta({ description: 'http or https; /schemas/ids/... is asked below it' }),
  user: z.string().optional().meta({ description: 'for basic authentication' }),
  password: z.string().optional(),
})

const credential = text.max(longestCredential, `must be at most ${longestCredential} characters long`)

const url = text.max(longestUrl, `must be at most ${longestUrl} characters long`).superRefine((value, context) => {
  const message = problemOf(value)
  if (message !== undefined) context.addIssue({ code: 'custom', message })
})

function problemOf(value: string): string | undefined {
  if (!URL.canParse(value)) return 'must be a URL, such as https://registry.example.com:8081'
  const { protocol, username, password, search, hash } = new URL(value)
  if (protocol !== 'http:' && protocol !== 'https:') return 'must be a URL of http or https'
  if (username !== '' || password !== '') return 'must be without credentials: send them as `user` and `password`'
  return search === '' && hash === '' ? undefined : 'must be without ? and #'
}

/** A good location; a `Refusal` says all that is wrong with another one, which stands at `place` of its request. */
export function readRegistry(member: unknown, place: string): RegistryLocation {
  const problems = createProblems()
  const object = createWireObject({ [place]: member ?? undefined }, '', problems).object(place)
  const known = Object.keys(registryOnWire.shape)
  for (const name of isObject(member) ? Object.keys(member) : [])
    if (!known.includes(name)) object?.fail(name, `is unknown${hint(name, known)}`)
  const location = object?.take('url', url)
  const user = object?.take('user', credential.regex(/^[^:]*$/, 'must be without a colon').optional())
  const password = object?.take('password', credential.optional())
  if (password !== undefined && user === undefined) object?.fail('user', 'is missing: a password goes with one')
  problems.refuse()
  return {
    url: location ?? '',
    ...(user !== undefined && { user }),
    ...(password !== undefined && { password }),
  }
}
