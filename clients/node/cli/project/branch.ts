import type { Row, Weir } from '../../src/index.ts'
import { tell } from '../print.ts'
import { makeBuckets } from './buckets.ts'
import { shownQuestion } from './questions.ts'
import { tablesOf } from './tables.ts'

type Words = {
  readonly schema?: unknown
  readonly streams?: Readonly<Record<string, Computed>>
}
type Computed = { readonly compute?: object; readonly lookups?: Readonly<Record<string, { readonly take?: unknown }>> }

/**
 * Copies what a running Weir has into an empty one: tables with records, schemas, saved questions, and the latest `last` events of each
 * stream that is posted to, the oldest first, so that all that is derived of them comes about anew. Models, keys and
 * notifications stay: a branch sends nothing to anyone. The buckets into which schedules write are there, and empty.
 */
export async function branch(from: Weir, to: Weir, last: number): Promise<void> {
  for (const { database, name, settings } of await tablesOf(from)) {
    await to.table(database, name).make(settings)
    let records = 0
    for await (const { _pk, _v, _time, ...doc } of from.query(`select * from ${database}.${name} limit ${last}`)) {
      await to.table(database, name).put(_pk as string, doc)
      records++
    }
    tell(`table ${database}.${name}: ${records} records`)
  }
  for await (const { name } of from.schemas.list()) {
    const schema = String(name)
    const { errcode: _errcode, error: _error, notifications: _notifications, ...words } = await from.schemas.get(schema)
    await putWithTables(to, words)
    const { streams } = await from.call<{ streams: { name: string; type: number }[] }>({
      method: 'GET',
      path: ['stream', schema, 'info'],
    })
    for (const stream of streams) {
      if (stream.type !== 1 || last === 0) continue
      const events = await from.query(`select * from ${schema}.${stream.name} limit ${last}`).all()
      const made = computedIn((words as Words).streams?.[stream.name])
      const posted = events.toReversed().map((event) => without(event, made))
      const { accepted, rejected } = await to.stream(schema, stream.name).sendMany(posted)
      tell(`stream ${schema}.${stream.name}: ${accepted} events${rejected > 0 ? `, ${rejected} refused` : ''}`)
    }
  }
  for await (const shown of from.questions()) {
    const [name, question] = [String(shown.name), shownQuestion(shown)]
    await makeBuckets(to, [{ where: `saved question ${name}`, question }])
    await to.saved(name).put(question as never)
  }
}

/** A schema may look up in tables that were dropped since: empty ones stand for them, as the lookups find nothing there either. */
async function putWithTables(to: Weir, words: Row): Promise<void> {
  const made = new Set<string>()
  for (;;) {
    try {
      return void (await to.schemas.put(words))
    } catch (error) {
      const [, database = '', name = ''] = /there is no table (\w+)\.(\w+); make it first/.exec(messageOf(error)) ?? []
      const whole = `${database}.${name}`
      if (name === '' || made.has(whole)) throw error
      made.add(whole)
      await to.table(database, name).make()
      tell(`table ${whole}: a lookup names it and it is not there; it is empty here`)
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : '')

/** Members of a stored event that come about again. */
function computedIn(stream: Computed | undefined): ReadonlySet<string> {
  const taken = Object.values(stream?.lookups ?? {}).flatMap(({ take }) =>
    Array.isArray(take)
      ? take.map(String)
      : typeof take === 'object' && take !== null
        ? Object.values(take).map(String)
        : [],
  )
  return new Set(['_time', '_v', ...Object.keys(stream?.compute ?? {}), ...taken])
}

const without = (event: Readonly<Record<string, unknown>>, names: ReadonlySet<string>) =>
  Object.fromEntries(Object.entries(event).filter(([name, value]) => !names.has(name) && value !== null))
