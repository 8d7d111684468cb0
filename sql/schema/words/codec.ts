/**
 * Translation of one value, or of one object by its table of members, between the two forms of a schema: words, and the
 * wire form. Nothing here knows a member by its name.
 */
import { isObject, type Json } from '../../../base/json.ts'
import { quoted } from '../../../base/quoted.ts'
import { hint, suggest } from '../../../base/suggest.ts'

export type Wire = { [member: string]: Json }
/** Keys and indices down to a value. */
export type Path = readonly (string | number)[]
export type JsonSchema = { readonly [keyword: string]: Json }

/** Receives the faults of a translation to the wire form, and which words gave each part of that form. */
export type Writing = {
  fail(at: Path, sentence: string): void
  /** The words at `at` gave `member` of an object or array of the wire form. */
  link(part: object, member: string | number, at: Path): void
  /** A condition of two events compares with names and with texts, which the wire tells apart by the names that there are. */
  mixed(
    jqry: Wire,
    mixed: { readonly names: readonly string[]; readonly texts: readonly string[]; readonly at: Path },
  ): void
  /** A list of what a row has names values of a run, which the wire tells from attributes by the names that there are. */
  ofRun(list: Json[], said: { readonly names: readonly string[]; readonly at: Path }): void
}

/** The stream from which words are read. */
export type Reading = {
  readonly stream: string
  /** The names of its attributes, those that come from elsewhere too. */
  readonly attributes: () => ReadonlySet<string>
}

export type Codec = {
  /** Undefined where a fault was reported. */
  toWire(words: Json, at: Path, to: Writing): Json | undefined
  /** Undefined where words cannot say it. */
  toWords(wire: Json, from: Reading): Json | undefined
  readonly schema: JsonSchema
}

/** The outcome of reading a wire object: the members of it that are said by now, and the words. */
type Read = { readonly taken: readonly string[]; readonly words?: Json }

/** A word of an object, and the members of the wire that it says. */
export type Member = {
  readonly word: string
  readonly wire: readonly string[]
  readonly says: string
  readonly example: Json | undefined
  readonly schema: JsonSchema
  write(words: Json, at: Path, to: Writing, out: Wire): void
  /** Undefined where words cannot say it. */
  read(wire: Wire, from: Reading): Read | undefined
}

/** An object of a definition. */
export type Part = {
  /** The name of the part in the JSON Schema. */
  readonly id: string
  /** The name of the part in messages. */
  readonly what: string
  readonly says: string
  readonly members: readonly Member[]
  /** The word that is said where the object is a text alone. */
  readonly short?: string
  /** Words that people look for here, and that stand elsewhere: each with the sentence that says where. */
  readonly elsewhere?: Readonly<Record<string, string>>
}

export const isAbsent = (wire: Json | undefined): boolean =>
  wire === undefined ||
  wire === null ||
  (Array.isArray(wire) && wire.length === 0) ||
  (isObject(wire) && Object.keys(wire).length === 0)

type Options = {
  readonly example?: Json
  /** The words that say the same as nothing. */
  readonly silent?: Json
}

/** One word for one member of the wire. */
export function member(word: string, wireName: string, codec: Codec, says: string, options: Options = {}): Member {
  return {
    word,
    wire: [wireName],
    says,
    example: options.example,
    schema: options.silent === undefined ? codec.schema : { default: options.silent, ...codec.schema },
    write(words, at, to, out) {
      const wire = codec.toWire(words, at, to)
      if (wire === undefined) return
      out[wireName] = wire
      to.link(out, wireName, at)
    },
    read(wire, from) {
      const value = wire[wireName]
      if (value === undefined || isAbsent(value)) return { taken: [wireName] }
      const words = codec.toWords(value, from)
      if (words === undefined) return undefined
      return { taken: [wireName], ...(words !== options.silent && { words }) }
    },
  }
}

/** The members of the wire that words do not know. They stand in the wire form as they are. */
const extraWord = 'extra'

function writeExtra(extra: Json, at: Path, to: Writing, out: Wire): void {
  if (!isObject(extra)) {
    to.fail(at, 'must be an object: members of the wire form that have no word')
    return
  }
  for (const [name, value] of Object.entries(extra)) {
    if (Object.hasOwn(out, name)) to.fail([...at, name], 'is said in words already')
    else {
      define(out, name, value)
      to.link(out, name, [...at, name])
    }
  }
}

/** Any name may come, `__proto__` too. */
const define = (object: Wire, name: string, value: Json): void => {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true })
}

function unknownWord(part: Part, word: string): string {
  const elsewhere = part.elsewhere && Object.hasOwn(part.elsewhere, word) ? part.elsewhere[word] : undefined
  if (elsewhere !== undefined) return elsewhere
  const known = part.members.map((each) => each.word)
  const meant = part.members.find((each) => each.wire.includes(word))?.word
  if (meant !== undefined && suggest(word, known) === undefined)
    return `is of the wire form, which no definition in words mixes in; in words this is ${meant}`
  return `is no word of ${part.what}${hint(word, known)}`
}

