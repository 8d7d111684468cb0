import { type Weir, WeirError } from '../../src/index.ts'
import { writeJson } from '../../src/json.ts'
import { asksOf } from './asks.ts'
import type { Piece, Project } from './files.ts'
import { hookIn, tryHook } from './hooks.ts'
import { shownQuestion, usual } from './questions.ts'
import { isSame } from './same.ts'
import { problemOfTable, tablesOf } from './tables.ts'
import { isSameTemplate } from './templates.ts'

type Verb = 'add' | 'change' | 'fill' | 'lose' | 'refuse' | 'remove'
/** One thing that an apply would do, or why it cannot. */
export type Change = { readonly verb: Verb; readonly kind: string; readonly name: string; readonly detail: string }

/** The changes that applying a project would make, in their order, and the steps that make them. */
export type Plan = { readonly changes: readonly Change[]; readonly steps: readonly Step[] }
type Step = { readonly what: string; readonly run: () => Promise<unknown> }

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
  const refuse = (kind: string, { path }: Piece, error: unknown): void => {
    if (!(error instanceof WeirError) || (error.kind !== 'refused' && error.kind !== 'conflict')) throw error
    add('refuse', kind, path, error.message)
  }

  const saved = new Map((await weir.questions().all()).map((one) => [String(one.name), one]))
  if (prune) {
    // Questions go before the schemas over which they ask, and before an edit takes away what they name.
    const questions = new Set(project.saved.map(({ name }) => name))
    for (const name of saved.keys()) {
      if (questions.has(name)) continue
      add('remove', 'saved question', name)
      steps.push({ what: `saved question ${name} goes`, run: () => weir.saved(name).remove() })
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
    add('add', 'table', whole)
    steps.push({ what: `table ${whole}`, run: () => weir.table(database, name).make(settings) })
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
    try {
      const trial = await trialOf(weir, piece.text)
      for (const [verb, member] of tried)
        for (const one of listIn(trial[member]))
          add(verb, one.what, one.name === '' ? name : `${name}.${one.name}`, one.detail)
    } catch (error) {
      // The table that a reference needs is made by the step before.
      const isOfAddedTable = error instanceof WeirError && [...added].some((table) => error.message.includes(table))
      if (!isOfAddedTable) refuse('schema', piece, error)
      else add('add', 'schema', name, 'with a table that the project brings')
    }
    const isNew = !schemas.has(name)
    if (changes.length === before && !isNew) continue
    if (changes.length === before) add('add', 'schema', name)
    const isLossy = changes.slice(before).some(({ verb }) => verb === 'lose')
    steps.push({
      what: `schema ${name}`,
      run: () => weir.schemas.put(piece.text, { ...(isLossy && allowLoss && { force: true }) }),
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
    const isUnknown = there && 'secret' in piece.value
    const detail = isUnknown ? 'its secret is set anew, since the service shows none to compare with' : ''
    add(there ? 'change' : 'add', 'notification', piece.name, detail)
    steps.push({
      what: `notification ${piece.name}`,
      run: () => weir.call({ method: 'POST', path: ['db', 'notification', 'register'], json: piece.value }),
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
    try {
      const { version } = await weir.saved(piece.name).put(question as never, { dry: true })
      if (there && version === there.version) continue
    } catch (error) {
      // A question over what a step before makes is tried when it is there.
      if (steps.length === 0 || !isOfWhatIsMade(error, project)) {
        refuse('saved question', piece, error)
        continue
      }
    }
    add(there ? 'change' : 'add', 'saved question', piece.name)
    steps.push({ what: `saved question ${piece.name}`, run: () => weir.saved(piece.name).put(question as never) })
  }

  const hooks = new Set((await weir.hooks.list().all()).map(({ name }) => String(name)))
  for (const piece of project.hooks) {
    const hook = hookIn(piece, process.env)
    const gone = pruned.find((name) => String(hook.into).startsWith(`${name}.`))
    if (gone !== undefined) {
      add('refuse', 'hook', piece.path, goneText('is into', gone))
      continue
    }
    try {
      const outcome = await tryHook(weir, piece.name, hook)
      if (outcome === 'same') continue
      const isMadeBefore = project.schemas.some(({ name }) => String(hook.into).startsWith(`${name}.`))
      if (outcome === 'missing' && !isMadeBefore) {
        add('refuse', 'hook', piece.path, `there is no stream ${hook.into}`)
        continue
      }
    } catch (error) {
      refuse('hook', piece, error)
      continue
    }
    add(hooks.has(piece.name) ? 'change' : 'add', 'hook', piece.name)
    steps.push({ what: `hook ${piece.name}`, run: () => weir.hook(piece.name).put(hook) })
  }

  if (prune) {
    const doors = new Set(project.hooks.map(({ name }) => name))
    for (const name of hooks) {
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
