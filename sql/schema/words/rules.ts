/**
 * Joins and patterns: said once at the schema, and on the wire in each of their streams, by the event that triggers
 * there.
 */
import { isObject, type Json } from '../../../base/json.ts'
import { runValueOf } from '../run-values.ts'
import { isAbsent, type Part, type Path, type Reading, readPart, type Wire, type Writing, writePart } from './codec.ts'
import { type FindStream, objects } from './entities.ts'
import { betweenCodes, join, joinSide, matches, pattern, patternSide } from './members.ts'
import { type Events, pairToWire, pairToWords } from './pair.ts'
import { names, wholeNumberOf } from './scalars.ts'

export type Kind = 'join' | 'cepq'
/** The word under which a schema has the rules of a kind. */
export const ruleWords = { join: 'joins', cepq: 'patterns' } as const satisfies Record<Kind, string>
export const orderWords = { join: 'join_order', cepq: 'pattern_order' } as const satisfies Record<Kind, string>

const whole = { join, cepq: pattern } as const satisfies Record<Kind, Part>
const side = { join: joinSide, cepq: patternSide } as const satisfies Record<Kind, Part>
type Match = (typeof matches)[number]
/** `type` of the first side and of the other one. */
const types = { once: [1, 1], latest: [2, 4], latest_fitting: [3, 5], all: [6, 6] } as const satisfies Record<
  Match,
  readonly [number, number]
>

const matchesOf = (kind: Kind): readonly Match[] =>
  kind === 'join' ? matches : matches.filter((match) => match !== 'all')
/** Whether events of both sides make rows. */
const isEqual = (match: Match): boolean => match === 'once' || match === 'all'

const ofRun: Events = { own: 'this', other: 'before' }
const ofFirst: Events = { own: 'first', other: 'then' }
const ofThen: Events = { own: 'then', other: 'first' }

/** Members that the sides have whose events make rows. */
const ofMaking = ['catr', 'notf', 'times', 'during', 'ends_where']

/* The way from words to the wire. */

const isMap = (value: Json | undefined): value is Wire => isObject(value)

/** `cond` of a pattern, of the words that say parts of it. */
function endToWire(entry: Wire, to: Writing, at: Path): void {
  const { times, during, ends_where, cond: more } = entry
  const extras = isMap(more) ? more : {}
  const cond: Json[] = []
  const push = (name: string, part: Wire, word: string) => {
    const each: Wire = { name, ...part, ...(isMap(extras[name]) ? extras[name] : {}) }
    for (const member of Object.keys(part)) to.link(each, member, [...at, word])
    to.link(cond, cond.length, [...at, word])
    cond.push(each)
  }
  if (times !== undefined) push('NUMT', { val: times }, 'times')
  if (during !== undefined) push('DUR', { val: during }, 'during')
  if (ends_where !== undefined) push('cqry', { fqry: ends_where }, 'ends_where')
  for (const word of ['times', 'during', 'ends_where']) delete entry[word]
  if (cond.length === 0) return
  entry.cond = cond
  to.link(entry, 'cond', at)
}

const inOrder = [
  'name',
  'type',
  'tloc',
  'iatr',
  'rstm',
  'ratr',
  'jqry',
  'fqry',
  'cond',
  'skip',
  'catr',
  'ostm',
  'notf',
  'absent',
]
const ordered = (entry: Wire, to: Writing, from: Map<string, Path>, at: Path): Wire => {
  const rest = Object.keys(entry).filter((each) => !inOrder.includes(each))
  const out: Wire = {}
  for (const name of [...inOrder, ...rest]) {
    if (entry[name] === undefined) continue
    out[name] = entry[name]
    to.link(out, name, from.get(name) ?? at)
  }
  return out
}

