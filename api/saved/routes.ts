import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import { anyone } from '../../activities/keys/caller.ts'
import { nameOf } from '../../activities/keys/doors.ts'
import type { LiveEngine } from '../../activities/live/engine.ts'
import type { Templates } from '../../activities/notifications/templates.ts'
import type { SavedEngine } from '../../activities/saved/engine.ts'
import { contentTypes } from '../../activities/saved/formats.ts'
import type { RowsRequest } from '../../activities/saved/rows.ts'
import type { Told } from '../../activities/saved/saved.ts'
import { nextTimes } from '../../activities/saved/schedule/due.ts'
import type { Worst } from '../../activities/saved/watch/store.ts'
import { wholeNumber } from '../../base/decode/values.ts'
import { fault } from '../../base/faults.ts'
import { isObject, type Json, parseJson, writeJson } from '../../base/json.ts'
import type { Logger } from '../../infra/logger.ts'
import { decodeQuestion, questionToWire, reserved, type SavedQuestion } from '../../sql/saved/definition.ts'
import { type Format, formats, type Schedule } from '../../sql/saved/schedule.ts'
import { openParams, valuesOf } from '../../sql/saved/values.ts'
import type { Watch } from '../../sql/saved/watch.ts'
import { checkName } from '../../sql/schema/check/name.ts'
import type { Audited } from '../auth/audited.ts'
import type { LiveClients } from '../auth/live-clients.ts'
import { authorIn, callerIn, sees } from '../auth/permit.ts'
import { createRoutes, define, inSaved, type Routes, read } from '../auth/routes.ts'
import { clientOf } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { refusalOf } from '../http/errors.ts'
import { answerEventStream } from '../http/event-stream.ts'
import { isDetailed, isDry } from '../http/flags.ts'
import { cursorBehind, pagingOf, startOf } from '../http/listing.ts'
import { parameter } from '../http/parameter.ts'
import { streamAnswer } from '../http/stream-answer.ts'
import { answerJson } from './answer-json.ts'
import * as calls from './calls.ts'
import { pathsOf } from './document.ts'
import { isBound, refuseBound } from './unbound.ts'

export type SavedRoutesDeps = Pick<
  SavedEngine,
  'saved' | 'trial' | 'askRows' | 'watches' | 'checkSchedules' | 'now_us'
> & {
  readonly live: Pick<LiveEngine, 'answers'>
  readonly clientOf: LiveClients
  /** The notifids without a template. */
  readonly absentTemplates: Templates['absent']
  /** Whether keys are asked for: an answer is then its key's alone. */
  readonly isKeyed: boolean
  readonly changing: Audited
  readonly bodyLimit: number
  readonly logger: Logger
}

const shown = ({ name, number, question, at, author }: Told) => ({
  name,
  version: number,
  ...questionToWire(question),
  changed: at,
  by: author,
})

/** A question as a key may see it; one with fixed values sees the name, and the parameters that its requests may have. */
function shownTo(context: Pick<Context, 'state'>, told: Told) {
  if (!isBound(context)) return shown(told)
  const { name, number, question } = told
  const { fixed = {} } = callerIn(context)
  const { description, cache_s, params } = questionToWire({ ...question, params: openParams(question, fixed) })
  return { name, version: number, ...(description !== undefined && { description }), cache_s, params }
}

/** The members of a request for rows beside values of parameters, in its address or its body. */
type Wishes = Readonly<Partial<Record<(typeof reserved)[number], Json>>>

