// Reads the pages of docs/ when the console is built: a page is a tree of elements, which the page draws without any markup.

/** @typedef {string | readonly [tag: string, properties: Readonly<Record<string, string>> | null, ...children: unknown[]]} Piece */

/** @param {string} text
 * @returns {Piece[]} */
export function piecesOf(text) {
  const lines = text.replaceAll('\r', '').split('\n')
  /** @type {Piece[]} */
  const pieces = []
  for (let at = 0; at < lines.length; ) {
    const { piece, next } = blockAt(lines, at)
    if (piece) pieces.push(piece)
    at = next
  }
  return pieces
}

const fence = /^\s*```(\S*)/
const heading = /^(#{1,4}) (.*)$/
const listItem = /^(\s*)(?:[-*]|\d+\.) +(.*)$/
/** @param {string} line */
const isTableRule = (line) => line.includes('-') && line.includes('|') && /^[\s|:-]+$/.test(line)
const quote = /^> ?/
const fold = /^<details>$/
const foldEnd = /^<\/details>$/
const summary = /^<summary>(.*)<\/summary>$/

/** @param {string[]} lines
 * @param {number} at
 * @returns {{ piece?: Piece, next: number }} */
function blockAt(lines, at) {
  const line = lines[at] ?? ''
  if (line.trim() === '' || /^\s*<!--/.test(line)) return { next: at + 1 }
  if (fence.test(line)) {
    const end = lines.findIndex((each, place) => place > at && fence.test(each))
    const last = end < 0 ? lines.length : end
    return { piece: ['pre', { tabIndex: '0' }, ['code', null, lines.slice(at + 1, last).join('\n')]], next: last + 1 }
  }
  const head = heading.exec(line)
  if (head) {
    const [, marks = '', title = ''] = head.map((part) => part.trim())
    return { piece: [`h${marks.length}`, { id: anchorOf(title) }, ...inline(title)], next: at + 1 }
  }
  if (line.includes('|') && isTableRule(lines[at + 1] ?? '')) return tableAt(lines, at)
  if (listItem.test(line)) return listAt(lines, at)
  if (quote.test(line)) {
    const end = endOf(lines, at, (each) => quote.test(each))
    const inner = lines.slice(at, end).map((each) => each.replace(quote, ''))
    return { piece: ['blockquote', null, ...piecesOf(inner.join('\n'))], next: end }
  }
  if (fold.test(line)) return foldAt(lines, at)
  const end = endOf(lines, at, (each, place) => place === at || !startsOther(each))
  return { piece: ['p', null, ...inline(lines.slice(at, end).join(' '))], next: end }
}

/** @param {string} line */
const startsOther = (line) =>
  line.trim() === '' || fence.test(line) || heading.test(line) || listItem.test(line) || quote.test(line)

/** @param {string[]} lines
 * @param {number} from
 * @param {(line: string, place: number) => boolean} belongs */
function endOf(lines, from, belongs) {
  let end = from
  while (end < lines.length && belongs(lines[end] ?? '', end)) end++
  return end
}

/** A fold, closed until a reader opens it: its summary, and the blocks within.
 * @param {string[]} lines
 * @param {number} at
 * @returns {{ piece: Piece, next: number }} */
function foldAt(lines, at) {
  const end = endOf(lines, at, (each) => !foldEnd.test(each))
  const inner = lines.slice(at + 1, end)
  const title = (summary.exec(inner[0] ?? '')?.[1] ?? '').replace(/<code>(.*?)<\/code>/g, '`$1`')
  const blocks = piecesOf(inner.slice(1).join('\n'))
  return { piece: ['details', null, ['summary', null, ...inline(title)], ...blocks], next: end + 1 }
}

/** @param {string[]} lines
 * @param {number} at */
function tableAt(lines, at) {
  const end = endOf(lines, at, (line) => line.includes('|') && line.trim() !== '')
  const row = (/** @type {string} */ line, /** @type {string} */ tag) => {
    const cells = line
      .trim()
      .replace(/^\|/, '')
      .replace(/\|$/, '')
      .split(/(?<!\\)\|/)
    const scope = tag === 'th' ? { scope: 'col' } : null
    return ['tr', null, ...cells.map((cell) => [tag, scope, ...inline(cell.trim().replaceAll('\\|', '|'))])]
  }
  const body = lines.slice(at + 2, end).map((line) => row(line, 'td'))
  /** @type {Piece} */
  const table = ['table', { class: 'table' }, ['thead', null, row(lines[at] ?? '', 'th')], ['tbody', null, ...body]]
  return { piece: table, next: end }
}

/** @param {string[]} lines
 * @param {number} at */
function listAt(lines, at) {
  const [, indent = ''] = listItem.exec(lines[at] ?? '') ?? []
  const isOrdered = /^\s*\d/.test(lines[at] ?? '')
  /** @type {string[][]} */
  const items = []
  let next = at
  for (; next < lines.length; next++) {
    const line = lines[next] ?? ''
    const [, own = '', text = ''] = listItem.exec(line) ?? []
    if (listItem.test(line) && own.length <= indent.length) items.push([text])
    else if (line.trim() === '') {
      // A blank line ends the list, unless what follows belongs to it.
      if (!/^\s+\S/.test(lines[next + 1] ?? '') && !listItem.test(lines[next + 1] ?? '')) break
      items.at(-1)?.push('')
    } else if (/^\s/.test(line) || !startsOther(line))
      items.at(-1)?.push(line.slice(Math.min(indent.length + 2, /^\s*/.exec(line)?.[0].length ?? 0)))
    else break
  }
  const made = items.map((item) => {
    const inner = piecesOf(item.join('\n'))
    const [only] = inner
    // One paragraph needs no margins of its own.
    return ['li', null, ...(inner.length === 1 && Array.isArray(only) && only[0] === 'p' ? only.slice(2) : inner)]
  })
  /** @type {Piece} */
  const piece = [isOrdered ? 'ol' : 'ul', null, ...made]
  return { piece, next }
}

const marks = /`([^`]+)`|\*\*([^*]+)\*\*|!\[([^\]]*)\]\([^)]*\)|\[([^\]]+)\]\(([^)\s]+)\)|<(https?:\/\/[^>]+)>/

/** @param {string} text
 * @returns {Piece[]} */
function inline(text) {
  const found = marks.exec(text)
  if (!found) return text === '' ? [] : [text]
  const [all, code, strong, picture, label, target, plain] = found
  const before = text.slice(0, found.index)
  return [
    ...(before === '' ? [] : [before]),
    ...(code !== undefined
      ? [/** @type {Piece} */ (['code', null, code])]
      : strong !== undefined
        ? [/** @type {Piece} */ (['strong', null, ...inline(strong)])]
        : picture !== undefined
          ? []
          : [linkOf(label === undefined ? [plain ?? ''] : inline(label), target ?? plain ?? '')]),
    ...inline(text.slice(found.index + all.length)),
  ]
}

/** @param {Piece[]} label
 * @param {string} target
 * @returns {Piece} */
function linkOf(label, target) {
  const page = /^(?:docs\/)?([a-z-]+)\.md(#.*)?$/.exec(target)
  if (page) return ['a', { href: `/console/help/${page[1]}${page[2] ?? ''}` }, ...label]
  if (target.startsWith('#')) return ['a', { href: target }, ...label]
  if (/^https?:/.test(target)) return ['a', { href: target, target: '_blank', rel: 'noreferrer' }, ...label]
  // A file of the repository, which the service does not have.
  return ['span', null, ...label]
}

/** As links within pages name their headings.
 * @param {string} title */
const anchorOf = (title) =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(' ', '-')