/** The two lists of what a row has, of this event and of the other. */
function takeToWire(
  take: Json | undefined,
  at: Path,
  to: Writing,
  own: string,
  other: string,
): Partial<Record<'iatr' | 'ratr', Json>> {
  if (take === undefined) return {}
  if (!isMap(take)) {
    const list = names.toWire(take, at, to)
    return list === undefined ? {} : { iatr: list }
  }
  for (const word of Object.keys(take))
    if (word !== own && word !== other) to.fail([...at, word], `must be ${own} or ${other}`)
  const [first, second] = [own, other].map((word) =>
    isAbsent(take[word]) ? undefined : names.toWire(take[word] ?? null, [...at, word], to),
  )
  return { ...(first !== undefined && { iatr: first }), ...(second !== undefined && { ratr: second }) }
}

const firstPrefix = 'first.'
const isOverRun = (path: string): boolean => {
  const value = runValueOf(path)
  return value !== undefined && value.of !== 'first'
}

/** The same of a run, whose row may have values of its first event and over all of its events. */
function takeOfRun(take: Json | undefined, at: Path, to: Writing): ReturnType<typeof takeToWire> {
  if (!isMap(take)) return takeToWire(take, at, to, 'this', 'before')
  const { first, over, ...events } = take
  const listOf = (word: 'first' | 'over'): string[] => {
    const said = take[word]
    const list = isAbsent(said) ? [] : names.toWire(said ?? null, [...at, word], to)
    return Array.isArray(list) ? list.map(String) : []
  }
  const figures = listOf('over')
  for (const [index, path] of figures.entries())
    if (!isOverRun(path))
      to.fail([...at, 'over', index], 'must be count, or sum., min., max. or avg. of an attribute, such as avg.price')
  const ofRun = [...listOf('first').map((name) => `${firstPrefix}${name}`), ...figures]
  const lists = takeToWire(events, at, to, 'this', 'before')
  if (ofRun.length === 0) return lists
  const ratr = [...(Array.isArray(lists.ratr) ? lists.ratr : []), ...ofRun]
  for (const index of ratr.keys()) to.link(ratr, index, at)
  to.ofRun(ratr, { at, names: ofRun })
  return { ...lists, ratr }
}

type Attach = (stream: Wire, entry: Wire, at: Path) => void

function singleToWire(name: string, said: Wire, at: Path, to: Writing, stream: Wire, attach: Attach): void {
  const { in: _, each, between, take, fqry, ...rest } = said
  const from = new Map<string, Path>([
    ['fqry', [...at, 'where']],
    ['jqry', [...at, 'each']],
    ['tloc', [...at, 'within']],
    ['ostm', [...at, 'into']],
    ['notf', [...at, 'notify']],
    ['catr', [...at, 'compute']],
    ['iatr', [...at, 'take']],
    ['ratr', [...at, 'take']],
    ['rstm', [...at, 'in']],
    ['skip', [...at, 'skip']],
    ['absent', [...at, 'absent']],
  ])
  for (const word of ['first', 'then', 'match', 'alone'])
    if (rest[word] !== undefined)
      to.fail([...at, word], 'has no place beside in: a pattern is of one stream, or of first and then')
  const isRun = each !== undefined
  if (!isRun && between !== undefined) to.fail([...at, 'between'], 'has no place without each: nothing follows another')
  if (!isRun && rest.skip !== undefined) to.fail([...at, 'skip'], 'has no place without each: there is no run')
  const lists = (isRun ? takeOfRun : takeToWire)(take, [...at, 'take'], to, 'this', 'before')
  const pair = isRun ? pairToWire(each, [...at, 'each'], to, ofRun) : undefined
  if (pair && between !== undefined) pair.seq = betweenOf(between, [...at, 'between'], to)
  const entry: Wire = { ...rest, name, type: isRun ? 1 : 6, ...lists, ...(isRun && { rstm: stream.name ?? null }) }
  if (pair) entry.jqry = pair
  if (fqry !== undefined) entry.fqry = fqry
  endToWire(entry, to, at)
  attach(stream, ordered(entry, to, from, at), at)
}

