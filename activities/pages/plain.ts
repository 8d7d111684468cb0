import { isObject, parseJson } from '../../base/json.ts'
import type { Answer } from './page.ts'

/** Four digits of a year, and a time that ClickHouse writes too: to the end of 2299. */
const endOfTimes_us = 10_413_792_000_000_000

/** Microseconds since 1970 as ISO 8601, in UTC; undefined where they are no time before 2300. */
function isoTime(text: string): string | undefined {
  const time_us = Number(text)
  if (!(time_us >= 0 && time_us < endOfTimes_us)) return undefined
  const micros = text.padStart(7, '0').slice(-3)
  return `${new Date(Math.floor(time_us / 1_000)).toISOString().slice(0, -1)}${micros}Z`
}

/** The document of an event, with its time behind its `_pk`; one that has a member `_time` of its own stays as it is. */
export function eventText(pk: string, document: string): string {
  const time = isoTime(pk)
  const begin = `{"_pk":${pk}`
  if (time === undefined || !document.startsWith(begin) || hasOwnTime(document)) return document
  return `${begin},"_time":"${time}"${document.slice(begin.length)}`
}

function hasOwnTime(document: string): boolean {
  if (!document.includes('"_time":')) return false
  const event = parseJson(document, 'the event')
  return isObject(event) && Object.hasOwn(event, '_time')
}

/** An object of members that are JSON already. */
export const objectOf = (members: readonly (readonly [name: string, json: string])[]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(',')}}`

/** An answer of plain values; `cursor` says where to go on. */
export function plainText(answer: Answer, cursor: string | undefined): string {
  const { kind } = answer
  const notes = (kind === 'rows' ? answer.page.notes : answer.notes) ?? []
  const error = notes.length === 0 ? '' : `,"error":${JSON.stringify(notes)}`
  if (kind === 'change') return `{"retval":${answer.number}${error}}`
  const rows = kind === 'rows' ? answer.page.plainRows() : [`{"count":${answer.number}}`]
  return [
    `{"rows":[${rows.join(',')}],"num_items":${rows.length}`,
    `,"more_data_to_come":${kind === 'rows' && answer.page.more ? 1 : 0}`,
    kind === 'count' ? `,"retval":${answer.number}` : '',
    cursor === undefined ? '' : `,"cursor":${JSON.stringify(cursor)}`,
    `${error}}`,
  ].join('')
}

/** The same, a row a line. */
export function plainLines(answer: Answer): string {
  if (answer.kind !== 'rows') return `{"${answer.kind === 'count' ? 'count' : 'retval'}":${answer.number}}\n`
  return answer.page
    .plainRows()
    .map((row) => `${row}\n`)
    .join('')
}
