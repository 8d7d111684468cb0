import type { Context } from 'koa'
import { anyone } from '../../activities/keys/caller.ts'
import type { LiveEngine } from '../../activities/live/engine.ts'
import type { OpaqueCursors } from '../../activities/pages/opaque-cursors.ts'
import { type Answer, answerText } from '../../activities/pages/page.ts'
import { plainText } from '../../activities/pages/plain.ts'
import { createPlainCursor, placeBehind } from '../../activities/pages/plain-cursor.ts'
import type { Answers } from '../../activities/queries/answers.ts'
import { withCaretOf } from '../../activities/queries/run-statement.ts'
import { needOf } from '../../activities/queries/scopes.ts'
import type { RegisteredStream, Registry } from '../../activities/registry/registry.ts'
import { fault } from '../../base/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import type { Erased, Erasures } from '../../jobs/erasures.ts'
import { parse, pathsOf, type Statement } from '../../sql/query/index.ts'
import { takersOf } from '../../sql/schema/made.ts'
import type { Audited, AuditedChange } from '../auth/audited.ts'
import type { LiveClients } from '../auth/live-clients.ts'
import { callerIn, permit, sees } from '../auth/permit.ts'
import { createRoutes, type Routes, read, statement } from '../auth/routes.ts'
import type { Ask } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { refusalOf } from '../http/errors.ts'
import { answerEventStream, wantsEventStream } from '../http/event-stream.ts'
import { isEventual, isForced, isRebuilding } from '../http/flags.ts'
import { databaseOf } from '../http/parameter.ts'
import { refuseStray } from '../http/stray.ts'
import * as calls from './calls.ts'
import { readQuery } from './continuation.ts'
import { answerLines, wantsLines } from './lines.ts'

export type QueryRoutesDeps = {
  readonly ask: Ask
  readonly lines: Answers['statements']['lines']
  readonly live: Pick<LiveEngine, 'answers'>
  readonly clientOf: LiveClients
  readonly logger: Logger
  readonly erasures: Erasures
  readonly changing: Audited
  /** Whether `D.T` may name a table of database D, and no stream. */
  readonly isDatabase: (name: string) => boolean
  readonly registry: Pick<Registry, 'stream'>
  /** Where Weir answers analysts, if anywhere. */
  readonly analystsPort: number | undefined
  readonly cursors: OpaqueCursors
  readonly bodyLimit: number
}

type Removal = Extract<Statement, { kind: 'delete' }>

/** The answer names the streams that keep something of events that were erased. */
function stayingOf({ schema, stream }: RegisteredStream): string[] {
  const names = takersOf(schema, stream).map(({ name }) => `${schema.name}.${name}`)
  if (names.length === 0) return []
  return [
    `rows and values that joins, patterns and references took from the erased events stay in ${names.join(', ')}: erase those there too`,
  ]
}

function plain(answer: Answer, cursor: ReturnType<typeof createPlainCursor>): string {
  const place = answer.kind === 'rows' ? placeBehind(answer.page) : undefined
  return plainText(answer, place && cursor.seal(place))
}

/** Whether a statement changes what is stored, by its first word. */
const changes = (text: string): boolean => /^\s*(?:insert|update|delete)\b/i.test(text)

