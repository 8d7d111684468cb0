import { Refusal } from '../../base/refusal.ts'
import { createNumberReader } from '../encoding/number-reader.ts'
import { longestOpen, unclosed } from './csv.ts'
import { type OpenRow, splitCsv } from './csv-cells.ts'
import { createUtf8Decoder } from './decode-utf8.ts'
import { nameOf } from './header.ts'
import type { FormatName } from './index.ts'
import { createObjectReader } from './json/json-values.ts'
import { namesInKv } from './kv.ts'
import { cutLines } from './lines.ts'
import type { Source } from './read-rows.ts'

/** The rows that are looked through for the names of their members: a typo of a later row, or ids as members, are no attributes. */
const lookedThrough = 1_000
/** The maximum number of attributes of a model. */
const maxNames = 100_000

/**
 * The names that data give their own attributes: the header of a CSV, and the members of the first rows of JSON and KV in
 * the order of their first appearance. Throws a `Refusal` where there are none.
 */
export async function discoverNames(source: Source, format: FormatName, separator: string): Promise<readonly string[]> {
  const names = format === 'CSV' ? await ofHeader(source, separator) : await ofMembers(source, format)
  if (names.length === 0) throw new Refusal('attr_list is absent, and the data hold no row that names their attributes')
  if (names.length > maxNames)
    throw new Refusal(`the data have more than ${maxNames.toLocaleString('en-US')} attributes`)
  return names
}

async function ofHeader(source: Source, separator: string): Promise<readonly string[]> {
  let cells: readonly string[] | undefined
  let open: OpenRow | undefined
  let length = 0
  const broken = (reason: string) =>
    new Refusal(`attr_list is absent, so the first row has to be a header; it is broken: ${reason}`)
  const lines = cutLines(
    ({ reason }) => {
      if (cells === undefined) throw broken(reason)
    },
    (line) => {
      if (cells !== undefined || (open === undefined && line === '')) return
      length += line.length + 1
      const split = splitCsv(line, separator, open)
      if ('reason' in split) throw broken(`column ${split.column}: ${split.reason}`)
      if ('cells' in split) cells = split.cells
      else if (length > longestOpen) throw broken(unclosed)
      else open = split.open
    },
  )
  await take(source, lines, () => cells !== undefined)
  if (cells === undefined && open !== undefined) throw broken(unclosed)
  const header = (cells ?? []).map(nameOf)
  const read = createNumberReader({ dates: true })
  const numbers = (cells ?? []).filter((cell) => cell.trim() !== '' && read(cell) !== undefined)
  if (numbers.length > 0) {
    throw new Refusal(
      `attr_list is absent, so the first row has to be a header; it has the number ${numbers[0]?.trim().slice(0, 40)}`,
    )
  }
  const seen = new Set<string>()
  const twice = header.find((name) => seen.size === seen.add(name).size)
  if (twice !== undefined) throw new Refusal(`the header names '${twice.slice(0, 60)}' twice`)
  return header
}

async function ofMembers(source: Source, format: FormatName): Promise<readonly string[]> {
  const names = new Set<string>()
  let rows = 0
  const reader =
    format === 'KV'
      ? cutLines(
          () => {},
          (line) => {
            if (rows >= lookedThrough) return
            rows += line.trim() === '' ? 0 : 1
            for (const name of namesInKv(line)) names.add(name)
          },
        )
      : createObjectReader(
          (object) => {
            if (rows >= lookedThrough) return
            rows += 1
            for (const [name, value] of Object.entries(object)) {
              if (!isOwn(name) && !isNested(value)) names.add(name)
            }
          },
          () => {
            rows += 1
          },
        )
  await take(source, reader, () => rows >= lookedThrough || names.size > maxNames)
  return [...names]
}

/** Members that Weir gives an event: its time and its version. */
const isOwn = (name: string): boolean => name === '_pk' || name === '_v' || name === '_id'

const isNested = (value: unknown): boolean => typeof value === 'object' && value !== null

async function take(
  source: Source,
  reader: { readonly push: (text: string) => void; readonly end: () => void },
  isEnough: () => boolean,
): Promise<void> {
  const decoder = createUtf8Decoder()
  for await (const chunk of source) {
    reader.push(decoder.push(chunk))
    if (isEnough()) return
  }
  reader.push(decoder.end())
  reader.end()
}
