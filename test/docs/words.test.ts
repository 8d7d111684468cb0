/** docs/words.md: its tables are made from those of the translation, and its example registers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { parseYaml } from '../../base/yaml.ts'
import { decodeSchema } from '../../sql/schema/decode.ts'
import { parts } from '../../sql/schema/words/members.ts'
import { isInWords, toWire, toWords } from '../../sql/schema/words/translate.ts'

const file = new URL('../../docs/words.md', import.meta.url)
const page = readFileSync(file, 'utf8')

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

test('the tables of the page are those of the translation', (t) => {
  const start = begin.exec(page)
  const from = (start?.index ?? 0) + (start?.[0].length ?? 0)
  const made = `${page.slice(0, from)}\n${tables}\n${page.slice(page.indexOf(end))}`
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(fileURLToPath(file), made)
  t.is(page, made, 'UPDATE_GOLDEN=1 writes the page anew')
})

test('the example of the page is a schema, and is shown as it stands', (t) => {
  const text = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? ''
  const { value } = parseYaml(text, 'the example')
  if (!isInWords(value)) return t.fail('the example is no definition in words')
  const { wire } = toWire(value)
  t.notThrows(() => decodeSchema(wire))
  t.deepEqual(toWords(wire), value)
})
