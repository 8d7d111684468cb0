import type { Context } from 'koa'
import type { SavedEngine } from '../../activities/saved/engine.ts'
import { fault } from '../../base/faults.ts'
import { parseJson } from '../../base/json.ts'
import { decodeBacktest, decodeSilence } from '../../sql/saved/requests.ts'
import type { Audited } from '../auth/audited.ts'
import { createRoutes, define, inSaved, type Routes, read } from '../auth/routes.ts'
import { clientOf } from '../http/ask.ts'
import { readText } from '../http/body.ts'
import { parameter } from '../http/parameter.ts'
import { answerJson } from './answer-json.ts'
import * as calls from './calls.ts'
import { refuseBound } from './unbound.ts'

export type WatchRoutesDeps = Pick<SavedEngine, 'saved' | 'watches' | 'silences' | 'backtest'> & {
  readonly changing: Audited
  readonly bodyLimit: number
}

/** Changes of states that an answer has. */
const shownChanges = 1_000

/** The watches of saved questions: states, silences, backtests. */
export function watchRoutes({ saved, watches, silences, backtest, changing, bodyLimit }: WatchRoutesDeps): Routes {
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
    const [kept, changes, silenced] = await Promise.all([
      watches.state(name),
      watches.changes(name, shownChanges),
      silences.of(name),
    ])
    const { at, took_ms, problem, skipped = 0, alerts = new Map() } = kept ?? {}
    answerJson(context, {
      name,
      ...(at !== undefined && { at, took_ms }),
      skipped,
      ...(problem && { problem }),
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
    await changing(context, { what: 'saved question', name, detail: `silenced until ${until}` }, () =>
      silences.put(silence),
    )
    context.body = { errcode: 0, msg: `nothing is sent of ${name} until ${until}` }
  })

  routes.post('/saved/:saved/test', read(inSaved), calls.testWatch, async (context) => {
    const told = watchedIn(context)
    const wire = parseJson(await readText(context, bodyLimit, 'the times'), 'the times')
    const request = decodeBacktest(wire, told.watch)
    const found = await backtest(told, told.watch, request, clientOf(context))
    answerJson(context, { name: told.name, ...found, errcode: 0 })
  })

  return routes
}
