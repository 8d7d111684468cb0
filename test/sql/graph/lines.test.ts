import test from 'ava'
import { nodeLines, splitLines, tripleLine } from '../../../sql/graph/index.ts'

const node = (label: string, properties: readonly (readonly [string, string])[] = []) =>
  nodeLines({ label, name: 'n', properties }, 1)
const triple = (label: string) => {
  const end = { label, name: 'a\nb' }
  return tripleLine({ subject: end, relation: 'R', object: end, properties: [['subject_label', '"x"']] }, 2)
}

const cases: Readonly<Record<string, readonly string[]>> = {
  nothing: [],
  'nodes alone': [node('A', [['p', '1']]), node('subject_label')],
  'triples alone': [triple('label'), triple('B')],
  'commits, each with nodes and triples': [node('A'), triple('A'), node('B', [['s', '"{"']]), triple('B'), triple('C')],
  'triples first': [triple('A'), node('A')],
}

for (const [name, lines] of Object.entries(cases)) {
  test(`lines are cut into those of nodes and those of triples, in their order: ${name}`, (t) => {
    const cut = splitLines(Buffer.from(lines.join('')))
    const isTriple = (line: string): boolean => 'subject' in JSON.parse(line.split('\n')[0] ?? '')
    t.is(cut.nodes.toString(), lines.filter((line) => !isTriple(line)).join(''))
    t.is(cut.triples.toString(), lines.filter(isTriple).join(''))
  })
}
