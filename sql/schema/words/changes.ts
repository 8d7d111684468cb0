/** The parts by which an edit changes a schema, as `compareSchemas` names them, in words. */
import { isObject, type Json } from '../../../base/json.ts'
import type { ChangedPart, NamedPart } from '../compare.ts'
import { type Part, readPart, type Wire } from './codec.ts'
import { computed, filter, lookup, node, relation } from './members.ts'
import { entryToWords } from './rules.ts'
import { shownDuration } from './scalars.ts'
import { statisticWords } from './statistics.ts'
import { kindWords, typeWords } from './words-of-codes.ts'

const nowhere = { stream: '', attributes: () => new Set<string>() }

const isKey = <Of extends object>(table: Of, key: string): key is Extract<keyof Of, string> => Object.hasOwn(table, key)
const wordIn =
  (table: Readonly<Record<string, string>>) =>
  (text: string): string =>
    isKey(table, text) ? (table[text] ?? text) : text

/** Statistics and their intervals within a text: `RSTAT every 300 s`. */
const statistics = (text: string): string =>
  text
    .replace(/\b(COUNT|UCOUNT|RSTAT|QUANTILES|LAST|FIRST|TOPK)\b/g, (name) => wordIn(statisticWords)(name))
    .replace(/(every|hops of) (\d+) s$/, (_, says, seconds) => `${says} ${shownDuration(Number(seconds))}`)

/** A definition, whose text is JSON of the wire. */
const ofPart =
  (part: Part) =>
  (text: string): string =>
    definition(text, (wire) => readPart(part, wire, nowhere))

function definition(text: string, inWords: (wire: Wire) => Json): string {
  const wire: Json = JSON.parse(text)
  return isObject(wire) ? JSON.stringify(inWords(wire)) : text
}

type Say = (text: string, name: string) => string

/** By the kind of a part: the word for it, and how its definition is said. */
const parts: Readonly<Record<string, readonly [word: string, say: Say]>> = {
  swsz: ['keep', (text) => (text === '0' ? 'forever' : shownDuration(Number(text)))],
  strict: ['strict', (text) => String(text === '1')],
  stream: ['stream', wordIn(kindWords)],
  attribute: ['attribute', wordIn(typeWords)],
  statistic: ['statistic', statistics],
  'group-by': ['group', statistics],
  entity: ['entity', statistics],
  window: ['window', statistics],
  'computed attribute': ['computed attribute', ofPart(computed)],
  relation: ['relation', ofPart(relation)],
  node: ['node', ofPart(node)],
  filter: ['filter', ofPart(filter)],
  'moving filter': ['filter', ofPart(filter)],
  notification: ['notification', ofPart(filter)],
  reference: ['lookup', ofPart(lookup)],
  join: ['join', (text, name) => definition(text, (wire) => entryToWords('join', name.split('.')[0] ?? '', wire))],
  pattern: [
    'pattern',
    (text, name) => definition(text, (wire) => entryToWords('cepq', name.split('.')[0] ?? '', wire)),
  ],
}

const wordOf = (what: string): string => (isKey(parts, what) ? (parts[what]?.[0] ?? what) : what)

function say(what: string, text: string, name: string): string {
  try {
    return (isKey(parts, what) ? parts[what]?.[1](text, name) : undefined) ?? text
  } catch (error) {
    // Some texts say an outcome and are no definition.
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** `aggr(price) from orders groupby country:paid` */
function groupName(name: string): string {
  const [of, from = '', more] = name.startsWith('aggr(') ? name.slice('aggr('.length).split(') from ') : []
  const [stream, by, ...rest] = from.split(' groupby ')
  if (of === undefined || by === undefined || more !== undefined || rest.length > 0) return name
  return `${stream}.${of} by ${by.replaceAll(':', ', ')}`
}

export const partInWords = <Of extends Pick<NamedPart, 'what' | 'name' | 'detail'>>(part: Of): Of => ({
  ...part,
  what: wordOf(part.what),
  name: groupName(part.name),
  ...(part.detail !== undefined && { detail: say(part.what, part.detail, part.name) }),
})

export const changeInWords = (part: ChangedPart): ChangedPart => ({
  what: wordOf(part.what),
  name: groupName(part.name),
  from: say(part.what, part.from, part.name),
  to: say(part.what, part.to, part.name),
})
