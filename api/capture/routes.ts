import type { Context } from 'koa'
import type { CaptureEngine } from '../../activities/capture/engine.ts'
import type { Message } from '../../activities/capture/message.ts'
import { postHogBody, postHogItems, postHogKeyIn, postHogMessage } from '../../activities/capture/posthog.ts'
import {
  type SegmentPath,
  segmentItems,
  segmentKeyIn,
  segmentMessage,
  segmentPaths,
} from '../../activities/capture/segment.ts'
import { snowplowItems, snowplowKeyIn, snowplowMessage } from '../../activities/capture/snowplow.ts'
import type { TakenMessages } from '../../activities/capture/take-messages.ts'
import { readWriteKey, streamIn } from '../../activities/capture/write-key.ts'
import { precisionOf } from '../../activities/capture/write-lines.ts'
import { nobody } from '../../activities/keys/caller.ts'
import { Fault, fault } from '../../base/faults.ts'
import { type Json, parseShallowJson, utf8 } from '../../base/json.ts'
import { leaveBody } from '../auth/identify.ts'
import { callerIn } from '../auth/permit.ts'
import { createRoutes, open, type Routes } from '../auth/routes.ts'
import { readBytes } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import type { Admit } from './admit.ts'
import * as calls from './calls.ts'

export type CaptureRoutesDeps = CaptureEngine & {
  readonly admit: Admit
  readonly bodyLimit: number
}

/** Events of the clients of vendors, each in its vendor's form. */
export function captureRoutes({ admit, writeLines, takeMessages, bodyLimit }: CaptureRoutesDeps): Routes {
  const routes = createRoutes()

  /** Takes the messages of a request, whose write key stands before its body or in it. */
  async function take(context: Context, { keyBefore, parse, keyIn, items, read }: Vendor): Promise<TakenMessages> {
    const target = keyBefore === undefined ? undefined : admit.streamFor(context, readWriteKey(keyBefore))
    const isKnown = target !== undefined || callerIn(context) !== nobody
    const limit = isKnown ? bodyLimit : Math.min(bodyLimit, maxKeyless)
    const body = await parse(await readUpTo(context, limit, isKnown), limit)
    const { isOfPage, ...into } = target ?? admit.streamFor(context, readWriteKey(keyIn(body) ?? ''))
    const arrived_us = Date.now() * 1000
    return takeMessages({ into, items: items(body), read: (item) => read(item, body, arrived_us), isOfPage })
  }

  routes.post('/api/v2/write', open, calls.writeLines, async (context) => {
    const { key } = readWriteKey(tokenIn(context))
    admit.identify(context, key)
    const bucket = once(context, 'bucket') ?? ''
    const { schema, stream } = streamIn(bucket) ?? { schema: bucket }
    if (!/^\w+$/.test(schema))
      throw fault(
        'invalid',
        'bucket: expected a stream as <schema>.<stream>, or a schema whose streams the measurements name',
      )
    const precision = precisionOf(once(context, 'precision'))
    const { isOfPage } = admit.permitIn(context, schema)
    admit.check(schema, stream)
    const body = await readBytes(context, bodyLimit)
    const written = await writeLines({ body, schema, precision, isOfPage, ...(stream !== undefined && { stream }) })
    const { accepted, rejected, errors } = written
    const [first] = errors
    if (first === undefined) {
      context.status = 204
      return
    }
    const more = rejected > 1 ? `, and ${rejected - 1} more` : ''
    const message = `${accepted > 0 ? 'partial write: ' : ''}line ${first.line}: ${first.error}${more}; dropped=${rejected}`
    context.status = 400
    context.body = {
      ...{ errcode: -1, error: [message], code: 'invalid', message, line: first.line },
      ...{ accepted, rejected, errors },
    }
  })

  routes.post('/v1/:message', open, calls.segmentMessages, async (context) => {
    const path = parameter(context, 'message')
    if (!isSegmentPath(path)) throw fault('missing', `no path /v1/${path.slice(0, 40)}`)
    const keyBefore = basicNameIn(context)
    const taken = await take(context, {
      ...(keyBefore !== undefined && { keyBefore }),
      parse: jsonIn,
      keyIn: segmentKeyIn,
      items: (body) => segmentItems(body, path),
      read: (item, sent, arrived_us) => segmentMessage(item, sent, path, arrived_us),
    })
    context.body = { success: true, ...taken }
  })

  for (const [path, call] of Object.entries(calls.postHogEvents))
    routes.post(path, open, call, async (context) => {
      const taken = await take(context, {
        ...{ parse: postHogBody, keyIn: postHogKeyIn, items: postHogItems },
        read: postHogMessage,
      })
      context.body = { status: 1, ...taken }
    })

  for (const [path, call] of Object.entries(calls.postHogFlags))
    routes.post(path, open, call, (context) => {
      leaveBody(context.req)
      context.body = noFlags
    })

  routes.post('/com.snowplowanalytics.snowplow/tp2', open, calls.snowplowEvents, async (context) => {
    await take(context, { parse: jsonIn, keyIn: snowplowKeyIn, items: snowplowItems, read: snowplowMessage })
    context.type = 'text/plain'
    context.body = 'ok'
  })

  return routes
}

/** A vendor's form of a request. */
type Vendor = {
  /** The text of the write key, where a header has it. */
  readonly keyBefore?: string
  readonly parse: (body: Buffer, limit: number) => Json | Promise<Json>
  readonly keyIn: (body: Json) => string | undefined
  readonly items: (body: Json) => readonly Json[]
  /** Members that the body has once for all its items are read with each, and not written out beside it. */
  readonly read: (item: Json, body: Json, arrived_us: number) => Message
}

/** In bytes: a body that is read before its key is known. */
const maxKeyless = 4 * 1024 * 1024

async function readUpTo(context: Context, limit: number, isKnown: boolean): Promise<Buffer> {
  try {
    return await readBytes(context, limit)
  } catch (error) {
    if (isKnown || !(error instanceof Fault) || error.kind !== 'too large') throw error
    throw fault(
      'too large',
      'a body that has its key inside may have 4 MB: send it in parts, or the key in the header x-api-key',
    )
  }
}

const jsonIn = (body: Buffer): Json => parseShallowJson(utf8(body, 'the body'), 'the body')

const isSegmentPath = (path: string): path is SegmentPath => Object.hasOwn(segmentPaths, path)

/** The user's name of `Authorization: Basic`. */
function basicNameIn({ req }: Context): string | undefined {
  const [, packed] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(req.headers.authorization ?? '') ?? []
  if (packed === undefined) return undefined
  const text = Buffer.from(packed, 'base64').toString('utf8')
  return text.includes(':') ? text.slice(0, text.indexOf(':')) : text
}

/** Weir keeps no flags of PostHog's; their clients ask for them as they start. */
const noFlags = {
  ...{ flags: {}, featureFlags: {}, featureFlagPayloads: {}, errorsWhileComputingFlags: false },
  ...{ supportedCompression: ['gzip-js', 'base64'], sessionRecording: false, surveys: false, heatmaps: false },
  ...{ siteApps: [], toolbarParams: {}, isAuthenticated: false },
}

/** `Authorization: Token <key>`; a key in a usual header is found without it. */
const tokenIn = ({ req }: Context): string => /^Token +(\S+) *$/i.exec(req.headers.authorization ?? '')?.[1] ?? ''

/** A parameter that may be there once. */
function once({ query }: Context, name: string): string | undefined {
  const value = query[name]
  if (Array.isArray(value)) throw fault('invalid', `${name}: is there more than once`)
  return value
}
