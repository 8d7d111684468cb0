import { type Row, type Weir, WeirError } from '../../src/index.ts'
import { writeJson } from '../../src/json.ts'
import { asksOf } from './asks.ts'
import type { Piece, Project } from './files.ts'
import { hookIn, shownHook, tryHook } from './hooks.ts'
import { shownQuestion, usual } from './questions.ts'
import { isSame } from './same.ts'
import type { Step } from './steps.ts'
import { problemOfTable, tablesOf } from './tables.ts'
import { isSameTemplate, shownTemplate } from './templates.ts'
import { toYaml } from './yaml.ts'

type Verb = 'add' | 'change' | 'fill' | 'lose' | 'refuse' | 'remove'
/** One thing that an apply would do, or why it cannot. */
export type Change = { readonly verb: Verb; readonly kind: string; readonly name: string; readonly detail: string }

/** The changes that applying a project would make, in their order, and the steps that make them. */
export type Plan = { readonly changes: readonly Change[]; readonly steps: readonly Step[] }

type Trial = Readonly<Record<string, unknown>>
const tried: readonly [Verb, string][] = [
  ['add', 'would_add'],
  ['change', 'would_change'],
  ['fill', 'would_fill'],
  ['lose', 'would_lose'],
  ['refuse', 'would_refuse'],
]

export type PlanOptions = { readonly allowLoss: boolean; readonly prune: boolean }

/**
 * Compares a project with a service, by the service's own dry runs. Tables come first, since references name them; then
 * schemas, notifications, saved questions, hooks. With `prune` what the service has and the project has not is removed: questions
 * before all else, hooks and schemas behind it.
 */
