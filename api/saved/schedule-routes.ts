import type { Context } from 'koa'
import type { SavedEngine } from '../../activities/saved/engine.ts'
import type { Told } from '../../activities/saved/saved.ts'
import { schedulesAt } from '../../activities/saved/schedule/check.ts'
import { partOf, scheduleOf } from '../../activities/saved/schedule/run.ts'
import { wholeNumber } from '../../base/decode/values.ts'
import { fault } from '../../base/faults.ts'
import { isObject, parseJson } from '../../base/json.ts'
import type { OrchestrationPart } from '../../infra/orchestration/orchestrator.ts'
import type { Audited } from '../auth/audited.ts'
import { createRoutes, define, inSaved, type Routes, read } from '../auth/routes.ts'
import { readText } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import { answerJson } from './answer-json.ts'
import * as calls from './calls.ts'
import { refuseBound } from './unbound.ts'

export type ScheduleRoutesDeps = Pick<SavedEngine, 'saved' | 'watches' | 'now_us'> & {
  /** Says that Temporal is away, where it is. */
  readonly away: () => Promise<{ readonly orchestration?: OrchestrationPart }>
  readonly changing: Audited
  readonly bodyLimit: number
}

/** Runs that an answer has. */
const shownRuns = 1_000

/** The schedules of saved questions: their runs, and runs at once. */
export function scheduleRoutes(deps: ScheduleRoutesDeps): Routes {
  const { saved, watches, now_us, away, changing, bodyLimit } = deps
  const routes = createRoutes()

  function wholeIn(context: Parameters<typeof parameter>[0] & Pick<Context, 'state'>): Told {
    refuseBound(context)
    return saved.find(parameter(context, 'saved'))
  }

  routes.get('/saved/:saved/runs', read(inSaved), calls.scheduleRuns, async (context) => {
    const { name } = wholeIn(context)
    const runs = (await watches.runs(name, shownRuns)).map(({ part, name: _, isAsked, due, ...run }) => ({
      ...{ schedule: scheduleOf(part), due, asked: isAsked },
      ...run,
    }))
    answerJson(context, { runs, num_runs: runs.length, ...(await away()), errcode: 0 })
  })

  routes.post('/saved/:saved/run', define(inSaved), calls.runSchedule, async (context) => {
    const { name, question } = wholeIn(context)
    const text = await readText(context, bodyLimit, 'the request')
    const body = text.trim() === '' ? {} : parseJson(text, 'the request')
    if (!isObject(body)) throw fault('invalid', 'send {"schedule": 0}, or nothing for all')
    const other = Object.keys(body).find((member) => member !== 'schedule')
    if (other !== undefined)
      throw fault('invalid', `${other.slice(0, 64)}: is unknown; there is schedule, or nothing for all`)
    const place = body.schedule === undefined ? undefined : wholeNumber(0, 1_000).safeParse(body.schedule)
    if (place && !place.success) throw fault('invalid', 'schedule: must be its place in the list, from 0')
    const asked = schedulesAt(name, question.schedule, place?.data)
    const at = now_us()
    const due = asked.map((_, n) => at + n)
    await changing(context, { what: 'saved question', name, detail: 'run' }, async () => {
      for (const [n, each] of asked.entries()) await watches.askRun({ name, part: partOf(each), due: at + n })
    })
    const many = asked.length === 1 ? 'a run' : `${asked.length} runs`
    context.body = { errcode: 0, msg: `${many} of ${name} will begin within a second or so`, due }
  })

  return routes
}