function betweenOf(said: Json, at: Path, to: Writing): number {
  const code = typeof said === 'string' ? betweenCodes.indexOf(said) : -1
  if (code < 0) to.fail(at, `must be ${betweenCodes.join(', ')}`)
  return Math.max(code, 0)
}

/** One side of a rule over two streams: as it is written so far, and its place. */
type Side = { readonly words: Wire; readonly at: Path; readonly stream: Wire }

function sideToWire(word: 'first' | 'then', said: Wire, at: Path, to: Writing, find: FindStream): Side | undefined {
  const words = said[word]
  if (!isMap(words)) {
    to.fail(at, `lacks ${word}: a stream`)
    return undefined
  }
  const here = [...at, word]
  if (words.stream === undefined) {
    to.fail(here, 'lacks stream')
    return undefined
  }
  const stream = find(words.stream, here)
  return stream && { words, at: here, stream }
}

function pairToSides(
  kind: Kind,
  name: string,
  said: Wire,
  at: Path,
  to: Writing,
  find: FindStream,
  attach: Attach,
): void {
  const isAlone = said.alone === 1
  const [first, then] = [sideToWire('first', said, at, to, find), sideToWire('then', said, at, to, find)]
  const match = matchesOf(kind).find((each) => each === (said.match ?? 'once'))
  if (match === undefined)
    to.fail(
      [...at, 'match'],
      said.match === 'all' ? 'all belongs to a join; a pattern counts pairs' : `must be ${matchesOf(kind).join(', ')}`,
    )
  for (const word of ['between', 'skip'])
    if (said[word] !== undefined) to.fail([...at, word], 'belongs to a pattern of one stream')
  if (kind === 'cepq' && said.fqry !== undefined)
    to.fail([...at, 'where'], 'belongs to a pattern of one stream (in); of two streams only says it of a side')
  const shared = kind === 'cepq' ? said.each : said.where
  const sharedAt = [...at, kind === 'cepq' ? 'each' : 'where']
  if (first === undefined || then === undefined || match === undefined) return
  const lists = takeToWire(said.take, [...at, 'take'], to, 'first', 'then')
  if (Array.isArray(said.take)) to.fail([...at, 'take'], 'must be {first: [...], then: [...]}')
  for (const [place, { words, at: here, stream }] of [first, then].entries()) {
    if (place === 1 && isAlone) continue
    const events = place === 0 ? ofFirst : ofThen
    const makes = isEqual(match) || place === 1
    const entry: Wire = {}
    const from = new Map<string, Path>([
      ['ostm', [...at, 'into']],
      ['iatr', [...at, 'take']],
      ['ratr', [...at, 'take']],
      ['type', [...at, 'match']],
      ['rstm', [...at, place === 0 ? 'then' : 'first']],
    ])
    const { stream: _, where: own, ...rest } = words
    const wordOf: Readonly<Record<string, string>> = { fqry: 'only', tloc: 'within', catr: 'compute', notf: 'notify' }
    for (const [member, value] of Object.entries(rest)) {
      entry[member] = value
      from.set(member, [...here, wordOf[member] ?? member])
    }
    for (const member of [...(makes ? ofMaking : []), 'tloc']) {
      const value = said[member]
      if (value === undefined) continue
      if (entry[member] !== undefined) to.fail([...here, wordOf[member] ?? member], 'is said for both sides already')
      entry[member] = value
      from.set(member, [...at, wordOf[member] ?? member])
    }
    if (place === 0) {
      if (entry.absent !== undefined) to.fail([...here, 'absent'], 'stands beside first and then, where it is of first')
      if (said.absent !== undefined) entry.absent = said.absent
      from.set('absent', [...at, 'absent'])
    }
    if (own !== undefined && shared !== undefined) to.fail([...here, 'where'], 'is said for both sides already')
    const pair =
      own !== undefined
        ? pairToWire(own, [...here, 'where'], to, events)
        : shared !== undefined
          ? pairToWire(shared, sharedAt, to, events)
          : undefined
    if (pair) entry.jqry = pair
    from.set('jqry', own !== undefined ? [...here, 'where'] : sharedAt)
    const partner = place === 0 ? then.stream : first.stream
    Object.assign(entry, {
      name,
      type: types[match][place],
      rstm: partner.name ?? null,
      ...(said.ostm !== undefined && { ostm: said.ostm }),
    })
    const [mine, theirs] = place === 0 ? [lists.iatr, lists.ratr] : [lists.ratr, lists.iatr]
    if (mine !== undefined) entry.iatr = mine
    if (theirs !== undefined) entry.ratr = theirs
    endToWire(entry, to, here)
    attach(stream, ordered(entry, to, from, here), here)
  }
}

