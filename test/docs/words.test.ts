/** docs/words.md, and the table of docs/wire.md: they are made from the tables of the translation, and the example registers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test, { type ExecutionContext } from 'ava'
import { parseYaml } from '../../base/yaml.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { parts } from '../../sql/schema/words/members.ts'
import { isInWords, toWire, toWords } from '../../sql/schema/words/translate.ts'

const [words, wire] = ['words', 'wire'].map((name) => new URL(`../../docs/${name}.md`, import.meta.url)) as [URL, URL]
const page = readFileSync(words, 'utf8')

const begin = /<!-- made from the tables of members[^\n]*-->\n/
const end = '<!-- end -->'

const shown = (value: unknown): string => `\`${JSON.stringify(value)}\``
const cell = (text: string): string => text.replaceAll('|', '\\|')

const tables = parts
  .map(({ what, says, short, members }) => {
    const title = what.replace(/^an? /, '')
    const alone = short === undefined ? '' : ` \`${short}\` may be said alone.`
    const rows = members.map(
      ({ word, says: meaning, example, wire }) =>
        `| \`${word}\` | ${cell(meaning)} | ${example === undefined ? '' : cell(shown(example))} | ${wire.map((each) => `\`${each}\``).join(', ')} |`,
    )
    return `### ${title.charAt(0).toUpperCase()}${title.slice(1)}\n\n${says}${alone}\n\n| Word | Says | Example | On the wire |\n|---|---|---|---|\n${rows.join('\n')}\n`
  })
  .join('\n')

/** Members that other calls have, too, and which the glossary explains. */
const shared = [
  'algo',
  'attr_type',
  'label',
  'lag',
  'max',
  'min',
  'model',
  'obj',
  'rel',
  'sub',
  'type',
  'uid',
  'values',
]
const explained = [...readFileSync(wire, 'utf8').matchAll(/^\| `(\w+)` \| [^|]* \| [^|]* \| [^|]* \|$/gm)]
const onWire = new Set<string>([...shared, ...explained.map(([, word = '']) => word)])

/** The words of each member of the wire, by what they are of. */
function wordsOfMembers(): string {
  const found = new Map<string, Map<string, string[]>>()
  for (const { what, members } of parts)
    for (const { word, wire: names } of members)
      for (const name of names.filter((each) => onWire.has(each))) {
        const ofName = found.get(name) ?? new Map<string, string[]>()
        found.set(name, ofName.set(word, [...(ofName.get(word) ?? []), what]))
      }
  const rows = [...found]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, ofName]) => {
      const said = [...ofName].map(([word, whats]) => `\`${word}\` of ${[...new Set(whats)].join(', ')}`)
      return `| \`${name}\` | ${said.join('; ')} |`
    })
  return `| Member | Word |\n|---|---|\n${rows.join('\n')}\n`
}

function staysAsMade(t: ExecutionContext, file: URL, made: string): void {
  const text = readFileSync(file, 'utf8')
  const start = begin.exec(text)
  const from = (start?.index ?? 0) + (start?.[0].length ?? 0)
  const whole = `${text.slice(0, from)}\n${made}\n${text.slice(text.indexOf(end))}`
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(fileURLToPath(file), whole)
  t.is(text, whole, 'UPDATE_GOLDEN=1 writes the page anew')
}

test('the tables of the page are those of the translation', (t) => staysAsMade(t, words, tables))

test('the page of the wire form has the words for each member', (t) => {
  t.true(onWire.size > 40, `${onWire.size}`)
  staysAsMade(t, wire, wordsOfMembers())
})

test('the example of the page is a schema, and is shown as it stands', (t) => {
  const text = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const { value } = parseYaml(text, 'the example')
  if (!isInWords(value)) return t.fail('the example is no definition in words')
  const { wire } = toWire(value)
  t.notThrows(() => decodeSchema(wire))
  t.deepEqual(toWords(wire), value)
})
