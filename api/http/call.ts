/** The entry of a call in the document of all calls: the making of its route asks for it. */
import { z } from 'zod'
import type { FaultKind } from '../../base/faults.ts'

export const groups = {
  streams: 'Schemas, their streams, and events',
  queries: 'SQL over streams, tables and notifications',
  saved: 'Saved questions, each with a name and parameters',
  hooks: 'Doors for signed webhooks and the clients of others',
  imports: 'Files of buckets that become events',
  sources: 'Topics of other Kafkas that become events',
  tables: 'Databases, tables, records and indexes',
  graphs: 'Graphs, their nodes and relations, and algorithms over them',
  models: 'Training, models and predictions',
  objects: 'Buckets and objects',
  notifications: 'What is told when an event matches',
  keys: 'Keys, and the record of changes',
  service: 'What the service says of itself',
} as const

export type Group = keyof typeof groups

/** Texts and bytes have no schema but a sentence. */
export type Content =
  | { readonly kind: 'json'; readonly schema: z.ZodType }
  | { readonly kind: 'ndjson'; readonly line: z.ZodType; readonly says: string }
  | { readonly kind: 'text'; readonly says: string; readonly type?: string }
  | { readonly kind: 'bytes'; readonly says: string; readonly type?: string }

export type Parameter = { readonly says: string; readonly schema: z.ZodType }
export type Parameters = Readonly<Record<string, Parameter>>

/** A list in an answer, which pages by `limit` and `cursor` as all lists do. */
export type Listing = {
  /** The member that is the list. */
  readonly member: string
  /** The members of an item that tell it from all others; absent where items are texts, or have their name for a member. */
  readonly key?: readonly string[]
  /** The order of the keys, where they have one: a page goes on also where its last item has gone. */
  readonly order?: 'up' | 'down'
  /** A member that counts the items that are shown. */
  readonly counter?: string
  readonly max?: number
}

export type Call = {
  /** Unique: the name that generated clients give it. */
  readonly id: string
  readonly group: Group
  readonly summary: string
  readonly query?: Parameters
  /**
   * Parameters that `query` does not name: a call that changes something refuses them, one that reads reports them; those of
   * a page are its script's. Absent: as a GET reads, and all other methods change something.
   */
  readonly parameters?: 'refused' | 'told' | 'any'
  /** The list in its answer, which `limit` and `cursor` page through. */
  readonly list?: Listing
  readonly headers?: Parameters
  /** One of these contents; `isOptional`: or no body. */
  readonly body?: { readonly contents: readonly Content[]; readonly isOptional?: boolean }
  /** The contents of a 200: one of these; empty where `also` has each success. */
  readonly answers: readonly Content[]
  /** Statuses beside 200 that refuse nothing. */
  readonly also?: Readonly<Record<string, { readonly says: string; readonly contents?: readonly Content[] }>>
  /** Kinds of faults beyond those that every call of its form has. */
  readonly refuses?: readonly FaultKind[]
  /** Members of a refusal that its family of calls does not have. */
  readonly refusal?: Readonly<Record<string, z.ZodType>>
}

/** A request that Weir sends to an address of a client's. */
export type Webhook = Required<Pick<Call, 'id' | 'group' | 'summary' | 'headers'>> & {
  readonly body: z.ZodType
  /** The answers that Weir takes for a success. */
  readonly success: string
}

export const json = (schema: z.ZodType): Content => ({ kind: 'json', schema })
export const ndjson = (line: z.ZodType, says: string): Content => ({ kind: 'ndjson', line, says })
export const text = (says: string, type?: string): Content => ({
  kind: 'text',
  says,
  ...(type !== undefined && { type }),
})
export const bytes = (says: string, type?: string): Content => ({
  kind: 'bytes',
  says,
  ...(type !== undefined && { type }),
})

/** An integer of 64 bits: JSON writes all its digits. */
export const long = z.number().meta({ type: 'integer', format: 'int64' })
export const count = z.int().min(0)
/** Microseconds since 1970. */
export const instant = long.meta({ description: 'microseconds since 1970' })
export const success = z.literal(0)
/** Beside a success: what the caller may not have meant, a sentence each; absent where there is nothing to say. */
export const notes = z.array(z.string()).optional()
/** The things that a deletion would take, each with the number of events, of keys, of nodes and relations, of records, or of objects in it. */
export const goingThings = z.array(z.object({ name: z.string(), num_events: count }))
/** Beside a deletion with `?undo`: until when what went can come back. */
export const undoUntil = instant.optional()
export const oneOrZero = z.literal([0, 1])
export const anyObject = z.record(z.string(), z.unknown())

const flag = (says: string): Parameter => ({ says, schema: z.literal('1').optional() })
export const force = { force: flag('1: what would be lost may be lost') }
export const dry = {
  dry: { says: '1: answers what would be done, and changes nothing', schema: z.literal(['0', '1']).optional() },
}
export const strict = { strict: flag('1: members that are unknown are refused') }
export const rebuild = { rebuild: flag('1: what is derived is made anew from what is left') }
export const undo = {
  undo: {
    says: 'hours, 1 to 720: what goes is kept for so long, and POST .../undelete brings it back',
    schema: z.string().meta({ type: 'integer', minimum: 1, maximum: 720 }).optional(),
  },
}
/** Parameters that decide how much a call changes, or whether it does. */
export const decisive = { ...dry, ...strict, ...rebuild, ...undo, ...force }
export const consistency = {
  consistency: {
    says: 'eventual: the answer need not hold what was acknowledged before it',
    schema: z.literal('eventual').optional(),
  },
}
export const parameter = (says: string, schema: z.ZodType = z.string()): Parameter => ({ says, schema })
