import type { RouterContext } from '@koa/router'
import type { Context } from 'koa'
import { anyone } from '../../activities/keys/caller.ts'
import type { LiveEngine } from '../../activities/live/engine.ts'
import { comparableTo } from '../../activities/live/follow-answers.ts'
import type { OpaqueCursors } from '../../activities/pages/opaque-cursors.ts'
import { type Answer, answerText } from '../../activities/pages/page.ts'
import { plainText } from '../../activities/pages/plain.ts'
import { createPlainCursor, placeBehind } from '../../activities/pages/plain-cursor.ts'
import type { Answers } from '../../activities/queries/answers.ts'
import { needOf } from '../../activities/queries/scopes.ts'
import { fault } from '../../base/faults.ts'
import type { Logger } from '../../infra/logger.ts'
import { type Erased, type Erasures, erasureChange } from '../../jobs/erasures.ts'
import { parse, type Statement } from '../../sql/query/index.ts'
import type { Audited } from '../auth/audited.ts'
import type { LiveClients } from '../auth/live-clients.ts'
import { callerIn, permit, sees } from '../auth/permit.ts'
import { createRoutes, type Routes, read, statement } from '../auth/routes.ts'
import { wantsLines } from '../http/accepts.ts'
import type { Ask } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { refusalOf } from '../http/errors.ts'
import { answerEventStream, wantsEventStream } from '../http/event-stream.ts'
import { isEventual, isForced, isRebuilding } from '../http/flags.ts'
import { noteInHeader } from '../http/notes.ts'
import { databaseOf } from '../http/parameter.ts'
import { refuseStray, tellStray } from '../http/stray.ts'
import { queryText } from '../http/url-text.ts'
import * as calls from './calls.ts'
import { type AskedQuery, readQuery } from './continuation.ts'
import { answerLines } from './lines.ts'

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
  /** Where Weir answers analysts, if anywhere. */
  readonly analystsPort: number | undefined
  readonly cursors: OpaqueCursors
  readonly bodyLimit: number
}

type Removal = Extract<Statement, { kind: 'delete' }>

function plain(answer: Answer, cursor: ReturnType<typeof createPlainCursor>): string {
  const place = answer.kind === 'rows' ? placeBehind(answer.page) : undefined
  return plainText(answer, place && cursor.seal(place))
}

const followed = 'GET follows the answer to a select: ?sql=<statement>, as EventSource of browsers sends it'
const answeredOnce = 'POST {"sql": "<statement>"} answers once'

/** The kinds of statements that change what is stored. */
const changeKinds: ReadonlySet<Statement['kind']> = new Set(['insert', 'update', 'delete'])

/** The endpoint for queries and the one for usage. */
export function queryRoutes(deps: QueryRoutesDeps): Routes {
  const { ask, lines, live, clientOf, logger, erasures, changing, isDatabase, analystsPort, cursors, bodyLimit } = deps
  const routes = createRoutes()

  function permitStatement(context: Context, database: string, parsed: Statement): void {
    if (callerIn(context) === anyone) return
    const { scopes, place } = needOf(parsed, database, isDatabase)
    for (const scope of scopes) permit(context, scope, place)
  }

  /** Whether a statement removes events of a stream or rows of an entity. */
  const isErasure = (parsed: Statement): parsed is Removal =>
    parsed.kind === 'delete' && parsed.from.schema !== undefined && !isDatabase(parsed.from.schema)

  /** An erasure is no query: it takes the time that it takes, also when its client has gone. */
  async function erase(context: Context, text: string, { from, where }: Removal) {
    const removal = { text, from, where, rebuild: isRebuilding(context.query), force: isForced(context.query) }
    const { count, rebuilt, notes } = await changing(
      context,
      (erased?: Erased) => erasureChange(removal, erased),
      () => erasures(removal, (target, where) => ask(context, ({ notesOn }, on) => notesOn(target, where, on))),
    )
    if (rebuilt.length === 0) return { retval: count, ...(notes.length > 0 && { error: notes }) }
    const names = rebuilt.map((stream) => `${from.schema}.${stream}`).join(', ')
    const msg = `rebuild of ${names} has begun; GET /stream/${from.schema}/info tells how far it is`
    return { retval: count, errcode: 0, msg, error: [msg, ...notes] }
  }

  /** The statement of a request whose caller may run it, and what runs it. */
  function begin(context: RouterContext, { rows, opaque, notes: _, ...request }: AskedQuery) {
    const { text } = request
    const database = databaseOf(context)
    const parsed = parse(text, analystsPort)
    permitStatement(context, database, parsed)
    const cursor = createPlainCursor(cursors, database, text, callerIn(context).by)
    const query = { ...request, ...(opaque !== undefined && cursor.open(opaque)), sees: sees(context) }
    const run = async (): Promise<string> => {
      const answer = await ask(context, ({ statements }, on) => statements.run(database, parsed, query, on))
      return rows === 'texts' ? answerText(answer) : plain(answer, cursor)
    }
    /** Answers again whenever the answer has changed. */
    async function follow(): Promise<void> {
      answerEventStream(
        context,
        await live.answers({
          comparable: comparableTo(parsed),
          subject: JSON.stringify([database, request, rows, opaque, callerIn(context).by]),
          ask: run,
          refusalOf: (error) => JSON.stringify(refusalOf(context, error, logger)),
          client: clientOf(context),
        }),
      )
    }
    return { database, parsed, cursor, query, run, follow }
  }

  // EventSource of browsers sends nothing else than a GET.
  routes.get('/db/:database/query/live', read('in body'), calls.followQuery, async (context) => {
    context.state.dialect = () => ({})
    const [sql = '', rows] = [queryText(context, 'sql'), queryText(context, 'rows')]
    if (sql === '') throw fault('invalid', `${followed}; ${answeredOnce}`)
    const request = readQuery(JSON.stringify({ sql, ...(rows !== undefined && { rows }) }), isEventual(context.query))
    const { follow } = begin(context, request)
    await follow()
  })

  routes.post('/db/:database/query', statement('in body'), calls.runQuery, async (context) => {
    context.state.dialect = () => ({})
    const request = readQuery(await readText(context, bodyLimit, 'the query'), isEventual(context.query))
    const { text, notes } = request
    const tell = (): void => (notes.length > 0 ? tellStray(context, notes, calls.runQuery) : undefined)
    if (/^\s*insert\b/i.test(text)) context.state.dialect = () => ({ retval: -1 })
    const { database, parsed, cursor, query, run, follow } = begin(context, request)
    if (changeKinds.has(parsed.kind)) refuseStray(context.query, calls.runQuery)
    if (isErasure(parsed) && !wantsEventStream(context)) {
      context.body = await erase(context, text, parsed)
      tell()
      return
    }
    if (wantsEventStream(context)) {
      noteInHeader(context, notes)
      return follow()
    }
    if (wantsLines(context)) {
      const reader = lines(database, parsed, query)
      const next = () => ask(context, (_, on) => reader.next(on))
      await answerLines(context, { ask: next, cursorOf: cursor.seal, client: clientOf(context), logger, notes })
      return
    }
    const answer = await run()
    context.type = 'application/json'
    context.body = answer
    tell()
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
