import { Refusal } from '../../base/refusal.ts'
import { createNumberReader } from '../encoding/number-reader.ts'
import type { Layout } from '../layout.ts'
import type { ReadOptions } from './format.ts'

/** Where the cells of a line stand: an index for each column of the layout, for the target -1 where lines have none. */
export type Places = {
  readonly columns: readonly number[]
  readonly target: number
  readonly width: number
  /** The place of a column `_pk` or `_id`, where there is one. */
  readonly key?: number
}

/** Names are the same where they differ in case, blanks and punctuation alone. */
const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether a cell of a header names an attribute: in any case, blanks and punctuation apart. */
export const isSameName = (cell: string, name: string): boolean =>
  cell.trim() === name || (plain(cell) !== '' && plain(cell) === plain(name))

/** A column whose cell of the header is empty has a name by its place, from 1. */
export const nameOf = (cell: string, place: number): string => cell.trim() || `column_${place + 1}`

/**
 * The place of a name among the cells of a row; -1 where it is not there, or two cells could be meant. Where all `names`
 * that are looked for are given, a cell that one of them names exactly is no other's, and one that two are like is no one's.
 */
export function createNameFinder(cells: readonly string[], names: readonly string[] = []): (name: string) => number {
  const exact = new Map([...cells.map(nameOf), ...cells].map((cell, i) => [cell, i % cells.length] as const).reverse())
  let alike: Map<string, number> | undefined
  const near = (name: string): number => {
    if (alike === undefined) {
      alike = new Map()
      const named = new Set(names.map((each) => exact.get(each)))
      for (const [i, cell] of cells.entries())
        if (!named.has(i)) alike.set(plain(cell), alike.has(plain(cell)) ? -1 : i)
      const others = new Set<string>()
      for (const each of new Set(names)) {
        if (exact.has(each)) continue
        if (others.has(plain(each))) alike.set(plain(each), -1)
        others.add(plain(each))
      }
    }
    const key = plain(name)
    return key === '' ? -1 : (alike.get(key) ?? -1)
  }
  return (name) => exact.get(name) ?? near(name)
}

/** All names of a layout, the target's too where rows do not bring it: its column is no attribute's. */
const namesOf = ({ columns, target }: Layout): readonly string[] =>
  [...columns, ...(target === undefined || target.unnamed ? [] : [target])].map(({ name }) => name)

/**
 * The places that a first row gives which holds every attribute's name; undefined for another. Throws a `Refusal` where it
 * holds one of them twice.
 */
export function placesByName(cells: readonly string[], layout: Layout, options: ReadOptions): Places | undefined {
  const { columns, target } = layout
  const placeOf = createNameFinder(cells, namesOf(layout))
  const found: number[] = []
  for (const { name } of columns) {
    const place = placeOf(name)
    if (place < 0) return undefined
    found.push(place)
  }
  const refuseTwice = (place: number): void => {
    const name = nameOf(cells[place] ?? '', place)
    if (cells.some((cell, other) => other !== place && cell.trim() === name))
      throw new Refusal(`the header names '${name.slice(0, 60)}' twice`)
  }
  const at = ['_pk', '_id'].map((name) => cells.findIndex((cell) => cell.trim() === name)).find((place) => place >= 0)
  const places = { columns: found, target: -1, width: cells.length, ...(at !== undefined && { key: at }) }
  if (target === undefined || !options.target) {
    found.forEach(refuseTwice)
    return places
  }
  const place = target.unnamed ? target.position : placeOf(target.name)
  if (target.unnamed && place >= cells.length) throw noCell(place, cells.length)
  if (place < 0) return undefined
  for (const each of target.unnamed ? found : [...found, place]) refuseTwice(each)
  return { ...places, target: place }
}

const read = createNumberReader({ dates: true })
const isNumber = (cell: string): boolean => read(cell) !== undefined && !Number.isNaN(read(cell))
const fits = (cell: string): boolean => cell.trim() === '' || read(cell) !== undefined

/**
 * Whether a first row that does not hold the attributes' names is a header all the same: none of its cells fits a column
 * that is numbers in all rows after it, or half of the attributes' names are there. `places` are where the attributes
 * would stand; one that is declared to hold texts takes any cell.
 */
export function isOtherHeader(
  first: readonly string[],
  following: readonly (readonly string[])[],
  layout: Layout,
  places: Places,
  options: ReadOptions,
): boolean {
  const texts = new Set(layout.columns.flatMap(({ kind }, i) => (kind === 'word' ? [places.columns[i]] : [])))
  if (layout.target?.kind === 'word') texts.add(places.target)
  const numbers = Array.from(first.keys()).filter((place) => {
    if (texts.has(place)) return false
    const cells = following.map((row) => row[place] ?? '')
    return cells.some(isNumber) && cells.every(fits)
  })
  return noneFits(first, numbers) || namesHalf(first, layout, options)
}

const noneFits = (first: readonly string[], numbers: readonly number[]): boolean =>
  numbers.length > 0 && numbers.every((place) => !fits(first[place] ?? ''))

/** The names that a header has: rows to predict have a target only where a request says so. */
const namesWanted = ({ target, ...rows }: Layout, options: ReadOptions): readonly string[] =>
  namesOf(options.target && target ? { ...rows, target } : rows)

