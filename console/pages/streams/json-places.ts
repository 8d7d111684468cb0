/** Where the members of a JSON text stand, also in a text that is not whole yet. */

export type Place = { readonly from: number; readonly to: number }
export type Path = readonly (string | number)[]

/** A position in a text, as far as the text before it tells. */
export type Spot = {
  /** Of the value that is written, or of the object whose member's name is written. */
  readonly path: Path
  readonly kind: 'name' | 'value'
  /** Where the word begins that is being written, its quotation mark included. */
  readonly from: number
  /** That word without its quotation mark. */
  readonly word: string
  readonly isQuoted: boolean
  /** Names that the object has by then. */
  readonly names: readonly string[]
}

type Level = {
  readonly kind: 'object' | 'array'
  readonly names: string[]
  name: string | undefined
  index: number
  expects: 'name' | 'colon' | 'value' | 'comma'
}

const token = /\s+|"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|[^\s{}[\],:"]+/g

/** Looks at the text up to `at`. */
export function spotAt(text: string, at: number): Spot {
  const levels: Level[] = []
  let last: { readonly from: number; readonly text: string; readonly isWord: boolean } | undefined
  for (const { 0: part, index } of text.slice(0, at).matchAll(token)) {
    const isSpace = part.trim() === ''
    const isWord = !isSpace && !/^[{}[\],:]$/.test(part)
    // The word that the position is in has not been read yet: it is the one that is written.
    const isWritten = isWord && index + part.length === at && !(part.length > 1 && /^".*[^\\]"$/s.test(part))
    last = isSpace ? undefined : { from: index, text: part, isWord: isWritten }
    if (!isSpace && !isWritten) step(levels, part)
  }
  const level = levels.at(-1)
  const word = last?.isWord ? last.text : ''
  const isName = level?.kind === 'object' && level.expects !== 'value'
  return {
    path: pathOf(levels, isName),
    kind: isName ? 'name' : 'value',
    from: last?.isWord ? last.from : at,
    word: word.replace(/^"/, ''),
    isQuoted: word.startsWith('"'),
    names: level?.names ?? [],
  }
}

function step(levels: Level[], part: string): void {
  const level = levels.at(-1)
  if (part === '{' || part === '[') {
    const isObject = part === '{'
    const kind = isObject ? 'object' : 'array'
    levels.push({ kind, names: [], name: undefined, index: 0, expects: isObject ? 'name' : 'value' })
  } else if (part === '}' || part === ']') {
    levels.pop()
    const outer = levels.at(-1)
    if (outer) outer.expects = 'comma'
  } else if (!level) return
  else if (part === ',') {
    level.index++
    level.name = undefined
    level.expects = level.kind === 'object' ? 'name' : 'value'
  } else if (part === ':') level.expects = 'value'
  else if (level.kind === 'object' && level.expects === 'name') {
    level.name = unquoted(part)
    level.names.push(level.name)
    level.expects = 'colon'
  } else level.expects = 'comma'
}

function pathOf(levels: readonly Level[], isName: boolean): Path {
  return levels.flatMap((level, depth): Path => {
    const isLast = depth === levels.length - 1
    if (isLast && isName) return []
    return level.kind === 'array' ? [level.index] : level.name === undefined ? [] : [level.name]
  })
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    return text.replace(/^"|"$/g, '')
  }
}

/** The places of all values of a text by their paths, as `streams[0].attr[1].name`; members include their names. */
export function placesIn(text: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>()
  const levels: Level[] = []
  const begins: number[] = []
  let nameFrom: number | undefined
  for (const { 0: part, index } of text.matchAll(token)) {
    if (part.trim() === '') continue
    const level = levels.at(-1)
    const isName = level?.kind === 'object' && level.expects === 'name' && !/^[{}[\],:]$/.test(part)
    if (isName) nameFrom = index
    if (part === '{' || part === '[') {
      begins.push(nameFrom ?? index)
      nameFrom = undefined
    } else if (part === '}' || part === ']') {
      const from = begins.pop()
      levels.pop()
      const outer = levels.at(-1)
      if (from !== undefined) places.set(pathText(pathOf(levels, false)), { from, to: index + part.length })
      if (outer) outer.expects = 'comma'
      continue
    } else if (!isName && part !== ',' && part !== ':') {
      places.set(pathText(pathOf(levels, false)), { from: nameFrom ?? index, to: index + part.length })
      nameFrom = undefined
    }
    step(levels, part)
  }
  return places
}

/** streams[0].attr[1].name */
export const pathText = (path: Path): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )

/** The place of a path, or of the nearest that is there above it. */
export function placeOf(places: ReadonlyMap<string, Place>, path: string): Place | undefined {
  for (let above = path; above !== ''; above = above.replace(/(\.[^.[\]]+|\[\d+\]|^[^.[\]]+)$/, '')) {
    const place = places.get(above)
    if (place) return place
  }
  return places.get('')
}