export async function planOf(weir: Weir, project: Project, { allowLoss, prune }: PlanOptions): Promise<Plan> {
  const changes: Change[] = []
  const steps: Step[] = []
  const add = (verb: Verb, kind: string, name: string, detail = ''): void =>
    void changes.push({ verb, kind, name, detail })
  const refuse = (kind: string, { path }: Pick<Piece, 'path'>, error: unknown): void => {
    if (!(error instanceof WeirError) || (error.kind !== 'refused' && error.kind !== 'conflict')) throw error
    add('refuse', kind, path, error.message)
  }

  const saved = new Map((await weir.questions().all()).map((one) => [String(one.name), one]))
  if (prune) {
    // Questions go before the schemas over which they ask, and before an edit takes away what they name.
    const questions = new Set(project.saved.map(({ name }) => name))
    for (const [name, one] of saved) {
      if (questions.has(name)) continue
      add('remove', 'saved question', name)
      steps.push({
        what: `saved question ${name} goes`,
        run: () => weir.saved(name).remove(),
        undo: () => weir.saved(name).put(shownQuestion(one) as never),
      })
    }
  }

  const tables = new Map(
    (await tablesOf(weir)).map(({ database, name, settings }) => [`${database}.${name}`, settings]),
  )
  for (const { path, database, name, settings } of project.tables) {
    const whole = `${database}.${name}`
    const there = tables.get(whole)
    const problem = there && problemOfTable(settings, there)
    if (problem !== undefined) add('refuse', 'table', path, problem)
    if (there) continue
    try {
      await unlessOlder(weir.table(database, name).make(settings, { dry: true }))
    } catch (error) {
      refuse('table', { path }, error)
      continue
    }
    add('add', 'table', whole)
    steps.push({
      what: `table ${whole}`,
      run: () => weir.table(database, name).make(settings),
      undo: () => weir.table(database, name).drop(),
    })
  }

  const added = new Set(project.tables.map(({ database, name }) => `${database}.${name}`))
  const schemas = new Set((await weir.schemas.list().all()).map(({ name }) => String(name)))
  const owned = new Set(project.schemas.map(({ name }) => name))
  const pruned = prune ? [...schemas].filter((name) => !owned.has(name)) : []
  for (const piece of project.schemas) {
    const name = String(piece.value.schema)
    if (name !== piece.name) {
      add('refuse', 'schema', piece.path, `it defines schema ${name}: its file is schemas/${name}.yaml`)
      continue
    }
    const before = changes.length
    let isTried = true
    try {
      const trial = await trialOf(weir, piece.text)
      for (const [verb, member] of tried)
        for (const one of listIn(trial[member]))
          add(verb, one.what, one.name === '' ? name : `${name}.${one.name}`, one.detail)
    } catch (error) {
      // The table that a reference needs is made by the step before.
      const isOfAddedTable = error instanceof WeirError && [...added].some((table) => error.message.includes(table))
      if (!isOfAddedTable) refuse('schema', piece, error)
      else {
        isTried = false
        add(schemas.has(name) ? 'change' : 'add', 'schema', name, 'with a table that the project brings')
      }
    }
    const isNew = !schemas.has(name)
    if (changes.length === before && !isNew) continue
    if (changes.length === before) add('add', 'schema', name)
    const isLossy = changes.slice(before).some(({ verb }) => verb === 'lose')
    const present = isNew || isLossy ? undefined : await weir.schemas.get(name)
    const undo = isNew
      ? () => weir.schemas.remove(name, { undo: 24 })
      : present && (() => weir.schemas.put(toYaml(wordsIn(present)), { force: true }))
    steps.push({
      what: `schema ${name}`,
      ...(!isTried && { trial: { stage: 'schemas', path: piece.path, run: () => tryInFull(weir, piece.text) } }),
      run: () => weir.schemas.put(piece.text, { ...(isLossy && allowLoss && { force: true }) }),
      ...(undo && { undo }),
    })
  }

  const notifications = new Map(
    (await weir.query('select * from reg_notif').all()).map((one) => [Number(one.notifid), one]),
  )
  for (const piece of project.notifications) {
    const { notifid } = piece.value
    if (notifid === undefined || String(notifid) !== piece.name) {
      add(
        'refuse',
        'notification',
        piece.path,
        `its file is named by its number: notifid ${notifid} is notifications/${notifid}.yaml`,
      )
      continue
    }
    const there = notifications.get(Number(notifid))
    if (there && isSameTemplate(there, piece.value)) continue
    const register = (notification: Row, dry?: 1) =>
      weir.call({
        ...{ method: 'POST', path: ['db', 'notification', 'register'], json: notification },
        ...(dry && { query: { dry } }),
      })
    try {
      await unlessOlder(register(piece.value, 1))
    } catch (error) {
      refuse('notification', piece, error)
      continue
    }
    const isUnknown = there && 'secret' in piece.value
    const detail = isUnknown ? 'its secret is set anew, since the service shows none to compare with' : ''
    add(there ? 'change' : 'add', 'notification', piece.name, detail)
    const withdraw = { notifid: Number(notifid), state: 'remove' }
    steps.push({
      what: `notification ${piece.name}`,
      run: () => register(piece.value),
      ...(!isUnknown && {
        undo: () =>
          there
            ? register(shownTemplate(there))
            : weir.call({ method: 'POST', path: ['db', 'notification', 'state'], json: withdraw }),
      }),
    })
  }

  for (const piece of project.saved) {
    const gone = pruned.find((name) => asksOf(piece.value, name))
    if (gone !== undefined) {
      add('refuse', 'saved question', piece.path, goneText('asks', gone))
      continue
    }
    const there = saved.get(piece.name)
    const shown = there && shownQuestion(there)
    // Blanks around a text mean nothing, and a file does not keep them: the text that is there stays.
    const sql = shown?.sql.trim() === piece.value.sql ? shown?.sql : piece.value.sql
    const question = { ...piece.value, sql }
    if (shown && isSame(shown, { ...usual, ...question })) continue
    const attempt = () => weir.saved(piece.name).put(question as never, { dry: true })
    let isTried = true
    try {
      const { version } = await attempt()
      if (there && version === there.version) continue
    } catch (error) {
      if (steps.length === 0 || !isOfWhatIsMade(error, project)) {
        refuse('saved question', piece, error)
        continue
      }
      isTried = false
    }
    add(there ? 'change' : 'add', 'saved question', piece.name, isTried ? '' : triedLater)
    steps.push({
      what: `saved question ${piece.name}`,
      ...(!isTried && { trial: { stage: 'doors', path: piece.path, run: attempt } }),
      run: () => weir.saved(piece.name).put(question as never),
      undo: () => (shown ? weir.saved(piece.name).put(shown as never) : weir.saved(piece.name).remove()),
    })
  }

  const hooks = new Map((await weir.hooks.list().all()).map((one) => [String(one.name), one]))
  for (const piece of project.hooks) {
    const hook = hookIn(piece, process.env)
    const gone = pruned.find((name) => String(hook.into).startsWith(`${name}.`))
    if (gone !== undefined) {
      add('refuse', 'hook', piece.path, goneText('is into', gone))
      continue
    }
    let isTried = true
    try {
      const outcome = await tryHook(weir, piece.name, hook)
      if (outcome === 'same') continue
      isTried = outcome !== 'missing'
      if (!isTried && !streamsIn(project).has(String(hook.into))) {
        add('refuse', 'hook', piece.path, `there is no stream ${hook.into}`)
        continue
      }
    } catch (error) {
      refuse('hook', piece, error)
      continue
    }
    const there = hooks.get(piece.name)
    add(there ? 'change' : 'add', 'hook', piece.name, isTried ? '' : triedLater)
    // A secret that the service does not show stays as it is only where the definition that is put back leaves it out.
    const isSecret = there !== undefined && hook.verify !== undefined
    steps.push({
      what: `hook ${piece.name}`,
      ...(!isTried && {
        trial: { stage: 'doors', path: piece.path, run: () => weir.hook(piece.name).put(hook, { dry: true }) },
      }),
      run: () => weir.hook(piece.name).put(hook),
      ...(!isSecret && {
        undo: () => (there ? weir.hook(piece.name).put(shownHook(there)) : weir.hook(piece.name).remove()),
      }),
    })
  }

  if (prune) {
    const doors = new Set(project.hooks.map(({ name }) => name))
    for (const name of hooks.keys()) {
      if (doors.has(name)) continue
      add('remove', 'hook', name)
      steps.push({ what: `hook ${name} goes`, run: () => weir.hook(name).remove() })
    }
    for (const name of pruned) {
      add('remove', 'schema', name, 'with its events; kept for 24 hours, to be brought back')
      steps.push({ what: `schema ${name} goes`, run: () => weir.schemas.remove(name, { undo: 24 }) })
    }
  }
  return { changes, steps }
}

