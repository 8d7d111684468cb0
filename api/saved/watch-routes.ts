import type { RouterContext } from '@koa/router'
import type { Context } from 'koa'
import { anyone } from '../../activities/keys/caller.ts'
import { nameOf } from '../../activities/keys/doors.ts'
import type { SavedEngine } from '../../activities/saved/engine.ts'
import type { Version } from '../../activities/saved/rows.ts'
import { fault } from '../../base/faults.ts'
import { parseJson, writeJson } from '../../base/json.ts'
import type { OrchestrationPart } from '../../infra/orchestration/orchestrator.ts'
import { decodeQuestion, questionToWire } from '../../sql/saved/definition.ts'
import { type Draft, decodeBacktest, decodeSilence, draftIn, refuseManyEvaluations } from '../../sql/saved/requests.ts'
import type { Audited } from '../auth/audited.ts'
import { callerIn, permit } from '../auth/permit.ts'
import { createRoutes, define, inSaved, type Routes, read } from '../auth/routes.ts'
import { clientOf } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import { answerJson } from './answer-json.ts'
import * as calls from './calls.ts'
import { refuseBound } from './unbound.ts'

export type WatchRoutesDeps = Pick<SavedEngine, 'saved' | 'trial' | 'watches' | 'silences' | 'backtest' | 'now_us'> & {
  /** Says that Temporal is away, where it is. */
  readonly away: () => Promise<{ readonly orchestration?: OrchestrationPart }>
  readonly changing: Audited
  readonly bodyLimit: number
}

/** Changes of states that an answer has. */
const shownChanges = 1_000

/** The watches of saved questions: states, silences, backtests. */
export function watchRoutes(deps: WatchRoutesDeps): Routes {
  const { saved, trial, watches, silences, backtest, now_us, away, changing, bodyLimit } = deps
  const routes = createRoutes()

  function watchedIn(context: Parameters<typeof parameter>[0] & Pick<Context, 'state'>) {
    const told = saved.find(parameter(context, 'saved'))
    refuseBound(context)
    const { watch } = told.question
    if (!watch) throw fault('conflict', `${told.name} has no watch: PUT /saved/${told.name} with "watch" makes one`)
    return { ...told, watch }
  }

  routes.get('/saved/:saved/state', read(inSaved), calls.watchState, async (context) => {
    const { name } = watchedIn(context)
    const [kept, changes, silenced, ofTemporal] = await Promise.all([
      watches.state(name),
      watches.changes(name, shownChanges),
      silences.of(name),
      away(),
    ])
    const { at, took_ms, problem, skipped = 0, alerts = new Map() } = kept ?? {}
    answerJson(context, {
      name,
      ...(at !== undefined && { at, took_ms }),
      skipped,
      ...(problem && { problem }),
      ...ofTemporal,
      alerts: [...alerts.values()],
      num_alerts: alerts.size,
      changes,
      silences: silenced.map(({ key, until, why }) => ({ key, until, why })),
      errcode: 0,
    })
  })

  routes.put('/saved/:saved/silence', define(inSaved), calls.silenceWatch, async (context) => {
    const { name, watch } = watchedIn(context)
    const wire = parseJson(await readText(context, bodyLimit, 'the silence'), 'the silence')
    const silence = { name, ...decodeSilence(wire, watch) }
    const until = new Date(silence.until / 1000).toISOString()
    const alerts = Object.keys(silence.key).length === 0 ? name : `${name} where ${writeJson(silence.key)}`
    const isOver = silence.until <= now_us()
    await changing(context, { what: 'saved question', name, detail: `silenced until ${until}` }, () =>
      silences.put(silence),
    )
    const msg = isOver ? `a silence of ${alerts} has ended` : `nothing is sent of ${alerts} until ${until}`
    context.body = { errcode: 0, msg }
  })

  /** The saved question as it would be with the members of a draft; a question of that name need not be there. */
  async function drafted(context: RouterContext, { members, asksOther }: Draft): Promise<Version> {
    refuseBound(context)
    const name = parameter(context, 'saved')
    const told = asksOther ? saved.present(name) : saved.find(name)
    const { schedule: _, params, ...before } = told ? questionToWire(told.question) : {}
    // Parameters are those of a text.
    const kept = members.sql === undefined && params !== undefined ? { ...before, params } : before
    const question = decodeQuestion({ ...kept, ...members })
    const caller = callerIn(context)
    const reader = { by: caller.by, user: nameOf(caller, context.req.socket.remoteAddress), gone: clientOf(context) }
    if (!asksOther && told) {
      // The text is asked with the rights that are kept with it; its trial finds a column that the watch has wrong.
      if (question.language === 'sql') await trial(question, { ...reader, caller: undefined })
      return { ...told, question }
    }
    permit(context, 'define', `saved:${name}`)
    await trial(question, { ...reader, caller: caller === anyone ? undefined : caller })
    return { name, number: told?.number ?? 0, question, places: [...(caller.on ?? [])] }
  }

  routes.post('/saved/:saved/test', read(inSaved), calls.testWatch, async (context) => {
    const wire = parseJson(await readText(context, bodyLimit, 'the times'), 'the times')
    const times = decodeBacktest(wire)
    const draft = draftIn(wire)
    const version = draft ? await drafted(context, draft) : watchedIn(context)
    const { watch } = version.question
    if (!watch) throw fault('conflict', `${version.name} has no watch: send "watch" beside the times to try one`)
    refuseManyEvaluations(times, watch)
    const found = await backtest(version, watch, times, clientOf(context))
    answerJson(context, { name: version.name, ...found, errcode: 0 })
  })

  return routes
}