/** Writes the words of an object into `out`. */
export function writePart(part: Part, words: Json, at: Path, to: Writing, out: Wire): void {
  const said = part.short !== undefined && typeof words === 'string' ? { [part.short]: words } : words
  if (!isObject(said)) {
    to.fail(at, `must be an object${part.short === undefined ? '' : `, or ${part.short} alone`}`)
    return
  }
  for (const word of Object.keys(said)) {
    if (word !== extraWord && !part.members.some((each) => each.word === word))
      to.fail([...at, word], unknownWord(part, word))
  }
  // Members write in the order of their table, since one may complete what another has written.
  for (const each of part.members) {
    const value = Object.hasOwn(said, each.word) ? said[each.word] : undefined
    const isShort = said !== words
    if (value !== undefined && value !== null) each.write(value, isShort ? at : [...at, each.word], to, out)
  }
  const extra = Object.hasOwn(said, extraWord) ? said[extraWord] : undefined
  if (extra !== undefined && extra !== null) writeExtra(extra, [...at, extraWord], to, out)
}

/** The words of an object of the wire; `known` are members that are said elsewhere. */
export function readPart(part: Part, wire: Wire, from: Reading, known: readonly string[] = []): Json {
  const taken = new Set<string>(known)
  const words: Wire = {}
  for (const each of part.members) {
    const read = each.read(wire, from)
    for (const name of read?.taken ?? []) taken.add(name)
    if (read?.words !== undefined) words[each.word] = read.words
  }
  const extra: Wire = {}
  for (const [name, value] of Object.entries(wire)) if (!taken.has(name)) define(extra, name, value)
  if (Object.keys(extra).length > 0) words[extraWord] = extra
  const [only, ...more] = Object.keys(words)
  const alone = only === part.short && more.length === 0 && only !== undefined ? words[only] : undefined
  return typeof alone === 'string' ? alone : words
}

const reference = (part: Part): JsonSchema => ({ $ref: `#/$defs/${part.id}` })

export const object = (part: Part): Codec => ({
  toWire(words, at, to) {
    const out: Wire = {}
    writePart(part, words, at, to, out)
    return out
  },
  toWords: (wire, from) => (isObject(wire) ? readPart(part, wire, from) : undefined),
  schema: reference(part),
})

const all = <Item>(items: readonly (Item | undefined)[]): Item[] | undefined => {
  const there = items.flatMap((item) => (item === undefined ? [] : [item]))
  return there.length === items.length ? there : undefined
}

/** One object may stand where the wire has a list of objects. */
const objectsOf = (wire: Json): readonly Wire[] | undefined => {
  const list = isObject(wire) ? [wire] : wire
  return Array.isArray(list) ? all(list.map((each) => (isObject(each) ? each : undefined))) : undefined
}

export const list = (part: Part): Codec => ({
  toWire(words, at, to) {
    if (!Array.isArray(words)) {
      to.fail(at, 'must be a list')
      return undefined
    }
    const out: Json[] = []
    for (const [index, each] of words.entries()) {
      const wire: Wire = {}
      writePart(part, each, [...at, index], to, wire)
      to.link(out, index, [...at, index])
      out.push(wire)
    }
    return out
  },
  toWords: (wire, from) => objectsOf(wire)?.map((each) => readPart(part, each, from)),
  schema: { type: 'array', items: reference(part) },
})

type Naming = {
  /** The name that an object of the wire has where it says none. */
  readonly fallback?: (wire: Wire) => string | undefined
  /** A prefix of names on the wire that keys leave out. */
  readonly prefix?: string
}

/** Whether objects of JavaScript keep a key in its place: a number goes before all others. */
const keepsOrder = (key: string): boolean => !/^\d+$/.test(key)

export function writeNamed(
  part: Part,
  words: Json,
  at: Path,
  to: Writing,
  { prefix = '' }: Naming = {},
): Json | undefined {
  if (!isObject(words)) {
    to.fail(at, 'must be an object: names, and what each is')
    return undefined
  }
  const out: Json[] = []
  for (const [key, value] of Object.entries(words)) {
    if (value === null) {
      to.fail([...at, key], 'says nothing')
      continue
    }
    const wire: Wire = { name: `${prefix}${key}` }
    to.link(out, out.length, [...at, key])
    out.push(wire)
    writePart(part, value, [...at, key], to, wire)
  }
  return out
}

export function readNamed(
  part: Part,
  wire: Json,
  from: Reading,
  { prefix = '', fallback = () => undefined }: Naming = {},
): Json | undefined {
  const entries = objectsOf(wire)?.map((each) => {
    const name = typeof each.name === 'string' ? each.name : isAbsent(each.name) ? fallback(each) : undefined
    if (name === undefined) return undefined
    const full = name.startsWith(prefix) ? name : `${prefix}${name}`
    return [full.slice(prefix.length), readPart(part, { ...each, name: full }, from, ['name'])] as const
  })
  const named = entries && all(entries)
  if (named === undefined || new Set(named.map(([key]) => key)).size < named.length) return undefined
  return named.every(([key]) => keepsOrder(key)) ? Object.fromEntries(named) : undefined
}

/** Objects by their names. */
export const named = (part: Part, naming: Naming = {}): Codec => ({
  toWire: (words, at, to) => writeNamed(part, words, at, to, naming),
  toWords: (wire, from) => readNamed(part, wire, from, naming),
  schema: { type: 'object', additionalProperties: reference(part) },
})

const shownKey = (key: string | number): string =>
  typeof key === 'number' ? `[${key}]` : /^[\w-]{1,64}$/.test(key) ? `.${key}` : `.${quoted(key)}`

/** `streams.orders.groups[0].by` */
export const shownPath = (path: Path): string => path.map(shownKey).join('').replace(/^\./, '')