export function namesHalf(first: readonly string[], layout: Layout, options: ReadOptions): boolean {
  const placeOf = createNameFinder(first, namesOf(layout))
  const names = namesWanted(layout, options)
  const there = names.filter((name) => placeOf(name) >= 0).length
  return there > 0 && 2 * there >= names.length
}

/** So many rows, where there are as many, show whether the row before them is a header. */
export const showingRows = 1_000

/** So many rows show whether words come again. */
const fewestShowing = 10

/** A name has no more characters than this; a text may have. */
const longestName = 60

/** Whether a first row above columns of words alone may be a header: none of its cells comes again, and other words do. */
export function mayBeHeader(first: readonly string[], following: readonly (readonly string[])[]): boolean {
  const isNoName = (cell: string): boolean => cell.trim() === '' || cell.length > longestName || isNumber(cell)
  if (following.length < fewestShowing || first.some(isNoName)) return false
  const columns = first.map((cell, place) => ({ cell, words: following.map((row) => row[place] ?? '') }))
  if (columns.some(({ cell, words }) => words.includes(cell))) return false
  return columns.some(({ words }) => new Set(words).size <= words.length / 2)
}

export const takenForRow = (cells: readonly string[]): string =>
  `${taken(cells)}: none of its words comes again; header 0 says that it is a row, and one that names the attributes is taken for a header`

/**
 * The same of the first row to predict, whose columns of numbers are the model's. Above columns of words alone it is a
 * header where training saw none of its words, and enough rows after it, which seldom are so, show that: of a few rows the
 * first may be new by chance, and its words are told as others are. `places` are where the cells would stand.
 */
export function isOtherHeaderToPredict(
  first: readonly string[],
  following: readonly (readonly string[])[],
  layout: Layout,
  places: Places,
  options: ReadOptions,
): boolean {
  if (namesHalf(first, layout, options)) return true
  if (first.length !== places.width) return false
  const numbers = layout.columns.flatMap(({ kind }, i) => (kind === 'number' ? [places.columns[i] ?? -1] : []))
  if (numbers.length > 0) return noneFits(first, numbers)
  const isUnseen = unseenIn(places, options)
  if (following.length < fewestShowing || !isUnseen(first)) return false
  return following.filter(isUnseen).length <= shareUnseen * following.length
}

/** Tells whether training saw none of a row's words, where it is known what words it saw. */
function unseenIn(places: Places, options: ReadOptions): (row: readonly string[]) => boolean {
  const known = (options.words ?? []).flatMap((words, i) =>
    words === undefined ? [] : [{ words, place: places.columns[i] ?? -1 }],
  )
  return (row) =>
    known.length > 0 &&
    known.every(({ words, place }) => (row[place] ?? '').trim() !== '' && !words.has(row[place] ?? ''))
}

/** Says of a first row to predict that is taken for data why it may be a header, where a few rows or texts leave that open. */
export function tellDoubt(
  first: readonly string[],
  following: readonly (readonly string[])[],
  { columns }: Layout,
  places: Places,
  { doubt, ...options }: ReadOptions,
): void {
  if (doubt === undefined || first.length !== places.width || columns.some(({ kind }) => kind === 'number')) return
  if (first.length === 1 && options.words?.[0] === undefined) {
    const [cell = ''] = first
    const texts = following.map(([text = '']) => text)
    if (isAboveTexts(cell, texts)) doubt(`${taken(first)}: the texts after it are longer; ${orElse}`)
  } else if (following.length < fewestShowing && unseenIn(places, options)(first)) {
    doubt(`${taken(first)}: training saw none of its words; ${orElse}`)
  }
}

const wordsIn = (text: string): number => text.trim().split(/\s+/).length

/** A name has no more words than this. */
const longestHeading = 3

/** Whether a first text may be the heading of those after it: a few words without a sentence's marks, above longer texts. */
function isAboveTexts(first: string, following: readonly string[]): boolean {
  const name = first.trim()
  if (following.length === 0 || name.length > longestName || !/^\p{L}[\p{L}\p{N}_ ()-]*$/u.test(name)) return false
  const words = wordsIn(name)
  if (words > longestHeading) return false
  return following.filter((text) => wordsIn(text) > words).length >= (1 - shareUnseen) * following.length
}

const taken = (cells: readonly string[]): string =>
  `the first row (${listed(cells)}) is taken for data, and may be a header`

const orElse = 'leave it out of the file if it is one; header 0 says that it is a row'

/** Of rows of words no more are all of words that training did not see, where the first one is a header. */
const shareUnseen = 0.1

export function otherHeader(cells: readonly string[], layout: Layout, options: ReadOptions): Refusal {
  return new Refusal(
    `the first row is a header that names other columns: it has ${listed(cells)}; the attributes are ${listed(namesWanted(layout, options))}; header 0 takes it for a row`,
  )
}

/** No cell of the first row stands at the target's place. */
export const noCell = (target: number, width: number): Refusal =>
  new Refusal(`target_idx is ${target}, and the first row has ${width} cells, at positions 0 to ${width - 1}`)

const listed = (names: readonly string[]): string =>
  `${names
    .slice(0, 20)
    .map((name) => name.trim().slice(0, 60))
    .join(', ')}${names.length > 20 ? ', ...' : ''}`
