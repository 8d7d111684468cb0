import { quoted } from '../../../base/quoted.ts'
import { Refusal } from '../../../base/refusal.ts'
import { hint, suggest } from '../../../base/suggest.ts'
import type { ComputedAttribute } from '../schema.ts'

/** An answer names so many; the rest is counted. */
const maxListed = 100

/** A name in a request of something that may come into being later. */
export type Reference =
  | { readonly kind: 'notification'; readonly path: string; readonly notifid: number }
  | {
      readonly kind: 'model'
      readonly path: string
      readonly model: string
      /** The attribute that it fills. */
      readonly attribute: Pick<ComputedAttribute, 'name' | 'type' | 'inputs' | 'version' | 'probabilityOf' | 'lag'>
    }

type Note = { readonly path: string; readonly says: string }

/** Words that other systems have for members of ours. */
const words: Readonly<Record<string, string>> = {
  retention: 'swsz',
  ttl: 'swsz',
  window: 'swsz',
  inputs: 'inpt',
  attributes: 'attr',
  fields: 'attr',
  computed: 'catr',
  groups: 'gpby',
  group_by: 'gpby',
  entity: 'enty',
  entities: 'enty',
  profile: 'enty',
  relation: 'rels',
  relations: 'rels',
  edges: 'rels',
  filters: 'fltr',
  where: 'fqry',
  target: 'ostm',
  every: 'gran',
  granularity: 'gran',
  interval: 'gran',
  statistic: 'stat',
  statistics: 'stat',
  operation: 'opnm',
  enum: 'values',
  allowed: 'values',
  minimum: 'min',
  maximum: 'max',
  mandatory: 'required',
}

function adviceOn(name: string, known: readonly string[]): string {
  const meant = suggest(name, known) === undefined ? words[name.toLowerCase()] : undefined
  return meant !== undefined && known.includes(meant) ? `; did you mean ${meant}?` : hint(name, known)
}

/** The path of a member: its name is a client's, and may be anything. */
const pathOf = (path: string, name: string): string => {
  const shown = /^[\w-]{1,64}$/.test(name) ? name : quoted(name)
  return path === '' ? shown : `${path}.${shown}`
}

/** Gathers what the sender of a good request may not have meant: its answer says so beside the success. */
export function createNotes() {
  const unknown: Note[] = []
  const others: Note[] = []
  const references: Reference[] = []
  let more = 0
  let skipped = 0

  /** The path as it was in the request; undefined where the request did not have it. */
  function sent(path: string): string | undefined {
    const [all = '', number] = skipped === 0 ? [] : (/^streams\[(\d+)\]/.exec(path) ?? [])
    if (number === undefined) return path
    return Number(number) < skipped ? undefined : `streams[${Number(number) - skipped}]${path.slice(all.length)}`
  }

  function add(list: Note[], path: string, says: () => string): void {
    const place = sent(path)
    if (place === undefined) return
    if (unknown.length + others.length < maxListed) list.push({ path: place, says: says() })
    else more++
  }

  const shown = (notes: readonly Note[]): string[] => notes.map(({ path, says }) => `${path} ${says}`)
  const counted = (sentences: string[]): string[] => (more > 0 ? [...sentences, `and ${more} more`] : sentences)

  return {
    /** So many streams of the schema were not sent along: notes on them are left out, and the others count from 0. */
    skip(streams: number): void {
      skipped = streams
    },

    /** A member that an object has and Weir does not know. */
    unknown: (path: string, name: string, known: readonly string[]): void =>
      add(unknown, pathOf(path, name), () => `is unknown and does nothing${adviceOn(name, known)}`),

    /** The rest of a sentence whose subject is the member at `path`. */
    add: (path: string, says: string): void => add(others, path, () => says),

    /** Leaves out a reference of a stream that this call did not send, as notes on that stream are left out. */
    refer(reference: Reference): void {
      if (sent(reference.path) !== undefined) references.push(reference)
    },

    references: (): readonly Reference[] => references,

    /** Throws a `Refusal` of the members that are unknown. */
    refuseUnknown(): void {
      if (unknown.length > 0) throw new Refusal(counted(shown(unknown)))
    },

    list: (): string[] => counted(shown([...unknown, ...others])),
  }
}

export type Notes = ReturnType<typeof createNotes>
