/** Each command of the skills for agents is run, in the order of llms.txt, and answers what the page shows. */
import { existsSync, readFileSync } from 'node:fs'
import test from 'ava'
import { examplesOf } from '../support/examples.ts'
import { startService } from '../support/service.ts'
import { checkExamples } from '../support/shown.ts'

const root = new URL('../../', import.meta.url)
const read = (file: string): string => readFileSync(new URL(file, root), 'utf8')
const linksOf = (text: string): string[] => [...text.matchAll(/\]\(([^)#]+)/g)].flatMap(([, link]) => link ?? [])
const skills = linksOf(read('llms.txt')).filter((link) => link.startsWith('skills/'))

const { url, close } = await startService({ NOTIFY_PRIVATE: '1' })
test.after.always(close)

for (const skill of skills) {
  test.serial(skill, async (t) => {
    t.timeout(60_000)
    const text = read(skill)
    const [, name, description = ''] = /^---\nname: (\S+)\ndescription: (.+)\n---\n/.exec(text) ?? []
    t.is(`skills/${name}/SKILL.md`, skill)
    t.true(description.length > 40 && description.length < 300)
    const examples = examplesOf(text)
    t.true(examples.length >= 3)
    await checkExamples(t, examples, { url, analysts: url })
    for (const link of linksOf(text)) t.true(existsSync(new URL(link, new URL(skill, root))), link)
  })
}

test('llms.txt leads to files that are there', (t) => {
  t.true(skills.length >= 5)
  for (const link of linksOf(read('llms.txt'))) t.true(existsSync(new URL(link, root)), link)
})
