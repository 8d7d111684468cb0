// Where a mutant's place is in the sources, wherever its file is, however it is formatted and its variables are named.

/** @typedef {import('./mutants/index.js').Mutant} Mutant */
/** @typedef {{ file: string, start: number, end: number, put: string }} Place */

/** A placeholder, a word, a space, or any other character. */
const token = /\$[a-z]\w*|\w+|\s+|./g
const closing = new Set([')', ']', '}'])

/** The pattern as an expression: `$name` stands for a variable or a property of one, the same wherever it stands; spaces
 * and line breaks don't count, nor does a comma before what closes.
 * @param {string} find */
function patternOf(find) {
  /** @type {Set<string>} */
  const names = new Set()
  let pattern = ''
  let isBehindWord = false
  for (const [text] of find.matchAll(token)) {
    if (text.trim() === '') continue
    const name = /^\$([a-z]\w*)$/.exec(text)?.[1]
    const isWord = /\w/.test(text)
    const space = isWord && isBehindWord ? '\\s+' : '\\s*'
    const comma = closing.has(text) ? '(?:,\\s*)?' : ''
    pattern += `${pattern === '' ? '' : space}${comma}${name === undefined ? escaped(text) : hole(name, names)}`
    isBehindWord = isWord
  }
  // Whole words alone, at either end.
  return new RegExp(`${/^[\w$]/.test(find) ? '(?<![\\w$])' : ''}${pattern}${isBehindWord ? '(?![\\w$])' : ''}`, 'g')
}

/** @param {string} name
 * @param {Set<string>} names that the pattern has already */
function hole(name, names) {
  if (names.has(name)) return `\\k<${name}>(?![\\w$])`
  names.add(name)
  return `(?<${name}>[A-Za-z_$][\\w$]*(?:\\.[A-Za-z_$][\\w$]*)*)`
}

/** @param {string} text */
const escaped = (text) => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&')

/** @param {Pick<Mutant, 'find' | 'put'>} mutant
 * @param {Iterable<readonly [string, string]>} sources the product's files, and their texts
 * @returns {Place[]} all that the pattern fits: a mutant that is sound has one */
export function placesOf({ find, put }, sources) {
  const pattern = patternOf(find)
  return [...sources].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].map((match) => ({
      file,
      start: match.index,
      end: match.index + match[0].length,
      put: put.replace(/\$([a-z]\w*)/g, (all, name) => match.groups?.[name] ?? all),
    })),
  )
}

/** The test files that a mutant's titles are in.
 * @param {Pick<Mutant, 'seenBy'>} mutant
 * @param {ReadonlyMap<string, string>} texts of test files
 * @returns {{ title: string, files: string[] }[]} one file each where the mutant is sound */
export const seersOf = ({ seenBy }, texts) =>
  seenBy.map((title) => ({
    title,
    files: [...texts].filter(([, text]) => text.includes(title)).map(([file]) => file),
  }))