/** Saved questions: their versions, and their rows (their watches and schedules are in files of their own). */
export function savedRoutes(deps: SavedRoutesDeps): Routes {
  const { saved, trial, askRows, watches, checkSchedules, now_us, absentTemplates } = deps
  const { live, clientOf: liveClientOf, isKeyed, changing, bodyLimit, logger } = deps
  const routes = createRoutes()

  const readerOf = (context: Context): RowsRequest['reader'] => ({
    by: callerIn(context).by,
    user: nameOf(callerIn(context), context.req.socket.remoteAddress),
    gone: clientOf(context),
  })

  routes.put('/saved/:saved', define(inSaved), calls.saveQuestion, async (context) => {
    const name = parameter(context, 'saved')
    const problem = checkName(name)
    if (problem !== undefined) throw fault('invalid', `the name ${problem}`)
    const question = decodeQuestion(parseJson(await readText(context, bodyLimit, 'the question'), 'the question'))
    const caller = callerIn(context)
    const isAnyone = caller === anyone
    await checkSchedules(question.schedule, isAnyone ? undefined : caller)
    const tried = await trial(question, { ...readerOf(context), caller: isAnyone ? undefined : caller })
    const notes = [...tried, ...(await notesOfWatch(question))]
    const author = authorIn(context)
    const places = [...(caller.on ?? [])]
    const saving = { name, question, places, author }
    if (isDry(context.query)) {
      const { version, isNew, isChanged } = saved.wouldSave(saving)
      const msg = isChanged
        ? `the saved question ${name} would ${isNew ? 'be made' : `be changed: version ${version}`}`
        : `the saved question ${name} is that already: nothing would change`
      const due_times = dueTimesOf(question.schedule)
      context.body = { errcode: 0, dry: 1, msg, version, ...due_times, ...(notes.length > 0 && { error: notes }) }
      return
    }
    const { version, isNew, isChanged } = await changing(
      context,
      (made) => ({ what: 'saved question', name, detail: made ? `version ${made.version}` : 'saved' }),
      () => saved.save(saving),
      (made) => made.isChanged,
    )
    const done = isNew ? 'is made' : isChanged ? `is changed: version ${version}` : 'is that already: nothing changed'
    const msg = `the saved question ${name} ${done}`
    context.body = { errcode: 0, msg, version, ...(notes.length > 0 && { error: notes }) }
  })

  /** Notes about a watch or a schedule that sends nothing. */
  async function notesOfWatch({ watch, schedule }: SavedQuestion): Promise<string[]> {
    const scheduled = schedule.map(({ notf }) => notf)
    const missing = await absentTemplates(scheduled.filter((notf) => notf !== undefined))
    const notes = scheduled.flatMap((notf, n) =>
      notf !== undefined && missing.has(notf)
        ? [`schedule[${n}].notf: there is no notification ${notf} yet; nothing is sent until it is registered`]
        : [],
    )
    return watch ? [...(await notesOfReceivers(watch)), ...notes] : notes
  }

  async function notesOfReceivers({ notf }: Watch): Promise<string[]> {
    if (notf === undefined)
      return ['watch.notf: is not there, so that nothing is sent; GET /saved/N/state has the alerts']
    const absent = await absentTemplates([notf])
    return absent.has(notf)
      ? [`watch.notf: there is no notification ${notf} yet; nothing is sent until it is registered`]
      : []
  }

  /** The next times of each entry of a schedule. */
  const dueTimesOf = (schedule: readonly Schedule[]) =>
    schedule.length > 0 && { due_times: schedule.map((each) => nextTimes(each, now_us(), shownTimes)) }

  routes.get('/saved', read('in list'), calls.listQuestions, async (context) => {
    const isSeen = sees(context)
    const list = saved.list().filter(({ name }) => isSeen(`saved:${name}`))
    const page = isDetailed(context.query)
      ? await detailedPage(context, list)
      : { saved: list.map((told) => shownTo(context, told)) }
    answerJson(context, { ...page, num_saved: list.length, errcode: 0 })
  })

  /** A page with states and due times: those are read and reckoned for as many questions as are shown. */
  async function detailedPage(context: Context, list: readonly Told[]) {
    const { limit, after } = pagingOf(context, {}) ?? { limit: detailedQuestions }
    const names = list.map(({ name }) => name)
    const start = startOf(names, { order: 'up' }, after)
    const page = list.slice(start, start + limit)
    const end = start + page.length
    const watched = page.flatMap(({ name, question }) => (question.watch ? [name] : []))
    // A key with fixed values sees no states.
    const worst = watched.length > 0 && !isBound(context) ? await watches.worst(watched) : new Map<string, Worst>()
    const detailed = page.map((told) => {
      const due = isBound(context) ? [] : told.question.schedule.flatMap((each) => nextTimes(each, now_us(), 1))
      const state = worst.get(told.name)
      return {
        ...shownTo(context, told),
        ...(state && { state }),
        ...(due.length > 0 && { next_due: Math.min(...due) }),
      }
    })
    const cursor = end < list.length && page.length > 0 && cursorBehind(context, names[end - 1] ?? '', end - 1)
    return { saved: detailed, ...(cursor && { cursor }) }
  }

  routes.get('/saved/:saved', read(inSaved), calls.describeQuestion, async (context) => {
    refuseBound(context)
    const told = await versionIn(context)
    answerJson(context, {
      ...shown(told),
      versions: await saved.versions(told.name),
      ...dueTimesOf(told.question.schedule),
      errcode: 0,
    })
  })

  routes.delete('/saved/:saved', define(inSaved), calls.deleteQuestion, async (context) => {
    const name = parameter(context, 'saved')
    saved.find(name)
    if (isDry(context.query)) {
      context.body = { errcode: 0, dry: 1, msg: `the saved question ${name} would be deleted, with all its versions` }
      return
    }
    const author = authorIn(context)
    await changing(context, { what: 'saved question', name, detail: 'deleted' }, () => saved.remove(name, author))
    context.body = { errcode: 0, msg: `the saved question ${name} is deleted` }
  })

  const versionIn = (
    context: Context & { params: Record<string, string> },
    asked = context.query.version,
  ): Promise<Told> => saved.version(parameter(context, 'saved'), numberIn('version', asked, 1e9))

  /** The rows that a request asks for, and of which version. */
  async function requestIn(context: Parameters<typeof versionIn>[0], body: { readonly [name: string]: Json }) {
    const inAddress = new Map<string, string[]>()
    for (const [name, value] of new URLSearchParams(context.querystring)) {
      const known = inAddress.get(name)
      if (known) known.push(value)
      else inAddress.set(name, [value])
    }
    const wishes = wishesIn(inAddress, body)
    const version = await versionIn(context, wishes.version as string | undefined)
    const values = valuesOf(version.question, {
      inAddress: Object.fromEntries(inAddress),
      inBody: Object.fromEntries(Object.entries(body).filter(([name]) => !isReserved(name))),
      fixed: callerIn(context).fixed ?? {},
    })
    const limit = numberIn('limit', wishes.limit, calls.maxLimit)
    const cursor = wishes.cursor
    if (cursor !== undefined && typeof cursor !== 'string')
      throw fault('invalid', 'cursor: send the cursor of the last answer, a text')
    const request: RowsRequest = {
      version,
      values,
      format: formatOf(wishes.format),
      reader: readerOf(context),
      ...(limit !== undefined && { limit }),
      ...(cursor !== undefined && { cursor }),
    }
    return request
  }

  async function answerRows(context: Parameters<typeof versionIn>[0], body: { readonly [name: string]: Json }) {
    const request = await requestIn(context, body)
    const { cache_s } = request.version.question
    const { answer, age_ms } = await askRows(request)
    context.type = contentTypes[request.format]
    context.set('Cache-Control', cache_s > 0 ? `${isKeyed ? 'private' : 'public'}, max-age=${cache_s}` : 'no-cache')
    context.set('X-Weir-Version', String(request.version.number))
    if (isKeyed) context.vary('x-api-key, Authorization, Cookie')
    if (answer.cursor !== undefined) context.set('X-Weir-Cursor', answer.cursor)
    if (answer.kind === 'stream') {
      streamAnswer(context, Readable.from(answer.output, { objectMode: false }), logger)
      return
    }
    if (cache_s > 0) context.set('Age', String(Math.floor(age_ms / 1000)))
    context.set('ETag', `"${createHash('sha256').update(answer.body).digest('base64url').slice(0, 27)}"`)
    context.status = 200
    if (context.fresh) context.status = 304
    else context.body = answer.body
  }

  routes.get('/saved/:saved/rows', read(inSaved), calls.questionRows, (context) => answerRows(context, {}))

  routes.post('/saved/:saved/rows', read(inSaved), calls.askQuestion, async (context) => {
    const text = await readText(context, bodyLimit, 'the values')
    const body = text.trim() === '' ? {} : parseJson(text, 'the body')
    if (!isObject(body)) throw fault('invalid', 'send an object of values by the names of the parameters')
    await answerRows(context, body)
  })

  routes.get('/saved/:saved/live', read(inSaved), calls.followQuestion, async (context) => {
    const { version, values, format, limit, cursor } = await requestIn(context, {})
    if (format !== 'JSON' || limit !== undefined || cursor !== undefined)
      throw fault('invalid', 'format, limit, cursor: a followed question is answered whole, as JSON; leave them out')
    const ask = async (): Promise<string> => {
      const { answer } = await askRows(await requestIn(context, {}))
      if (answer.kind === 'stream')
        throw fault('too large', 'an answer of over 8 MB cannot be followed: ask for fewer rows')
      return answer.body.toString()
    }
    answerEventStream(
      context,
      await live.answers({
        subject: JSON.stringify(['saved', version.name, context.query.version ?? 'latest', writeJson(values)]),
        ask,
        refusalOf: (error) => JSON.stringify(refusalOf(context, error, logger)),
        client: liveClientOf(context),
      }),
    )
  })

  routes.get('/saved/:saved/openapi.json', read(inSaved), calls.questionDocument, async (context) => {
    const told = await versionIn(context)
    const { name, number, question } = told
    const title = question.description ?? name
    context.body = {
      openapi: '3.1.0',
      info: { title, version: String(number) },
      servers: [{ url: '/' }],
      paths: pathsOf(told, callerIn(context)),
      components: {
        securitySchemes: {
          apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          bearer: { type: 'http', scheme: 'bearer' },
        },
      },
    }
  })

  return routes
}

