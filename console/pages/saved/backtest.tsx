import { useState } from 'preact/hooks'
import type { TestWatchAnswer } from '../../api/calls.ts'
import { call } from '../../api/client.ts'
import { Chart } from '../../parts/chart.tsx'
import { Elapsed } from '../../parts/elapsed.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount, formatDuration } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { Progress } from '../../parts/progress.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { numberOf } from '../../parts/result/cells.ts'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { inZone } from '../../state/time-zone.ts'
import type { Watch } from './definition.ts'
import { alignedSeries, episodesOf } from './timeline.ts'
import { keyText, limitIn } from './watch-words.ts'

/** As many as the service evaluates at once. */
const maxEvaluations = 1500

const spans = [
  [900, 'the last 15 minutes'],
  [3600, 'the last hour'],
  [21_600, 'the last 6 hours'],
  [86_400, 'the last 24 hours'],
  [604_800, 'the last 7 days'],
  [2_592_000, 'the last 30 days'],
] as const

type Tested = { readonly answer: TestWatchAnswer; readonly watch: Watch }

/** When an alert, saved or not yet, would have fired over stored events, drawn; nothing is sent. */
export function Backtest({ name, watch }: { readonly name: string; readonly watch: Watch }) {
  const { every = 60 } = watch
  const possible = spans.filter(([seconds]) => seconds >= every && seconds / every < maxEvaluations)
  const usual = possible.findLast(([seconds]) => seconds <= 86_400) ?? possible[0]
  const [span, setSpan] = useState(String(usual?.[0] ?? every * 100))
  const [tested, setTested] = useState<Tested>()
  const [since_ms, setSince] = useState(0)
  const testing = useAction()
  const isStale = tested !== undefined && JSON.stringify(tested.watch) !== JSON.stringify(watch)

  const test = () => {
    setSince(performance.now())
    setTested(undefined)
    return testing.run(async () => {
      const to = Date.now() * 1000
      const from = Math.ceil(to - Number(span) * 1e6)
      setTested({
        answer: await call('POST /saved/{saved}/test', { path: { saved: name }, body: { from, to, watch } }),
        watch,
      })
    })
  }
  return (
    <section class="card" aria-label="Over the past">
      <header>
        <h2>Over the past</h2>
        <p class="small soft grow">When it would have fired and resolved. Nothing is sent.</p>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault()
            void test()
          }}
        >
          <div class="saved-span">
            <SelectField
              label="Test it over"
              value={span}
              options={
                possible.length > 0
                  ? possible.map(([seconds, text]) => [String(seconds), text])
                  : [[span, 'a hundred times']]
              }
              onInput={setSpan}
            />
          </div>
          <button type="submit" class="button" disabled={testing.isRunning}>
            <Icon name="play" />
            Test
          </button>
        </form>
      </header>
      <RefusalBox refusal={testing.refusal} />
      {testing.isRunning && (
        <div class="inside">
          <Progress label="The question is asked for each of those times: at most a minute" />
          <Elapsed since_ms={since_ms} />
        </div>
      )}
      {isStale && (
        <p class="note" role="status">
          The alert has changed since this test: test it again.
        </p>
      )}
      {tested && <TestedWatch {...tested} />}
    </section>
  )
}

function TestedWatch({ answer, watch }: Tested) {
  const { changes, sends, series, problems, evaluations, cut, from, to } = answer
  const episodes = episodesOf(changes)
  const drawn = alignedSeries(
    series.map(({ key, points }) => ({ name: keyText(key) || 'value', points })),
    numberOf,
  )
  const limit = limitIn(watch.when)
  const lines =
    limit === undefined ? drawn.series : [...drawn.series, { name: watch.when, values: drawn.x.map(() => limit) }]
  return (
    <>
      <p class="inside" role="status">
        {episodes.length === 0
          ? 'It would not have fired.'
          : `It would have fired ${episodes.length === 1 ? 'once' : `${formatCount(episodes.length)} times`}, and sent ${formatCount(sends.length)} ${sends.length === 1 ? 'message' : 'messages'}${watch.notf === undefined ? ' if it had a notification' : ''}.`}{' '}
        <span class="soft">
          {formatCount(evaluations)} evaluations from {timeText(from, 1)} to {timeText(to, 1)}.
        </span>
      </p>
      {cut !== undefined && <p class="note">{cut}</p>}
      {problems.length > 0 && (
        <div class="notice bad inside">
          <Icon name="warning" />
          <div class="stack tight grow">
            <strong>Some evaluations failed</strong>
            {problems.slice(0, 3).map(({ at, says }) => (
              <p key={at}>
                {timeText(at, 1)}: {says}
              </p>
            ))}
          </div>
        </div>
      )}
      {drawn.x.length > 0 && (
        <div class="inside">
          <Chart
            label="The backtest"
            x={drawn.x}
            series={lines}
            step_s={watch.every ?? 60}
            range={{ from, to }}
            bands={episodes.map(({ fired, resolved }) => ({ from: fired, to: resolved ?? to }))}
            height={280}
          />
          <p class="small soft">
            Behind the lines: the times in which it fires. {series.length === 20 && 'The first 20 keys are drawn.'}
          </p>
        </div>
      )}
      {episodes.length > 0 && (
        <Table
          label="Alerts that there would have been"
          heads={['Alert', inZone('Fires'), inZone('Resolves'), { number: 'Lasts' }]}
        >
          {episodes.slice(0, 100).map(({ subject, fired, resolved }) => (
            <tr key={`${subject} ${fired}`}>
              <th scope="row">{subject}</th>
              <td class="nowrap">{timeText(fired, 1)}</td>
              <td class="nowrap">{resolved === undefined ? 'still fires' : timeText(resolved, 1)}</td>
              <td class="number">{formatDuration(((resolved ?? to) - fired) / 1e6)}</td>
            </tr>
          ))}
        </Table>
      )}
      {episodes.length > 100 && <p class="small soft inside">The first 100 of {formatCount(episodes.length)}.</p>}
    </>
  )
}
