/** The schemas of examples/: schema.yaml has one in words, schema.json beside it the same in the wire form. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import test from 'ava'
import { parseYaml } from '../../base/yaml.ts'
import { isInWords, toWire, toWords } from '../../sql/schema/words/translate.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const filesIn = (folder: string, ending: string): string[] =>
  readdirSync(new URL(`${folder}/`, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => `${folder}/${name}`)

const schemas = filesIn('examples', 'schema.yaml')

function wireOf(file: string): Parameters<typeof toWords>[0] {
  const { value } = parseYaml(read(file), file)
  if (!isInWords(value)) throw new Error(`${file} is no definition in words`)
  return toWire(value).wire
}

test('a schema of the examples that has both forms says the same in both', (t) => {
  const inPlace = schemas.map((file) => [file, file.replace('.yaml', '.json')] as const)
  const ofRecipes = filesIn('examples/recipes/schemas', '.yaml').map(
    (file) => [file, file.replace('/schemas/', '/wire/').replace('.yaml', '.json')] as const,
  )
  const both = [...inPlace, ...ofRecipes].filter(([, wire]) => existsSync(new URL(wire, root)))
  t.true(both.length > 15, `${both.length}`)
  for (const [file, wire] of both) t.deepEqual(toWords(wireOf(file)), toWords(JSON.parse(read(wire))), file)
})

test('a schema of the examples in the wire form has words beside it', (t) => {
  const wire = filesIn('examples', 'schema.json')
  t.deepEqual(
    wire.filter((file) => !schemas.includes(file.replace('.json', '.yaml'))),
    [],
  )
})

/** The page as a reader sees it who opens no fold. */
const unfolded = (page: string): string => read(page).replace(/^<details>$[\s\S]*?^<\/details>$/gm, '')

/** Pages for clients that have the wire form, and for people who change Weir. */
const onWire = /^docs\/(?:interface|glossary|wire|develop|debug|architecture|tests|adr\/)/

test('a page for users shows a schema in words, and its wire form in a fold', (t) => {
  const pages = ['README.md', ...filesIn('docs', '.md')].filter((page) => !onWire.test(page))
  t.true(pages.length > 20, `${pages.length}`)
  const shown = pages.flatMap((page) =>
    (
      unfolded(page).match(
        /^.*(?:"attr":|"streams":\[\{"name":"\w+","type":\d,"swsz"|\/schema\.json`|fromjson).*$/gm,
      ) ?? []
    ).map((line) => `${page}: ${line.slice(0, 120)}`),
  )
  t.deepEqual(shown, [])
})
