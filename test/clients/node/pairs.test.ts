/** Random pairs of projects: a plan says exactly what applying then changes. `npm test -- --all` tries 500. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import test from 'ava'
import { readProject } from '../../../clients/node/cli/project/files.ts'
import { shownHook } from '../../../clients/node/cli/project/hooks.ts'
import { type Change, planOf } from '../../../clients/node/cli/project/plan.ts'
import { shownQuestion } from '../../../clients/node/cli/project/questions.ts'
import { tablesOf } from '../../../clients/node/cli/project/tables.ts'
import { connect, type Row } from '../../../clients/node/src/index.ts'
import type { Random } from '../../support/random/random.ts'
import { randomFor, runs } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { url, close } = await startService()
test.after.always(close)
const weir = connect({ url, bigints: true })

/** The forms of each attribute, all of its type: another type is refused. */
const forms: Readonly<Record<string, readonly string[]>> = {
  a: ['text', '{ type: text, stats: [count], every: 5m }', '{ type: text, required: true }'],
  b: ['number', '{ type: number, stats: [summary] }', '{ type: number, stats: [summary, p95], every: 1m }'],
  c: ['integer', '{ type: integer, stats: [summary], every: 1h }', '{ type: integer, min: 0 }'],
}

const heads: readonly string[] = [
  '',
  '/*\ncache_s: 60\n*/\n',
  '/*\nwatch: { when: n > 1 }\n*/\n',
  '/*\ndescription: "the first */ of all"\n*/\n',
]

/** A project over few names, so that what one has the next one has too, in another form or not at all. */
function filesOf(random: Random): Record<string, string> {
  const files: Record<string, string> = { 'weir.yaml': 'name: trial\n' }
  const schemas = ['s0', 's1', 's2'].filter(() => random.chance(0.6))
  for (const name of schemas) {
    const attributes = ['a', 'b', 'c'].filter(() => random.chance(0.6))
    const lines = [`schema: ${name}`, 'streams:', '  e:', `    keep: ${random.pick(['forever', '90d'])}`]
    lines.push('    attributes:', '      z: text', '      n: integer')
    for (const attribute of attributes) lines.push(`      ${attribute}: ${random.pick(forms[attribute] ?? [])}`)
    if (random.chance(0.3)) lines.push('    compute:', `      twice: { type: number, is: "n * ${random.whole(2, 3)}" }`)
    if (random.chance(0.3)) lines.push('    groups:', '      - { by: z, of: n, stats: [summary], every: 1m }')
    if (random.chance(0.3))
      lines.push(
        '    filters:',
        `      many: { where: "n > ${random.whole(1, 2)}", into: out }`,
        '  out: { keep: forever }',
      )
    if (random.chance(0.3))
      lines.push('entities:', '  keys: { of: e, by: z, values: { seen: { of: n, stats: [summary] } } }')
    files[`schemas/${name}.yaml`] = `${lines.join('\n')}\n`
  }
  // Now and then a question, or a hook, is of a schema that the project has not.
  const of = () => (schemas.length > 0 && random.chance(0.97) ? random.pick(schemas) : random.pick(['s0', 's1', 's2']))
  for (const name of ['q0', 'q1'])
    if (random.chance(0.5))
      files[`saved/${name}.sql`] = `${random.pick(heads)}SELECT z, n FROM ${of()}.e LIMIT ${random.whole(1, 3)}\n`
  for (const name of ['t0', 't1']) if (random.chance(0.3)) files[`tables/${name}.yaml`] = '{}\n'
  if (random.chance(0.4))
    files['hooks/h0.yaml'] =
      `into: ${of()}.e\nverify: { scheme: github, secret: a-secret-of-a-project }\nid: ${random.pick(['id', 'key'])}\n`
  if (random.chance(0.4))
    files['notifications/90.yaml'] =
      `notifid: 90\n${random.pick(['name: one\n', ''])}${random.pick(['freq: 60\n', ''])}`
  return files
}

function written(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Every definition that the service has, by its kind and name. */
async function definitions(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const put = (kind: string, name: unknown, value: unknown): void =>
    void found.set(
      `${kind} ${name}`,
      JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each)),
    )
  for (const { database, name, settings } of await tablesOf(weir)) put('table', `${database}.${name}`, settings)
  for await (const { name } of weir.schemas.list()) put('schema', name, await weir.schemas.get(String(name)))
  for await (const question of weir.questions()) put('saved question', question.name, shownQuestion(question))
  for await (const hook of weir.hooks.list()) put('hook', hook.name, shownHook(hook as Row))
  for await (const template of weir.query('select * from reg_notif')) put('notification', template.notifid, template)
  return found
}

const whole = new Set(['table', 'saved question', 'hook', 'notification', 'schema'])
/** The definition that a change is of: what is within a schema is of that schema. */
const definitionOf = ({ kind, name }: Change): string =>
  whole.has(kind) && kind !== 'schema' ? `${kind} ${name}` : `schema ${name.split('.')[0]}`

test('of random pairs of projects a plan says exactly what applying changes, and then nothing would change', async (t) => {
  t.timeout(runs(300_000, 7_200_000))
  const random = randomFor(t)
  let [refused, pruned] = [0, 0]
  for (let pair = 0; pair < runs(12, 500); pair++) {
    const files = filesOf(random)
    const shown = `pair ${pair}: ${JSON.stringify(files)}`
    const project = readProject(written(files))
    const options = { allowLoss: true, prune: random.chance(0.4) }
    const before = await definitions()
    const plan = await planOf(weir, project, options)
    t.deepEqual(await definitions(), before, `a plan changes nothing; ${shown}`)
    if (plan.changes.some(({ verb }) => verb === 'refuse')) {
      for (const { verb, detail } of plan.changes)
        t.true(verb !== 'refuse' || detail !== '', `a refusal says why; ${shown}`)
      refused++
      continue
    }
    if (options.prune) pruned++
    for (const { what, run } of plan.steps)
      await run().catch((error: unknown) => t.fail(`${what}: ${(error as Error).message}; ${shown}`))
    const after = await definitions()
    const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
      (key) => before.get(key) !== after.get(key),
    )
    t.deepEqual([...new Set(plan.changes.map(definitionOf))].toSorted(), changed.toSorted(), shown)
    if (!t.deepEqual((await planOf(weir, project, options)).changes, [], shown)) return
  }
  t.log(`${refused} refused, ${pruned} pruned`)
})
