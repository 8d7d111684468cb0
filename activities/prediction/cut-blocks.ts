import { headerOf } from '../../learn/formats/csv.ts'
import { type OpenRow, splitCsv } from '../../learn/formats/csv-cells.ts'
import { createUtf8Decoder } from '../../learn/formats/decode-utf8.ts'
import type { ReadOptions } from '../../learn/formats/format.ts'
import type { FormatName } from '../../learn/formats/index.ts'
import { cutArray } from '../../learn/formats/json/json-array.ts'
import { maxRowLength } from '../../learn/formats/lines.ts'
import type { Source } from '../../learn/formats/read-rows.ts'
import { headerOfTexts } from '../../learn/formats/text.ts'
import type { Layout } from '../../learn/layout.ts'

/** Whole rows of a file, which can be predicted apart from the others. */
export type Block = {
  /** Blocks count from 0. The same file gives the same blocks, so that work on it can be taken up again. */
  readonly index: number
  readonly text: string
  /** Whether `text` begins with the file's header. */
  readonly hasHeader: boolean
  /** Lines of the file before `text`, less those of a repeated header that `text` begins with. */
  readonly linesBefore: number
  /** The bytes of the file that were read so far. */
  readonly bytesRead: number
}

/** In characters: a block ends with the first row that ends beyond this size. */
export const blockSize = 1024 * 1024

/** The headers that formats know, each with its line's end. */
const headers: Readonly<Partial<Record<FormatName, typeof headerOf>>> = { CSV: headerOf, TEXT: headerOfTexts }

type Cutter = { readonly push: (text: string) => void; readonly end: () => void }

/**
 * The rows of a JSON array become lines, and are counted in place of lines; one that begins behind more blanks than a
 * block holds is none.
 */
export async function* cutBlocks(
  source: Source,
  format: FormatName,
  layout: Layout,
  options: ReadOptions,
  size = blockSize,
): AsyncGenerator<Block> {
  const ready: Omit<Block, 'index' | 'bytesRead'>[] = []
  const emit = (text: string, linesBefore: number, hasHeader = false) => ready.push({ text, linesBefore, hasHeader })
  const headOf = (text: string) => headers[format]?.(text, layout, options) ?? ''
  const decoder = createUtf8Decoder()
  let cutter: Cutter | undefined
  /** Blank lines before anything else. */
  let blank = ''
  let index = 0
  let bytesRead = 0

  const take = (text: string) => {
    if (cutter !== undefined) return cutter.push(text)
    const start = text.search(/\S/)
    const blanks = blank.length + (start < 0 ? text.length : start)
    if (start < 0 && blanks < size) {
      blank += text
    } else if (format === 'JSON' && text[start] === '[' && blanks < size) {
      cutter = cutElements(size, emit)
      cutter.push(text.slice(start + 1))
    } else {
      cutter = cutRows(size, format === 'CSV' ? layout.separator : undefined, headOf, emit)
      cutter.push(blank + text)
    }
  }
  for await (const chunk of source) {
    bytesRead += chunk.byteLength
    take(decoder.push(chunk))
    for (const block of ready.splice(0)) yield { ...block, index: index++, bytesRead }
  }
  take(decoder.end())
  if (cutter === undefined && blank !== '') emit(blank, 0)
  cutter?.end()
  for (const block of ready) yield { ...block, index: index++, bytesRead }
}

function cutRows(
  size: number,
  separator: string | undefined,
  headOf: (text: string) => string,
  emit: (text: string, linesBefore: number, hasHeader: boolean) => void,
): Cutter {
  let rest = ''
  let lines = 0
  let head: string | undefined

  const give = (text: string) => {
    if (head === undefined) {
      const start = text.search(/\S/)
      if (start >= 0) head = headOf(text.slice(start))
      emit(text, lines, head !== undefined && head !== '')
    } else emit(head + text, lines - linesOf(head), head !== '')
    lines += linesOf(text)
  }

  const max = size + maxRowLength
  let skipping = false

  /** Gives the rows before a row that is too long, then a piece of it that its reader finds too long, too. */
  const cutTooLong = () => {
    const start = rest.lastIndexOf('\n', max - 1) + 1
    if (start > 0) give(rest.slice(0, start))
    rest = rest.slice(start)
    if (start > size) return
    give(`${rest.slice(0, maxRowLength + 1)}\n`)
    const feed = rest.indexOf('\n', maxRowLength)
    skipping = feed < 0
    rest = skipping ? '' : rest.slice(feed + 1)
  }

  const take = (text: string) => {
    rest += text
    while (rest.length >= size) {
      const end = endOfRow(rest, size, separator)
      if (end > 0 && end <= max) {
        give(rest.slice(0, end))
        rest = rest.slice(end)
      } else if (rest.length > max) cutTooLong()
      else return
    }
  }

  return {
    push: (piece) => {
      if (!skipping) return take(piece)
      const feed = piece.indexOf('\n')
      if (feed < 0) return
      skipping = false
      take(piece.slice(feed + 1))
    },
    end: () => {
      if (rest !== '') give(rest)
      rest = ''
    },
  }
}

const linesOf = (text: string): number => text.split('\n').length - 1

/** Where the first row that ends at or after `size` has its end; 0 where the text ends before. CSV's quotes may hold line feeds. */
function endOfRow(text: string, size: number, separator: string | undefined): number {
  const feed = text.indexOf('\n', size)
  if (feed < 0) return 0
  if (separator === undefined || !text.slice(0, feed).includes('"')) return feed + 1
  let start = 0
  let row: OpenRow | undefined
  for (let from = 0, at = text.indexOf('\n'); at >= 0; from = at + 1, at = text.indexOf('\n', from)) {
    const line = text.slice(from, at)
    const split = row === undefined && !line.includes('"') ? undefined : splitCsv(line, separator, row)
    row = split !== undefined && 'open' in split && at - start < size ? split.open : undefined
    if (row !== undefined) continue
    start = at + 1
    if (start > size) return start
  }
  return 0
}

function cutElements(size: number, emit: (text: string, linesBefore: number) => void): Cutter {
  let lines: string[] = []
  let length = 0
  let before = 0

  const give = () => {
    emit(`${lines.join('\n')}\n`, before)
    before += lines.length
    lines = []
    length = 0
  }
  const add = (line: string) => {
    lines.push(line)
    length += line.length
    if (length >= size) give()
  }
  // A broken element becomes a line that cannot be read, so that it counts as a row that cannot be predicted.
  const array = cutArray(
    { element: (text) => add(text.replace(/[\r\n]+/g, ' ')), broken: (_, reason) => add(reason) },
    1,
    1,
  )
  return {
    push: array.push,
    end: () => {
      array.end()
      if (lines.length > 0) give()
    },
  }
}