/** A trial of a schema whose losses include what is refused without `force` alone, such as a shorter retention. */
async function trialOf(weir: Weir, text: string): Promise<Trial> {
  const [forced, plain]: [Trial, Trial] = [
    await weir.schemas.put(text, { dry: true, force: true }),
    await weir.schemas.put(text, { dry: true }),
  ]
  const { would_refuse, would_lose } = forced
  const refused = new Set(listIn(would_refuse).map(({ detail }) => detail))
  const losses = listIn(plain.would_refuse).flatMap(({ detail }) =>
    refused.has(detail) ? [] : detail.replace(/; \?force=1 .*$/, ''),
  )
  return { ...forced, would_lose: [...(Array.isArray(would_lose) ? would_lose : []), ...losses] }
}

type Part = { readonly what: string; readonly name: string; readonly detail: string }

/** Parts of a trial: what each is, or, of a refusal, its sentence alone. */
const listIn = (value: unknown): Part[] =>
  (Array.isArray(value) ? value : []).map((each) =>
    typeof each === 'string'
      ? { what: 'schema', name: '', detail: each }
      : { what: String(each.what ?? ''), name: String(each.name ?? ''), detail: detailOf(each) },
  )

const detailOf = ({ detail, from, to }: Readonly<Record<string, unknown>>): string =>
  detail === undefined && to !== undefined ? `${shown(from)} becomes ${shown(to)}` : String(detail ?? '')

const shown = (value: unknown): string => (typeof value === 'string' ? value : writeJson(value ?? 'none'))

/** A schema that could not be tried before its table was there: all that is refused, in one error. */
async function tryInFull(weir: Weir, text: string): Promise<void> {
  const { would_refuse } = await weir.schemas.put(text, { dry: true, force: true })
  const refused = listIn(would_refuse).map(({ detail }) => detail)
  if (refused.length > 0) throw new WeirError('refused', refused.join('; '))
}

/** The words of a schema without what its answer has beside them. */
const wordsIn = ({ errcode: _errcode, error: _error, ...words }: Row): Row => words

/** A service of before knows no trial of this kind: what it would refuse it says when it is applied. */
const unlessOlder = (asked: Promise<unknown>): Promise<unknown> =>
  asked.catch((error: unknown) => {
    const isOlder = error instanceof WeirError && error.status === 400 && /\bdry\b.*not known/.test(error.message)
    if (!isOlder) throw error
  })

const triedLater = 'tried once what it names is there'

/** The streams that the project's schemas define, in words or in the wire form. */
function streamsIn({ schemas }: Project): Set<string> {
  return new Set(
    schemas.flatMap(({ name, value: { streams } }) => {
      const names = Array.isArray(streams)
        ? streams.map((stream: Row) => String(stream?.name))
        : Object.keys(typeof streams === 'object' && streams !== null ? streams : {})
      return names.map((stream) => `${name}.${stream}`)
    }),
  )
}

const isOfWhatIsMade = (error: unknown, { schemas, tables }: Project): boolean =>
  error instanceof WeirError && [...schemas, ...tables].some(({ name }) => error.message.includes(name))

const goneText = (does: string, schema: string): string =>
  `it ${does} schema ${schema}, which the project has not and this plan removes: keep schemas/${schema}.yaml, or drop this file`

/** A plan in lines, for people. */
export function planLines({ changes }: Plan): string[] {
  const signs: Readonly<Record<Verb, string>> = {
    add: '+',
    change: '~',
    fill: '»',
    lose: '!',
    refuse: '✗',
    remove: '-',
  }
  return changes.map(
    ({ verb, kind, name, detail }) => `${signs[verb]} ${verb.padEnd(6)} ${kind} ${name}${detail ? `: ${detail}` : ''}`,
  )
}
