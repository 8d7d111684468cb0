import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/**
 * LMDB maps its file, so that a page that is not as LMDB wrote it ends the process by a signal. This reads the file
 * before that, as lib/lmdb's mdb.c of lmdb-js lays it out (data version 2): two meta pages, then trees of branches and
 * leaves, and pages of long values.
 */
const headerBytes = 24
const nodeBytes = 8
const magic = 0xbeefc0de
const dataVersion = 2
const metaPage = 8
const pages = { branch: 1, leaf: 2 } as const
const nodes = { big: 1, tree: 2 } as const
/** Sizes of pages that LMDB makes. */
const [smallestPage, largestPage] = [512, 65_536]
/** A start reads no more pages of trees than these: some ten milliseconds. */
const maxPages = 4_096

type Meta = {
  readonly pageSize: number
  readonly roots: readonly number[]
  readonly last: number
  readonly txn: number
}

/** The reason why LMDB cannot use a file; undefined where none was found. */
export function damageOf(file: string): string | undefined {
  const handle = openSync(file, 'r')
  try {
    const before = metaOf(handle)
    if (typeof before === 'string') return before
    const { size } = fstatSync(handle)
    const wanted = (before.last + 1) * before.pageSize
    if (size < wanted) return `it has ${size} bytes, and ${wanted} are in use`
    const found = treeDamage(handle, before)
    const after = metaOf(handle)
    // Another process writes to it: a page that was read may be of a later state.
    return typeof after !== 'string' && after.txn !== before.txn ? undefined : found
  } finally {
    closeSync(handle)
  }
}

/** The newer of the two states of a file, or the reason why there is none. */
function metaOf(handle: number): Meta | string {
  const first = Buffer.alloc(smallestPage)
  if (readSync(handle, first, 0, first.length, 0) < first.length) return 'it is too short to be a log'
  const pageSize = first.readUInt32LE(headerBytes + 24)
  const isSize = pageSize >= smallestPage && pageSize <= largestPage && Number.isInteger(Math.log2(pageSize))
  if (!isMeta(first) || !isSize) return 'its first page is none of a log'
  const second = Buffer.alloc(smallestPage)
  readSync(handle, second, 0, second.length, pageSize)
  if (!isMeta(second)) return 'its second page is none of a log'
  const [one, other] = [stateOf(first, pageSize), stateOf(second, pageSize)]
  return one.txn > other.txn ? one : other
}

const stateOf = (page: Buffer, pageSize: number): Meta => ({
  pageSize,
  roots: [numberAt(page, headerBytes + 64), numberAt(page, headerBytes + 112)],
  last: numberAt(page, headerBytes + 120),
  txn: numberAt(page, headerBytes + 128),
})

const isMeta = (page: Buffer): boolean =>
  (page.readUInt16LE(18) & metaPage) !== 0 &&
  page.readUInt32LE(headerBytes) === magic &&
  page.readUInt32LE(headerBytes + 4) === dataVersion

/** No page of a tree that is empty: its number is the greatest of 64 bits. */
const noPage = 2 ** 64
const numberAt = (page: Buffer, at: number): number => Number(page.readBigUInt64LE(at))

function treeDamage(handle: number, { roots, pageSize, last }: Meta): string | undefined {
  const page = Buffer.alloc(pageSize)
  const waiting = roots.filter((root) => root < noPage)
  for (let read = 0; read < maxPages; read++) {
    const number = waiting.shift()
    if (number === undefined) return undefined
    if (number < 2 || number > last) return `page ${number} is named in it, and ${last} is the last one`
    readSync(handle, page, 0, pageSize, number * pageSize)
    const below = pagesBelow(page, number)
    if (!below) return `page ${number} (of ${pageSize} bytes) is not as it was written`
    for (const each of below) waiting.push(each)
  }
  return undefined
}

/** The pages of trees that a page names; undefined where it is no page of a tree. */
function pagesBelow(page: Buffer, number: number): number[] | undefined {
  const kind = page.readUInt16LE(18) & (pages.branch | pages.leaf)
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
  const isSound =
    numberAt(page, 0) === number &&
    (kind === pages.branch || kind === pages.leaf) &&
    lower % 2 === 0 &&
    lower <= upper &&
    upper <= page.length - headerBytes
  if (!isSound) return undefined
  const below: number[] = []
  for (let at = headerBytes; at < headerBytes + lower; at += 2) {
    const node = headerBytes + page.readUInt16LE(at)
    if (node < headerBytes + upper || node + nodeBytes > page.length) return undefined
    const flags = page.readUInt16LE(node + 4)
    const data = node + nodeBytes + page.readUInt16LE(node + 6)
    const low = page.readUInt32LE(node)
    if (kind === pages.branch) below.push(low + flags * 2 ** 32)
    else if ((flags & nodes.big) === 0 && data + low > page.length) return undefined
    else if ((flags & nodes.tree) !== 0) {
      if (low < 48) return undefined
      const root = numberAt(page, data + 40)
      if (root < noPage) below.push(root)
    }
  }
  return below
}