/** The endpoint for queries and the one for usage. */
export function queryRoutes(deps: QueryRoutesDeps): Routes {
  const {
    ask,
    lines,
    live,
    clientOf,
    logger,
    erasures,
    changing,
    isDatabase,
    registry,
    analystsPort,
    cursors,
    bodyLimit,
  } = deps
  const routes = createRoutes()

  function permitStatement(context: Context, database: string, text: string): void {
    if (callerIn(context) === anyone) return
    const { scopes, place } = needOf(parse(text, analystsPort), database, isDatabase)
    for (const scope of scopes) permit(context, scope, place)
  }

  /** A statement that removes events of a stream or rows of an entity; undefined for all others. */
  function erasureIn(text: string): Removal | undefined {
    if (!/^\s*delete\b/i.test(text)) return undefined
    const statement = parse(text, analystsPort)
    const { schema } = statement.kind === 'delete' ? statement.from : {}
    return statement.kind === 'delete' && schema !== undefined && !isDatabase(schema) ? statement : undefined
  }

  /** An erasure is no query: it takes the time that it takes, also when its client has gone. */
  async function erase(context: Context, text: string, { from, where }: Removal) {
    const asked = { from, where, rebuild: isRebuilding(context.query), force: isForced(context.query) }
    const attributes = where === undefined ? [] : [...new Set(pathsOf(where))]
    const change = (erased?: Erased): AuditedChange => ({
      what: 'erasure',
      name: `${from.schema}.${from.name}`,
      // The values of the condition may name a person.
      detail: `${erased ? `${erased.count} erased` : 'erased'} by ${attributes.join(', ')}`.slice(0, 500),
    })
    const run = () =>
      erasures(asked).catch((error: unknown) => {
        throw withCaretOf(text, error)
      })
    const { count, rebuilt } = await changing(context, change, run)
    const names = rebuilt.map((stream) => `${from.schema}.${stream}`).join(', ')
    const begun = `rebuild of ${names} has begun; GET /stream/${from.schema}/info tells how far it is`
    // The condition of one that finds nothing may have been misspelt.
    const target = registry.stream(from.schema ?? '', from.name)
    const misspelt = count === 0 ? await ask(context, ({ notesOn }, on) => notesOn(target, where, on)) : []
    const notes = count === 0 ? misspelt : stayingOf(target)
    if (rebuilt.length > 0) return { retval: count, errcode: 0, msg: begun, error: [begun, ...notes] }
    return { retval: count, ...(notes.length > 0 && { error: notes }) }
  }

  routes.post('/db/:database/query', statement('in body'), calls.runQuery, async (context) => {
    context.state.dialect = () => ({})
    const { rows, opaque, ...asked } = readQuery(
      await readText(context, bodyLimit, 'the query'),
      isEventual(context.query),
    )
    const { text } = asked
    if (/^\s*insert\b/i.test(text)) context.state.dialect = () => ({ retval: -1 })
    const database = databaseOf(context)
    permitStatement(context, database, text)
    if (changes(text)) refuseStray(context.query, calls.runQuery)
    const cursor = createPlainCursor(cursors, database, text, callerIn(context).by)
    const query = { ...asked, ...(opaque !== undefined && cursor.open(opaque)), sees: sees(context), analystsPort }
    const erasure = wantsEventStream(context) ? undefined : erasureIn(text)
    if (erasure) {
      context.body = await erase(context, text, erasure)
      return
    }
    const run = async (): Promise<string> => {
      const answer = await ask(context, ({ statements }, on) => statements.run(database, query, on))
      return rows === 'texts' ? answerText(answer) : plain(answer, cursor)
    }
    if (wantsEventStream(context)) {
      answerEventStream(
        context,
        await live.answers({
          statement: parse(text, analystsPort),
          subject: JSON.stringify([database, asked, rows, opaque, callerIn(context).by]),
          ask: run,
          refusalOf: (error) => JSON.stringify(refusalOf(context, error, logger)),
          client: clientOf(context),
        }),
      )
      return
    }
    if (wantsLines(context)) {
      const reader = lines(database, query)
      const next = () => ask(context, (_, on) => reader.next(on))
      await answerLines(context, { ask: next, cursorOf: cursor.seal, client: clientOf(context), logger })
      return
    }
    const answer = await run()
    context.type = 'application/json'
    context.body = answer
  })

  routes.post('/stream/usage', read('everywhere'), calls.usage, async (context) => {
    const query = readQuery(await readText(context, bodyLimit, 'the query'), isEventual(context.query))
    if (parse(query.text, analystsPort).kind !== 'usage') {
      throw fault('invalid', 'send {"sql": "select usage from weir_stream"}; other statements go to /db/mydb/query')
    }
    const answer = await ask(context, ({ statements }, on) => statements.usage(query, on))
    context.type = 'application/json'
    context.body = answerText(answer)
  })

  return routes
}