/** Puts a rule into its streams. */
export function ruleToWire(kind: Kind, name: string, words: Json, at: Path, to: Writing, find: FindStream): void {
  const said: Wire = {}
  writePart(whole[kind], words, at, to, said)
  const attach: Attach = (stream, entry, here) => {
    const entries: Json[] = Array.isArray(stream[kind]) ? stream[kind] : []
    stream[kind] = entries
    to.link(entries, entries.length, here)
    entries.push(entry)
  }
  if (kind === 'cepq' && said.in !== undefined) {
    const stream = find(said.in, [...at, 'in'])
    if (stream) singleToWire(name, said, at, to, stream, attach)
    return
  }
  if (kind === 'cepq' && said.first === undefined) to.fail(at, 'lacks in: the stream, or first and then: two streams')
  else pairToSides(kind, name, said, at, to, find, attach)
}

/* The way from the wire to words. */

/** A rule of a schema, in one stream or two. */
export type Unit = {
  readonly name: string
  /** The words; undefined where they cannot say the rule. */
  readonly words: Json | undefined
  readonly entries: readonly { readonly stream: Wire; readonly entry: Wire }[]
}

const asText = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each)) ?? ''

/** `cond` as the words of its parts; what these do not say stays under its name. */
function endToWords(entry: Wire): Wire | undefined {
  if (isAbsent(entry.cond)) return {}
  const out: Wire = {}
  const extras: Wire = {}
  const list = isMap(entry.cond) ? [entry.cond] : entry.cond
  if (!Array.isArray(list) || !list.every(isMap)) return undefined
  for (const part of list) {
    const name = typeof part.name === 'string' ? part.name.trim().toLowerCase() : ''
    const [word, wire, known] =
      name === 'numt'
        ? ['times', 'NUMT', part.val]
        : name === 'dur'
          ? ['during', 'DUR', part.val]
          : name === 'cqry'
            ? ['ends_where', 'cqry', part.fqry]
            : []
    if (word === undefined || wire === undefined || known === undefined || known === null || out[word] !== undefined)
      return undefined
    out[word] = known
    const rest = Object.entries(part).filter(
      ([member]) => member !== 'name' && member !== (word === 'ends_where' ? 'fqry' : 'val'),
    )
    if (rest.length > 0) extras[wire] = Object.fromEntries(rest)
  }
  return Object.keys(extras).length > 0 ? { ...out, cond: extras } : out
}

const isNothing = (value: Json | undefined): boolean => isAbsent(value) || value === 0 || value === '0'

/** A wire entry with the parts that words say under other names; `where` is the text of `jqry`. */
function opened(entry: Wire, from: Reading, events: Events, ownFirst: boolean): Wire {
  const { cond, jqry, tloc, ...rest } = entry
  const end = endToWords(entry)
  const text = isAbsent(jqry) ? undefined : pairToWords(jqry, from, events, ownFirst)
  const seq = isMap(jqry) ? wholeNumberOf(jqry.seq ?? 0) : undefined
  const isSaid =
    text !== undefined &&
    (events === ofRun ? seq !== undefined && betweenCodes[Number(seq)] !== undefined : Number(seq) === 0)
  const between = isSaid && events === ofRun ? betweenCodes[Number(seq)] : undefined
  return {
    ...rest,
    ...(end ?? { cond: cond ?? null }),
    ...(isSaid ? { where: text } : isAbsent(jqry) ? {} : { jqry: jqry ?? null }),
    ...(between !== undefined && { between }),
    ...(!isNothing(tloc) && tloc !== undefined && { tloc }),
  }
}

