/** Suggestions for statements of Weir's language (docs/streams.md#queries). */
import type { Suggest, Suggestion, Suggestions } from '../../parts/editor/completion.ts'
import type { Catalogue } from './known.ts'
import type { SchemaShape, StreamShape } from './schema-shape.ts'

type Known = Pick<Catalogue, 'schemas' | 'schema' | 'tables'>

const keyword = (label: string, apply?: string): Suggestion => ({
  label,
  kind: 'keyword',
  ...(apply !== undefined && { apply }),
})
const beginnings = [
  keyword('select * from', 'select * from '),
  keyword('select count(*) from', 'select count(*) from '),
  keyword('select aggr()', 'select aggr('),
  keyword('select usage from weir_stream'),
  keyword('insert into', 'insert into '),
  keyword('update', 'update '),
  keyword('delete from', 'delete from '),
]
const comparisons = ['=', '!=', '>', '>=', '<', '<='].map((sign) => keyword(sign, `${sign} `))

/** `database`: of tables that are named without one. */
export const suggestWeir =
  (known: Known, database: () => string): Suggest =>
  async (text, at) => {
    const before = text.slice(0, at)
    if (isInText(before)) return undefined
    const [word = ''] = /(?<!\w)\w*$/.exec(before) ?? []
    const from = at - word.length
    const head = before.slice(0, from)
    const answer = (options: readonly Suggestion[]): Suggestions => ({ from, options })

    if (/^\s*$/.test(head)) return answer(beginnings)
    const source = await sourceOf(known, text)
    if (/\baggr\s*\(\s*$/i.test(head)) return answer(counted(source))
    if (/^\s*select\s+$/i.test(head)) {
      return answer([keyword('*', '* from '), keyword('count(*)', 'count(*) from '), keyword('aggr()', 'aggr(')])
    }
    if (/^\s*select\s+(?:\*|count\s*\(\s*\*\s*\)|aggr\s*\([^)]*\))\s+$/i.test(head))
      return answer([keyword('from', 'from ')])
    const [, named] = /\b(?:from|into|update)\s+(?:(\w+)\s*\.\s*)?$/i.exec(head) ?? []
    if (named !== undefined) return answer(streamsOf(await known.schema(named)))
    if (/\b(?:from|into|update)\s+$/i.test(head)) return answer(await places(known, database()))
    if (/\brollup\s+$/i.test(head)) {
      const rollups = [
        ['1', 'the whole period in one'],
        ['5', 'five intervals in one'],
        ['60', 'sixty intervals in one'],
      ] as const
      return answer(rollups.map(([label, detail]) => ({ label, kind: 'value', detail })))
    }
    if (/\blimit\s+$/i.test(head)) return answer(['10', '100', '1000'].map((label) => ({ label, kind: 'value' })))
    if (/\bgroup\s*by\s+$/i.test(head)) return answer(groupsOf(source, text))
    if (/\b(?:where|and|or)[\s(]*$/i.test(head)) return answer(conditionsOf(source, text))
    if (/\b(?:where|and|or)[\s(]+[\w.]+\s+$/i.test(head)) return answer(comparisons)
    if (
      /\bfrom\s+[\w.]+\s+|[=<>]\s*(?:"[^"]*"|'[^']*'|[\w.-]+)\s+$|\b(?:groupby|rollup|limit)\s+[\w:]+\s+$/i.test(head)
    ) {
      return answer(clausesAfter(text))
    }
    return undefined
  }

/** Texts, each with what ends it: nothing where it goes on to the end. */
const quoted = /"(?:[^"\\]|\\(?:[\s\S]|$)|"")*("|$)|'(?:[^'\\]|\\(?:[\s\S]|$)|'')*('|$)/g

const isInText = (before: string): boolean => [...before.matchAll(quoted)].some((found) => found.slice(1).includes(''))

async function sourceOf(known: Known, text: string): Promise<StreamShape | undefined> {
  const [, schema, stream] = /\b(?:from|into|update)\s+(\w+)\s*\.\s*(\w+)/i.exec(text) ?? []
  if (schema === undefined) return undefined
  return (await known.schema(schema))?.streams.find(({ name }) => name === stream)
}

async function places(known: Known, database: string): Promise<Suggestion[]> {
  const [schemas, tables] = await Promise.all([known.schemas(), known.tables(database)])
  return [
    ...schemas.map((label): Suggestion => ({ label, kind: 'place', detail: 'schema', apply: `${label}.` })),
    ...tables.map((label): Suggestion => ({ label, kind: 'place', detail: `table of ${database}` })),
  ]
}

const streamsOf = (schema: SchemaShape | undefined): Suggestion[] =>
  (schema?.streams ?? []).map(({ name, isEntity }) => ({
    label: name,
    kind: 'place',
    detail: isEntity ? 'entities' : 'events',
  }))

/** The attributes of which there is a statistic, by itself or in groups. */
function counted(source: StreamShape | undefined): Suggestion[] {
  const all = new Map<string, string>()
  for (const { name, kept } of source?.attributes ?? []) if (kept) all.set(name, kept.statistic)
  for (const { of, by } of source?.groups ?? []) if (!all.has(of)) all.set(of, `by ${by.join(':')}`)
  return [...all].map(([label, detail]) => ({ label, kind: 'attribute', detail }))
}

function groupsOf(source: StreamShape | undefined, text: string): Suggestion[] {
  const [, of] = /\baggr\s*\(\s*(\w+)/i.exec(text) ?? []
  const wanted = (source?.groups ?? []).filter((group) => of === undefined || group.of === of)
  return wanted.map(({ by, kept }) => ({ label: by.join(':'), kind: 'attribute', detail: kept.statistic }))
}

function conditionsOf(source: StreamShape | undefined, text: string): Suggestion[] {
  const times: Suggestion[] = [
    { label: 'st', kind: 'value', detail: 'from this time on', apply: 'st >= ' },
    { label: 'et', kind: 'value', detail: 'until this time', apply: 'et <= ' },
  ]
  if (/\baggr\s*\(/i.test(text)) {
    const key: Suggestion = { label: 'skey', kind: 'value', detail: 'one group', apply: 'skey = "' }
    return /\bgroup\s*by\b/i.test(text) ? [...times, key] : times
  }
  const own = (source?.attributes ?? []).map(
    ({ name, type }): Suggestion => ({ label: name, kind: 'attribute', detail: type }),
  )
  if (source?.isEntity) return [...own.filter(({ label }) => !isResult(source, label)), ...valuesOf(source)]
  const open: Suggestion = { label: 'open', kind: 'value', detail: 'sessions that are open', apply: 'open = 1' }
  const time: Suggestion = { label: '_pk', kind: 'attribute', detail: 'time in microseconds' }
  return [...own, time, ...times, ...(source?.hasSessions ? [open] : [])]
}

const isResult = ({ results }: StreamShape, name: string): boolean => results.some((result) => result.name === name)

/** The members of an entity's values, over all time and over windows, as conditions compare them. */
const valuesOf = ({ results }: StreamShape): Suggestion[] =>
  results.flatMap(({ name, kept, windows }) =>
    [name, ...windows.map((window) => `${name}.${window}`)].flatMap((path) =>
      kept.members.map(
        (member): Suggestion => ({ label: `${path}.${member}`, kind: 'attribute', detail: kept.statistic }),
      ),
    ),
  )

function clausesAfter(text: string): Suggestion[] {
  const isAggregate = /\baggr\s*\(/i.test(text)
  const isCount = /\bcount\s*\(/i.test(text)
  const has = (word: string): boolean => new RegExp(`\\b${word}\\b`, 'i').test(text)
  return [
    ...(has('where') ? [keyword('and', 'and '), keyword('or', 'or ')] : [keyword('where', 'where ')]),
    ...(isAggregate && !has('groupby') ? [keyword('groupby', 'groupby ')] : []),
    ...(isAggregate && !has('rollup') ? [keyword('rollup', 'rollup ')] : []),
    ...(isCount || has('limit') ? [] : [keyword('limit', 'limit ')]),
  ]
}
