/**
 * The form in which a definition was sent: it turns the places and the words of messages about the wire form into those
 * of the sender.
 */
import { isObject, type Json } from '../../../base/json.ts'
import { type Path, shownPath, type Wire } from './codec.ts'
import { parts } from './members.ts'
import { shownDuration } from './scalars.ts'
import { statisticWords } from './statistics.ts'
import { kindWords, typeWords } from './words-of-codes.ts'

/** Where a value stands in the text that was sent: ` (line 3, column 7)`. */
export type Locate = (at: Path) => string

export type SentForm = {
  link(part: object, member: string | number, at: Path): void
  /** Says of which definition on the wire the places are. */
  root(wire: Wire): void
  /** A place in words, with its line and column. */
  shown(at: Path): string
  /** The number of streams that the schema had before the ones in the body. */
  follow(others: number): void
  /** A message about the wire form, such as `streams[0].attr[1].stat: ...`: with places in words, and in words. */
  message(text: string): string
  /** Messages, each once: a rule that words say once has several places on the wire, and each of them tells its fault. */
  messages(texts: readonly string[]): string[]
  /** The same of notes, whose places are those of what was sent: no streams stand before its own. */
  notes(texts: readonly string[]): string[]
}

type Step = string | number

/** `streams[0].attr[1].stat` as steps; a quoted name of a member may hold dots. */
function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(/\[(\d+)\]|'((?:[^'])*)'|([^.[\]']+)/g)].map(([, index, quotedName, name]) =>
    index === undefined ? (quotedName ?? name ?? '') : Number(index),
  )
}

/** Words for what the wire's own messages call things. */
const lexicon: ReadonlyMap<string, string> = new Map([
  ...parts
    .flatMap(({ members }) => members)
    .flatMap(({ word, wire }) =>
      wire.length === 1 && wire[0] !== undefined && wire[0].length > 3 ? [[wire[0], word] as const] : [],
    ),
  ['attr', 'attributes'],
  ['catr', 'compute'],
  ['iatr', 'take or from'],
  ['ratr', 'take'],
  ['ostm', 'into'],
  ['rstm', 'from'],
  ['jqry', 'where'],
  ['fqry', 'where'],
  ['cond', 'where'],
  ['args', 'where'],
  ['pkatr', 'by'],
  ['enty', 'entities'],
  ['join', 'joins'],
  ['cepq', 'patterns'],
  ['refr', 'lookups'],
  ['swsz', 'keep'],
  ['tloc', 'within'],
  ['NUMT', 'times'],
  ['DUR', 'during'],
  ['cqry', 'ends_where'],
  ['stat', 'stats'],
  ['PRED', 'predict'],
  ['MATH_EXP', 'the expression'],
  ['FOLD', 'fold'],
  ...Object.entries(typeWords),
  ...Object.entries(statisticWords),
])

/** Codes that messages name beside their names. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/\btype 3 json\b/g, 'type json'],
  [/\ba stream of type ([1-4])\b/g, 'a stream of kind $1'],
  [/\bone of type ([1-4])\b/g, 'one of kind $1'],
  [/\bseq 1\b/g, 'before_lookups: true'],
  [/\bstats 3\b/g, 'stats: [summary]'],
  [/\bstats 1, 2 or 3\b/g, 'stats'],
  [/\bkey 1\b/g, 'key: true'],
  [/\bkeep 0\b/g, 'keep: forever'],
]
const kindOf = [kindWords.input, kindWords.filter, kindWords.join, kindWords.entity]

/** A path within a schema of the wire. */
const wirePath = /\b(?:streams|notifs)\[\d+\](?:\.[\w-]+|\.'[^']*'|\[\d+\])*/g

/** Words outside of quotation marks, since what stands within is a client's. */
function inWords(text: string): string {
  const [sentence = '', ...excerpt] = text.split('\n')
  const worded = sentence
    .split(/('(?:[^']*)')/)
    .map((piece, index) => {
      if (index % 2 === 1) return piece
      const named = piece.replace(/\b[A-Za-z_]+\b/g, (word) => lexicon.get(word) ?? word)
      const coded = codes.reduce((said, [pattern, words]) => said.replace(pattern, words), named)
      const timed = coded.replace(/\b(\d+) s\b/g, (_, seconds) => shownDuration(Number(seconds)))
      return timed.replace(/\bof kind ([1-4])\b/g, (_, code) => `of kind ${kindOf[Number(code) - 1]}`)
    })
    .join('')
  return [worded, ...excerpt].join('\n')
}

export function createForm(locate: Locate = () => ''): SentForm {
  const links = new WeakMap<object, Map<Step, Path>>()
  let wire: Json = {}
  let others = 0

  const shown = (at: Path): string => `${at.length === 0 ? 'the definition' : shownPath(at)}${locate(at)}`

  /** The words that gave the value at a wire path: those of the last step that words gave. */
  function find(path: string): Path {
    let [at, value]: [Path, Json | undefined] = [[], wire]
    for (const step of stepsOf(path)) {
      if (typeof value !== 'object' || value === null) break
      const linked = links.get(value)?.get(step)
      if (linked) at = linked
      value = Array.isArray(value)
        ? value[Number(step)]
        : isObject(value) && Object.hasOwn(value, step)
          ? value[String(step)]
          : undefined
    }
    return at
  }

  /** A stream that was there before has no place in what was sent. */
  function place(path: string, before: number): string {
    const [head = '', index = ''] = /^streams\[(\d+)\]/.exec(path) ?? []
    if (head === '') return shown(find(path))
    if (Number(index) < before) return path
    return shown(find(`streams[${Number(index) - before}]${path.slice(head.length)}`))
  }

  function message(text: string, before = others): string {
    const [line = '', ...excerpt] = text.split('\n')
    const [, object, member = ''] = /^(streams\[\S+)\.(\w+): is missing$/.exec(line) ?? []
    // A word that was not sent has no place: the object that wants it has.
    if (object !== undefined && place(`${object}.${member}`, before) === place(object, before))
      return `${place(object, before)}: ${lexicon.get(member) ?? member} is missing`
    const paths = line.match(wirePath) ?? []
    const worded = line
      .split(wirePath)
      .map((piece, index) => `${index > 0 ? place(paths[index - 1] ?? '', before) : ''}${inWords(piece)}`)
    return [worded.join(''), ...excerpt].join('\n')
  }

  return {
    link(part, member, at) {
      const there = links.get(part)
      if (there) there.set(member, at)
      else links.set(part, new Map([[member, at]]))
    },
    root(sent) {
      wire = sent
    },
    follow(streams) {
      others = streams
    },
    shown,
    message: (text) => message(text),
    messages: (texts) => distinct(texts.map((text) => message(text))),
    notes: (texts) => distinct(texts.map((text) => message(text, 0))),
  }
}

/** The first of the messages that say the same. */
function distinct(texts: readonly string[]): string[] {
  const said = new Map<string, string>()
  for (const text of texts) {
    const key = withoutOrder(text)
    if (!said.has(key)) said.set(key, text)
  }
  return [...said.values()]
}

/** The words of a message in one order: a condition between two events is checked from either, which swaps their names. */
const withoutOrder = (text: string): string =>
  text
    .split(/[\s,]+/)
    .toSorted()
    .join(' ')
