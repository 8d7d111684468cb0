/** The links between the pages of the documentation. */
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'

// Tests run in a mirror of the repository, in which this page is a link to the one of the repository.
const root = dirname(realpathSync(fileURLToPath(new URL('../../README.md', import.meta.url))))

const pages = ['.', ...foldersBelow('docs'), '.github', '.github/ISSUE_TEMPLATE']
  .filter((folder) => existsSync(join(root, folder)))
  .flatMap((folder) => readdirSync(join(root, folder)).map((name) => join(folder, name)))
  .filter((path) => path.endsWith('.md'))

/** Pages for people who change Weir; they may lead to its sources. */
const forMakers = /^(?:docs\/(?:adr\/|develop|debug|architecture|tests)|CONTRIBUTING|CHANGELOG|\.github\/)/

function foldersBelow(folder: string): string[] {
  const below = readdirSync(join(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return [folder, ...below.flatMap(({ name }) => foldersBelow(join(folder, name)))]
}

/** A page without its blocks of code, in which brackets are no links and `#` begins no heading. */
const proseOf = (page: string): string => readFileSync(join(root, page), 'utf8').replace(/^```[\s\S]*?^```/gm, '')

type Link = { readonly page: string; readonly text: string; readonly file: string; readonly anchor: string }

/** The links of a page, pictures among them, that lead to something in the repository. */
function linksOf(page: string): Link[] {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, '')
  const markdown = [...prose.matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = '']) => target)
  const html = [...prose.matchAll(/(?:href|src|srcset)="([^"]+)"/g)].map(([, target = '']) => target)
  return [...markdown, ...html]
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((text) => {
      const [path = '', anchor = ''] = text.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      const index = join(file, 'README.md')
      return { page, text, file: pages.includes(index) ? index : file, anchor }
    })
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of proseOf(page).matchAll(/^#{1,6} (.*)$/gm)) {
    const text = heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replace(/[`*]/g, '')
      .trim()
    const slug = text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
      .replaceAll(' ', '-')
    let anchor = slug
    for (let again = 1; anchors.has(anchor); again++) anchor = `${slug}-${again}`
    anchors.add(anchor)
  }
  return anchors
}

const links = pages.flatMap(linksOf)

test('every link of a page leads to a file, and to a heading where it names one', (t) => {
  t.true(links.length > 60, `${links.length}`)
  const broken = links.filter(({ file, anchor }) => {
    if (!existsSync(join(root, file))) return true
    return anchor !== '' && !(file.endsWith('.md') && anchorsOf(file).has(anchor))
  })
  t.deepEqual(
    broken.map(({ page, text }) => `${page}: ${text}`),
    [],
  )
})

test('the README leads to every page of the documentation', (t) => {
  const reached = new Set(['README.md'])
  for (const page of reached) for (const { file } of links.filter((link) => link.page === page)) reached.add(file)
  t.deepEqual(
    pages.filter((page) => page.startsWith('docs/') && !reached.has(page)),
    [],
  )
})

test('a page for users leads to no source', (t) => {
  const sources = links.filter(
    ({ page, file }) => /\.[jt]s$/.test(file) && !forMakers.test(page) && !file.startsWith('examples/'),
  )
  t.deepEqual(
    sources.map(({ page, text }) => `${page}: ${text}`),
    [],
  )
})