const namesIn = (value: Json | undefined, from: Reading): readonly string[] | undefined => {
  const list = isAbsent(value) ? [] : names.toWords(value ?? null, from)
  return Array.isArray(list) ? list.map(String) : undefined
}

const handled = ['name', 'type', 'rstm', 'iatr', 'ratr', 'ostm']

function singleToWords(entry: Wire, from: Reading, type: number): Json | undefined {
  const [own, other] = [namesIn(entry.iatr, from), namesIn(entry.ratr, from)]
  if (own === undefined || other === undefined) return undefined
  const { where: each, ...rest } = opened(entry, from, ofRun, true)
  const isRun = type === 1
  if (isRun && each === undefined) return undefined
  const isOf = (name: string): boolean => isRun && !from.attributes().has(name)
  const first = other.filter((name) => isOf(name) && name.length > firstPrefix.length && name.startsWith(firstPrefix))
  const over = other.filter((name) => isOf(name) && isOverRun(name))
  const before = other.filter((name) => !first.includes(name) && !over.includes(name))
  const take =
    !isRun && other.length > 0
      ? undefined
      : other.length > 0
        ? {
            ...(own.length > 0 && { this: [...own] }),
            ...(before.length > 0 && { before }),
            ...(first.length > 0 && { first: first.map((name) => name.slice(firstPrefix.length)) }),
            ...(over.length > 0 && { over }),
          }
        : own.length > 0
          ? [...own]
          : undefined
  const wire: Wire = {
    ...rest,
    in: from.stream,
    ...(isRun ? { each: each ?? null } : !isAbsent(entry.jqry) ? { jqry: entry.jqry ?? null } : {}),
    ...(take && { take }),
  }
  if (!isRun) delete wire.between
  const known = [
    'name',
    'type',
    'iatr',
    ...(isRun ? ['rstm'] : isAbsent(entry.rstm) ? ['rstm'] : []),
    ...(isRun || other.length === 0 ? ['ratr'] : []),
  ]
  return readPart(pattern, wire, from, known)
}

/** Members whose value all of these sides have in common: they move up to the rule. */
function lift(sides: readonly Wire[], words: readonly string[], up: Wire): void {
  const [first] = sides
  for (const word of first ? words : []) {
    const value = first?.[word]
    if (value === undefined || !sides.every((each) => asText(each[word]) === asText(value))) continue
    up[word] = value
    for (const each of sides) delete each[word]
  }
}

const isSameSet = (left: readonly string[], right: readonly string[]): boolean =>
  [...new Set(left)].sort().join('\n') === [...new Set(right)].sort().join('\n')

type Declared = { readonly stream: Wire; readonly entry: Wire }

