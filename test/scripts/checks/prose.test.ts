import test from 'ava'
import { slipsIn, slipsOf } from '../../../scripts/checks/prose.js'

for (const [words, sentence] of [
  ['What', 'What asks whether all is well is never refused.'],
  ['Those', 'Events come in. Those that are bad are listed.'],
  ['None', 'The first one wins; None of the others counts.'],
  ['Who', 'Who repeats a batch compares the schema.'],
  ['whoever', 'A lease passes on, and whoever has it writes.'],
  ['to who', 'The place goes to who asked first.'],
  ['says whom', 'A template says whom to tell.'],
  ['nobody', 'A port that nobody listens on.'],
  ['told of', 'A service that is told of it.'],
  ['tells of', 'The log tells of each failure.'],
  ['so long', 'Closes connections that were idle for so long.'],
  ['Of a bucket', 'Of a bucket that has keys.'],
  ["Of the request's", "The greatest number of rows. Of the request's own."],
] as const) {
  test(`a sentence without its actor or its thing is refused: ${sentence}`, (t) => {
    t.true(slipsIn(sentence).some((slip) => slip.includes(words)))
  })
}

for (const sentence of [
  'Probes are not rate-limited.',
  'A client that repeats a batch gets its first answer.',
  'An operator who deletes events reconciles.',
  'Names the places in which a key may do what its scopes say.',
  'The rows of a run: its own, and none of another one.',
  'Keeps a body for as long as its client sends.',
  'Of the processes that start together one migrates, and the others wait until it has ended.',
]) {
  test(`a sentence that names both passes: ${sentence}`, (t) => t.deepEqual(slipsIn(sentence), []))
}

for (const [comment, isRefused] of [
  ['By schema.', true],
  ['Its number.', true],
  ['As it begins.', true],
  ['From 0. The same file gives the same blocks.', true],
  ['Where the client bounds them.', true],
  ['The rules of each schema, by its name.', false],
  ['In a turn all events of a request are taken together, in the order of their lines.', false],
  ['As it begins, a prediction has no rows.', false],
] as const) {
  test(`a comment that is a fragment is refused, a sentence passes: ${comment}`, (t) => {
    t.is(slipsOf('a.ts', `/** ${comment} */\n`).length, isRefused ? 1 : 0)
    t.deepEqual(slipsOf('a.md', `${comment}\n`), [])
  })
}

for (const [title, file, lines, found] of [
  ['a docstring', 'a.ts', ['const a = 1', '', '/** A port that nobody uses. */', 'const b = 2'], [3]],
  ['a block, by the line at which it begins', 'a.js', ['/**', ' * A port', ' * that nobody uses.', ' */'], [1]],
  ['lines of comments that are one text', 'a.ts', ['f()', '// A port that', '// nobody uses.', 'g()'], [2]],
  ['a comment behind code', 'a.ts', ['f()', 'g() // nobody uses it'], [2]],
  ['code and its texts', 'a.ts', ["const nobody = 'nobody, http://nobody'", 'f(nobody)'], []],
  ['code and quotations in a comment', 'a.ts', ['/** `nobody` answers "nobody". */'], []],
  ['a paragraph', 'a.md', ['# A', '', 'First.', '', 'A port that', 'nobody uses.', '', 'Last.'], [5]],
  ['an item of a list', 'a.md', ['- First.', '- A port that', '  nobody uses.', '2. For nobody.'], [2, 4]],
  ['a cell of a table', 'a.md', ['| Port | Use |', '|---|---|', '| 1 | nobody |', '| 2 | `nobody` |'], [3]],
  ['an example', 'a.md', ['```sh', '$ echo nobody', '```', '', 'For nobody:', '```', 'nobody', '```'], [5]],
  ['a heading, which links point at', 'a.md', ['## Who is nobody', '', 'A user of the system.'], []],
] as const) {
  test(`where sentences are looked for: ${title}`, (t) => {
    const slips = slipsOf(file, `${lines.join('\n')}\n`)
    t.deepEqual(
      slips.map((slip) => slip.split(' name')[0]),
      found.map((line) => `${file}:${line}: "nobody":`),
    )
  })
}
