/** Decodes the template of a notification, as a client writes it. */
import { z } from 'zod'
import { createProblems } from '../../base/decode/problems.ts'
import { code, expected, text, wholeNumber } from '../../base/decode/values.ts'
import { createWireObject, type Heard, isObject, unheard, type WireObject } from '../../base/decode/wire-object.ts'
import type { Json } from '../../base/json.ts'
import { quoted } from '../../base/quoted.ts'
import { Refusal } from '../../base/refusal.ts'
import { notificationStates } from '../schema/codes.ts'

export type Notification = {
  readonly notifid: number
  readonly name: string
  readonly rule: string
  readonly subject: string
  readonly msg: string
  /** Least seconds between two sends. */
  readonly freq: number
  /** The least goes first. */
  readonly pri: number
  readonly mailto: readonly string[]
  readonly endpoints: readonly string[]
  readonly tags: readonly string[]
  readonly mailfrom: string
}

/** A notification as a client registers it: Weir stores the secret apart, and shows it once. */
export type SentNotification = { readonly notification: Notification; readonly secret?: string }

export type NotificationState = 'paused' | 'active' | 'remove'

const identifier = wholeNumber(0, Number.MAX_SAFE_INTEGER)
const seconds = wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0)
/** A priority is a byte, as it stands in the log of deliveries. */
const priority = wholeNumber(0, 255).default(1)
const address =
  /^[^\s@<>()[\]\\,;:"]{1,64}@[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*$/
const mostItems = 100

/** A text for a mail's head, which is one line. */
const line = text
  .refine((value) => value.length <= 1_000, 'must be shorter than 1001 characters')
  .refine((value) => !/\p{Cc}/u.test(value), 'must be one line without control characters')
  .default('')
const body = text.refine((value) => value.length <= 100_000, 'must be shorter than 100001 characters').default('')

const checked = (problemOf: (item: string) => string | undefined) =>
  z
    .preprocess(
      (value) => value ?? [],
      z
        .array(text, expected('an array of strings'))
        .max(mostItems, `must have at most ${mostItems} items`)
        .superRefine((items, context) => {
          for (const [index, item] of items.entries()) {
            const problem = problemOf(item)
            if (problem !== undefined) context.addIssue({ code: 'custom', message: problem, path: [index] })
          }
        }),
    )
    .prefault([])
    .meta({ type: 'array', items: { type: 'string' }, maxItems: mostItems })

const problemOfAddress = (item: string): string | undefined =>
  item.length <= 254 && address.test(item) ? undefined : `${quoted(item)} is no mail address, such as ops@example.org`

function problemOfUrl(item: string): string | undefined {
  const url = item.length <= 2_000 && !/[\s\p{Cc}]/u.test(item) && URL.canParse(item) ? new URL(item) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    return `${quoted(item)} is no URL of http or https`
  return url.username === '' && url.password === '' ? undefined : 'must have no user and no password'
}

const addresses = checked(problemOfAddress)
const urls = checked(problemOfUrl)
const tags = checked((item) => (item.length <= 200 ? undefined : 'must be shorter than 201 characters'))
const sender = text
  .default('')
  .refine(
    (value) => value === '' || problemOfAddress(value) === undefined,
    'must be a mail address, such as ops@example.org',
  )

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const decodedBytes = (text: string): number => (text.length / 4) * 3 - (/(?<!=)=*$/.exec(text)?.[0].length ?? 0)

const isSecret = (value: string): boolean => {
  const encoded = value.startsWith('whsec_') ? value.slice('whsec_'.length) : ''
  const bytes = encoded.length <= 100 && base64.test(encoded) ? decodedBytes(encoded) : 0
  return bytes >= 24 && bytes <= 64
}
const secret = text
  .refine(isSecret, 'must be whsec_ and the base64 of 24 to 64 bytes')
  .nullish()
  .transform((value) => value ?? undefined)

/** Interface 2.10. */
export const notificationOnWire = z.object({
  notifid: identifier,
  name: line,
  rule: body,
  subject: line,
  msg: body,
  freq: seconds,
  pri: priority,
  mailto: addresses,
  endpoints: urls,
  tags,
  mailfrom: sender,
  secret,
})
const { shape } = notificationOnWire

export const notificationStateOnWire = z.object({ notifid: identifier, state: code(notificationStates) })

const ofDelivery = text.refine((value) => value !== '', 'must not be empty')

/** A delivery, as the list of them names it. */
export const deliveryNameOnWire = z.object({ id: ofDelivery, endpoint: ofDelivery })

/** The texts of a mail, which is sent as they stand. */
const mailTexts = ['subject', 'msg'] as const

function noteIdle(object: WireObject, { rule, subject, msg }: Pick<Notification, 'rule' | 'subject' | 'msg'>): void {
  if (rule !== '')
    object.note('rule', 'is kept and shown, and does nothing: filters with this notifid as their notf make the matches')
  for (const [place, text] of [subject, msg].entries()) {
    const blank = /\{\{[^{}]{0,64}\}\}/.exec(text)?.[0]
    const member = mailTexts[place]
    if (blank !== undefined && member)
      object.note(member, `is sent as it stands: ${blank} is not filled in, the payload of a send has the values`)
  }
}

/** `path` is the place of the notification in the request. */
export function decodeNotification(wire: Json, path = '', notes: Heard = unheard): SentNotification {
  if (!isObject(wire)) {
    const sentence = 'a notification is a JSON object: {"notifid", "name", "rule", ...}'
    throw new Refusal(path === '' ? sentence : `${path}: ${sentence}`)
  }
  const problems = createProblems()
  const object = createWireObject(wire, path, problems, notes)
  object.only(shape)
  const notifid = object.take('notifid', identifier) ?? 0
  const notification: Notification = {
    ...unknownOf(wire),
    notifid,
    name: object.take('name', shape.name) ?? '',
    rule: object.take('rule', shape.rule) ?? '',
    subject: object.take('subject', shape.subject) ?? '',
    msg: object.take('msg', shape.msg) ?? '',
    freq: object.take('freq', shape.freq) ?? 0,
    pri: object.take('pri', shape.pri) ?? 1,
    mailto: object.take('mailto', shape.mailto) ?? [],
    endpoints: object.take('endpoints', shape.endpoints) ?? [],
    tags: object.take('tags', shape.tags) ?? [],
    mailfrom: object.take('mailfrom', shape.mailfrom) ?? '',
  }
  const given = object.take('secret', shape.secret)
  problems.refuse()
  noteIdle(object, notification)
  return { notification, ...(given !== undefined && { secret: given }) }
}

/** Members that are shown of each template, and are Weir's. */
const shownOnly = ['state', 'endpoints_off']

/** Members that Weir does not know are kept beside the others. */
const unknownOf = (wire: { readonly [member: string]: Json }): { [member: string]: Json } =>
  Object.fromEntries(
    Object.entries(wire).filter(([member]) => !Object.hasOwn(shape, member) && !shownOnly.includes(member)),
  )

/** Reads `{notifid, state}`. */
export function decodeNotificationState(wire: unknown): { notifid: number; state: NotificationState } {
  if (!isObject(wire)) throw new Refusal('send {"notifid": <number>, "state": 0 | 1 | -1}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  const notifid = object.take('notifid', identifier) ?? 0
  const state = object.take('state', notificationStateOnWire.shape.state) ?? 'active'
  problems.refuse()
  return { notifid, state }
}

/** Reads `{id, endpoint}`. */
export function decodeDeliveryName(wire: unknown): { id: string; endpoint: string } {
  if (!isObject(wire))
    throw new Refusal('send {"id": "<id of the send>", "endpoint": "<as the list of deliveries has it>"}')
  const problems = createProblems()
  const object = createWireObject(wire, '', problems)
  const id = object.take('id', ofDelivery) ?? ''
  const endpoint = object.take('endpoint', ofDelivery) ?? ''
  problems.refuse()
  return { id, endpoint }
}