/** Times of an entry of a schedule that an answer has. */
const shownTimes = 3
/** Questions of a page with details, where a request asks for no other number. */
const detailedQuestions = 100

const isReserved = (name: string): boolean => reserved.some((each) => each === name)

/** Takes what is no value of a parameter out of an address. */
function wishesIn(inAddress: Map<string, string[]>, body: { readonly [name: string]: Json }): Wishes {
  return Object.fromEntries(
    reserved.flatMap((name) => {
      const [value, ...more] = inAddress.get(name) ?? []
      inAddress.delete(name)
      const member = Object.hasOwn(body, name) ? body[name] : undefined
      if (more.length > 0 || (value !== undefined && member !== undefined))
        throw fault('invalid', `${name}: there are two; send one`)
      const wish = value ?? member
      return wish === undefined || wish === null ? [] : [[name, wish]]
    }),
  )
}

function numberIn(name: string, value: Json | string[] | undefined, most: number): number | undefined {
  if (value === undefined) return undefined
  const read = wholeNumber(1, most).safeParse(value)
  if (!read.success) throw fault('invalid', `${name}: ${read.error.issues.map(({ message }) => message).join('; ')}`)
  return read.data
}

function formatOf(value: Json | undefined): Format {
  if (value === undefined) return 'JSON'
  const found = formats.find((each) => String(each).toLowerCase() === String(value).toLowerCase())
  if (found) return found
  throw fault('invalid', `format: there are ${formats.join(', ')}, not ${String(value).slice(0, 40)}`)
}
