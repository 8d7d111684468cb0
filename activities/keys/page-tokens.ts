/** Short-lived tokens that a backend hands to its page: signed, and kept nowhere. */
import { createHash } from 'node:crypto'
import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { name, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject } from '../../base/decode/wire-object.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import { createSeal } from '../../base/sealed-texts.ts'
import { checkName } from '../../sql/schema/check/name.ts'
import type { Caller } from './caller.ts'
import { fixedValues } from './decode-key.ts'
import type { Place } from './places.ts'

const begin = 'weirt_'
const sealedAs = 'token 1'
const maxLife_s = 86_400
const usualLife_s = 600
const maxBytes = 4_000

/** The body of `POST /keys/token`. */
export const tokenOnWire = z.object({
  saved: name(checkName).meta({ description: 'the saved question that the token asks, and nothing else' }),
  fixed: fixedValues,
  expires_s: wholeNumber(1, maxLife_s)
    .default(usualLife_s)
    .meta({ description: `${usualLife_s} if absent` }),
})
const { shape } = tokenOnWire

export type TokenRequest = {
  readonly saved: string
  readonly fixed: { readonly [name: string]: Json }
  readonly expires_s: number
}

export function decodeTokenRequest(wire: Json): TokenRequest {
  if (!isObject(wire)) throw fault('invalid', 'send {"saved": "<question>", "fixed": {...}, "expires_s": 600}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  for (const member of Object.keys(wire)) {
    if (!Object.hasOwn(shape, member)) object.fail(member, `is unknown: a token has ${Object.keys(shape).join(', ')}`)
  }
  const saved = object.take('saved', shape.saved) ?? ''
  const expires_s = object.take('expires_s', shape.expires_s) ?? usualLife_s
  object.take('fixed', shape.fixed)
  const { fixed } = wire
  const values = isObject(fixed) ? fixed : {}
  if (writeJson(values).length > maxBytes) object.fail('fixed', `has over ${maxBytes} bytes`)
  problems.refuse()
  return { saved, expires_s, fixed: values }
}

export type TokenDeps = {
  readonly secret: string
  readonly now_us?: () => number
}

/** Hands tokens out and knows them again, in every process of the service. */
export function createPageTokens({ secret, now_us = () => Date.now() * 1000 }: TokenDeps) {
  const { seal, open } = createSeal(secret, 'base64url')

  return {
    /** A token of the key that asks for it: with that key's own values, which the request may not change. */
    make(
      { saved, fixed, expires_s }: TokenRequest,
      caller: Caller,
    ): { readonly token: string; readonly expires: number } {
      const held = new Map(Object.keys(caller.fixed ?? {}).map((each) => [each.toLowerCase(), each]))
      const taken = Object.keys(fixed).find((each) => held.has(each.toLowerCase()))
      if (taken !== undefined)
        throw fault('forbidden', `fixed.${taken.slice(0, 64)}: the key has the value of this parameter; leave it out`)
      // A token's token ends with it.
      const until = Math.min(now_us() + expires_s * 1e6, caller.token?.until_us ?? Number.POSITIVE_INFINITY)
      const by = caller.token?.by ?? caller.by
      const text = writeJson({ saved, until, by, fixed: { ...fixed, ...caller.fixed } })
      return { token: `${begin}${seal(text, sealedAs)}`, expires: until }
    },

    /** The caller that a token stands for, whether its time is over or not; undefined where it is no token of the service. */
    open(shown: string): Caller | undefined {
      if (!shown.startsWith(begin) || shown.length > 4 * maxBytes) return undefined
      const text = open(shown.slice(begin.length), sealedAs)
      if (text === undefined) return undefined
      const value = parseJson(text, 'the token')
      const { saved, until, by, fixed } = isObject(value) ? value : {}
      const mark = createHash('sha256').update(shown).digest('hex').slice(0, 12)
      return {
        by: `token ${mark}`,
        scopes: new Set(['read']),
        on: new Set<Place>([`saved:${String(saved)}`]),
        token: { until_us: Number(until), by: String(by) },
        ...(isObject(fixed) && Object.keys(fixed).length > 0 && { fixed }),
      }
    },
  }
}

export type PageTokens = ReturnType<typeof createPageTokens>