function sidesToWords(
  kind: Kind,
  match: Match,
  first: Declared,
  then: Declared | undefined,
  thenName: string,
  reading: (stream: string) => Reading,
): Json | undefined {
  const from = reading(String(first.stream.name))
  const [own, other] = [namesIn(first.entry.iatr, from), namesIn(first.entry.ratr, from)]
  if (own === undefined || other === undefined) return undefined
  if (then) {
    const [mirrored, mine] = [namesIn(then.entry.iatr, from), namesIn(then.entry.ratr, from)]
    if (mirrored === undefined || mine === undefined || !isSameSet(own, mine) || !isSameSet(other, mirrored))
      return undefined
    if ((first.entry.ostm ?? '') !== (then.entry.ostm ?? '')) return undefined
  }
  const declared: readonly (readonly [Declared, Events])[] = [
    [first, ofFirst],
    ...(then ? ([[then, ofThen]] as const) : []),
  ]
  const sides = declared.map(([{ stream, entry }, events]) => {
    const name = String(stream.name)
    const wire = { ...opened(entry, reading(name), events, events === ofFirst), stream: name }
    const words = readPart(side[kind], wire, reading(name), handled)
    return isMap(words) ? words : { stream: name }
  })
  const up: Wire = {}
  lift(sides, ['where', 'within'], up)
  lift(isEqual(match) ? sides : sides.slice(1), ['compute', 'notify', 'times', 'during', 'ends_where'], up)
  // It is of first where it is not said of then.
  lift(sides.slice(0, 1), ['absent'], up)
  const { where, ...rest } = up
  const [firstSide, thenSide] = [sides[0] ?? {}, sides[1] ?? { stream: thenName }]
  const short = (each: Wire): Json => (Object.keys(each).join() === 'stream' ? (each.stream ?? null) : each)
  return {
    first: short(firstSide),
    then: short(thenSide),
    ...(where !== undefined && { [kind === 'cepq' ? 'each' : 'where']: where }),
    match,
    ...(then === undefined && { alone: true }),
    ...rest,
    ...(typeof first.entry.ostm === 'string' && first.entry.ostm !== '' && { into: first.entry.ostm }),
    ...((own.length > 0 || other.length > 0) && {
      take: { ...(own.length > 0 && { first: [...own] }), ...(other.length > 0 && { then: [...other] }) },
    }),
  }
}

const matchOf = (kind: Kind, type: number): Match | undefined =>
  matchesOf(kind).find((match) => types[match].some((each) => each === type))

/** All rules of a kind, in the order in which streams first name them. */
export function unitsOf(kind: Kind, streams: readonly Wire[], reading: (stream: string) => Reading): readonly Unit[] {
  const keyOf = (stream: Json | undefined, entry: Wire) => asText([stream ?? '', entry.name ?? '', entry.rstm ?? ''])
  const byKey = new Map<string, Declared>()
  for (const stream of streams)
    for (const entry of objects(stream[kind])) byKey.set(keyOf(stream.name, entry), { stream, entry })
  const used = new Set<Wire>()
  return streams.flatMap((stream) =>
    objects(stream[kind]).flatMap((entry): Unit[] => {
      if (used.has(entry)) return []
      used.add(entry)
      const name = String(entry.name)
      const type = Number(wholeNumberOf(entry.type ?? null) ?? 0)
      const mine = { stream, entry }
      if (kind === 'cepq' && (type === 6 || entry.rstm === stream.name))
        return [{ name, entries: [mine], words: singleToWords(entry, reading(String(stream.name)), type) }]
      const mirror = byKey.get(asText([entry.rstm ?? '', entry.name ?? '', stream.name ?? '']))
      const other = mirror && !used.has(mirror.entry) ? mirror : undefined
      if (other) used.add(other.entry)
      const match = matchOf(kind, type)
      const isTurned = type === 4 || type === 5
      if (match === undefined || (isTurned && other === undefined))
        return [{ name, entries: [mine, ...(other ? [other] : [])], words: undefined }]
      const [first, then] = isTurned && other ? [other, mine] : [mine, other]
      return [
        {
          name,
          entries: [mine, ...(other ? [other] : [])],
          words: sidesToWords(kind, match, first, then, String(entry.rstm), reading),
        },
      ]
    }),
  )
}

/** One entry of `join` or `cepq` by itself, as the words of its side. */
export function entryToWords(kind: Kind, stream: string, entry: Wire): Json {
  const from: Reading = { stream, attributes: () => new Set() }
  const type = Number(wholeNumberOf(entry.type ?? null) ?? 0)
  const single = kind === 'cepq' && (type === 6 || entry.rstm === stream) ? singleToWords(entry, from, type) : undefined
  if (single !== undefined) return single
  const events = type === 4 || type === 5 ? ofThen : ofFirst
  const { type: _, ...rest } = opened(entry, from, events, events === ofFirst)
  return readPart(side[kind], rest, from, ['name'])
}
