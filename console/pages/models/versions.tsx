import { useState } from 'preact/hooks'
import { addressOf, call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { TextField } from '../../parts/fields.tsx'
import { formatCount } from '../../parts/format.ts'
import { Legend } from '../../parts/legend.tsx'
import { Picture } from '../../parts/picture-card.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { RocPlot } from '../../parts/roc-plot.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useAction } from '../../parts/use-action.ts'
import { useInAddress } from '../../state/address.ts'
import { inZone } from '../../state/time-zone.ts'
import { differing } from './differing.ts'
import { figures, figureText, mainFigure, readMetrics } from './metrics.ts'

type VersionsProps = { readonly schema: string; readonly model: string; readonly onChanged: () => void }
type Version = Awaited<ReturnType<typeof call<'GET /ml/{schema}/{model}/versions'>>>['versions'][number]

/** The versions of a model: two of them compared, and one made current. */
export function Versions({ schema, model, onChanged }: VersionsProps) {
  const path = { schema, model }
  const answer = useAnswer((signal) => call('GET /ml/{schema}/{model}/versions', { path, signal }), [schema, model])
  const [compared, setCompared] = useInAddress('compare')
  const [named, setNamed] = useState<Version>()
  const [going, setGoing] = useState<Version>()
  const change = useAction()
  const versions = answer.value?.versions ?? []
  const chosen = compared
    .split(',')
    .map(Number)
    .filter((number) => versions.some(({ version }) => version === number))
  const pair = chosen.flatMap((number) => versions.filter(({ version }) => version === number)).slice(0, 2)
  const [before, after] = pair.length === 2 ? [...pair].sort((a, b) => a.version - b.version) : []

  const toggle = (number: number) => {
    const others = chosen.filter((each) => each !== number)
    const next = others.length < chosen.length ? others : [...chosen.slice(-1), number]
    setCompared(next.join(','))
  }
  const changed = () => {
    answer.again()
    onChanged()
  }
  /** The version that predicts something else than the current one, so that it asks for a second word. */
  const [other, setOther] = useState<number>()
  const makeCurrent = async (version: number, isForced = false) => {
    setOther(undefined)
    const isDone = await change.run(async () => {
      const query = isForced ? { force: '1' as const } : {}
      await call('PUT /ml/{schema}/{model}/version', { path, query, body: { version } })
    })
    if (isDone) changed()
    else setOther(version)
  }

  return (
    <div class="stack">
      <RefusalBox refusal={answer.refusal ?? change.refusal}>
        {other !== undefined && change.refusal?.reasons.some((reason) => reason.includes('?force=1')) && (
          <button type="button" class="button small" onClick={() => void makeCurrent(other, true)}>
            Make version {other} current all the same
          </button>
        )}
      </RefusalBox>
      <section class="card">
        <header>
          <h2>Versions</h2>
          <p class="small soft">Choose two of them to compare. The current one answers predictions and events.</p>
        </header>
        {!answer.value && !answer.refusal && <Skeleton />}
        {versions.length > 0 && (
          <Table
            label={`Versions of ${model}`}
            heads={[
              { hidden: 'Compare' },
              'Version',
              inZone('Trained'),
              'Algorithm',
              { number: 'Rows' },
              { number: 'How good' },
              { hidden: 'Actions' },
            ]}
          >
            {versions.map((each) => {
              const { version, current, staged, aliases = [], metrics } = each
              const main = mainFigure(readMetrics(metrics).figures)
              return (
                <tr key={version}>
                  <td>
                    <input
                      type="checkbox"
                      aria-label={`Compare version ${version}`}
                      checked={chosen.includes(version)}
                      onChange={() => toggle(version)}
                    />
                  </td>
                  <td>
                    <span class="row">
                      <strong>{version}</strong>
                      {current && <span class="badge good">current</span>}
                      {staged && <span class="badge">never current</span>}
                      {aliases.map((alias) => (
                        <span key={alias} class="badge">
                          {alias}
                        </span>
                      ))}
                    </span>
                  </td>
                  <td class="soft nowrap">{timeText(each.train_end_ts, 1)}</td>
                  <td>{each.algo_type}</td>
                  <td class="number">{each.rows === undefined ? '–' : formatCount(each.rows)}</td>
                  <td class="number nowrap">
                    {main ? `${main.figure.title} ${figureText(main.figure.kind, main.value)}` : '–'}
                  </td>
                  <td>
                    <span class="row end">
                      {may('train') && !current && (
                        <button
                          type="button"
                          class="button small"
                          disabled={change.isRunning}
                          onClick={() => void makeCurrent(version)}
                        >
                          Make current
                        </button>
                      )}
                      {may('train') && (
                        <button type="button" class="button small quiet" onClick={() => setNamed(each)}>
                          Name
                        </button>
                      )}
                      <a
                        class="button small quiet"
                        href={addressOf('GET /ml/{schema}/{model}/model.onnx', { path, query: { version } })}
                        download={`${model}-${version}.onnx`}
                      >
                        File
                      </a>
                      {may('train') && !current && (
                        <button type="button" class="button small quiet" onClick={() => setGoing(each)}>
                          Remove
                        </button>
                      )}
                    </span>
                  </td>
                </tr>
              )
            })}
          </Table>
        )}
      </section>
      {before && after && <Compared before={before} after={after} />}
      {named && <Naming {...path} version={named} onClose={() => setNamed(undefined)} onDone={changed} />}
      {going && <Going {...path} version={going} onClose={() => setGoing(undefined)} onDone={changed} />}
    </div>
  )
}

function Compared({ before, after }: { readonly before: Version; readonly after: Version }) {
  const [one, other] = [readMetrics(before.metrics), readMetrics(after.metrics)]
  const both = figures.filter(({ name }) => one.figures[name] !== undefined || other.figures[name] !== undefined)
  const parameters = differing(before.parameters ?? {}, after.parameters ?? {})
  const curves = [one.roc, other.roc].map((roc) => (roc.length === 1 ? roc[0] : undefined))
  const [first, second] = curves
  const isSameData =
    before.data_fingerprint !== undefined && before.data_fingerprint === after.data_fingerprint
      ? 'the same data'
      : 'other data'
  const title = (version: Version) => `Version ${version.version}`
  return (
    <div class="pictures">
      <section class="card picture-card">
        <header>
          <h2>
            Version {before.version} and {after.version}
          </h2>
          <p class="small soft">
            Learnt from {isSameData}. Rows held out: {formatCount(one.rows ?? 0)} and {formatCount(other.rows ?? 0)}; on
            so few rows a small difference may be chance.
          </p>
        </header>
        <Table
          label="Figures compared"
          heads={['Figure', { number: title(before) }, { number: title(after) }, { number: 'Change' }]}
        >
          {both.map(({ name, title: figure, kind, rises }) => {
            const [left, right] = [one.figures[name], other.figures[name]]
            const change = left === undefined || right === undefined ? undefined : right - left
            const isBetter = change !== undefined && change !== 0 && change > 0 === rises
            return (
              <tr key={name}>
                <th scope="row">{figure}</th>
                <td class="number">{left === undefined ? '–' : figureText(kind, left)}</td>
                <td class="number">{right === undefined ? '–' : figureText(kind, right)}</td>
                <td class="number">
                  {change === undefined || change === 0 ? (
                    '–'
                  ) : (
                    <span class={isBetter ? 'badge good' : 'badge bad'}>
                      {change > 0 ? '+' : '−'}
                      {figureText(kind, Math.abs(change))} {isBetter ? 'better' : 'worse'}
                    </span>
                  )}
                </td>
              </tr>
            )
          })}
        </Table>
      </section>
      {first && second && (
        <Picture title="ROC curves" says={`Of ${String(first.label)}, by both versions.`}>
          <RocPlot
            curves={[
              { ...first, label: title(before) },
              { ...second, label: title(after) },
            ]}
          />
          <Legend labels={[title(before), title(after)]} />
        </Picture>
      )}
      <section class="card picture-card">
        <header>
          <h2>Parameters that differ</h2>
        </header>
        {parameters.length === 0 ? (
          <p class="inside soft">None: both were trained alike.</p>
        ) : (
          <Table label="Parameters compared" heads={['Parameter', title(before), title(after)]}>
            {parameters.map(({ name, before: left, after: right }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="mono">{left}</td>
                <td class="mono">{right}</td>
              </tr>
            ))}
          </Table>
        )}
      </section>
    </div>
  )
}

type OfVersion = {
  readonly schema: string
  readonly model: string
  readonly version: Version
  readonly onClose: () => void
  readonly onDone: () => void
}

function Naming({ schema, model, version: { version }, onClose, onDone }: OfVersion) {
  const [alias, setAlias] = useState('')
  const naming = useAction()
  const name = async () => {
    const isDone = await naming.run(async () => {
      await call('PUT /ml/{schema}/{model}/version', { path: { schema, model }, body: { version, alias } })
    })
    if (!isDone) return
    onDone()
    onClose()
  }
  return (
    <Dialog title={`Name version ${version}`} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void name()
        }}
      >
        <TextField
          label="Alias"
          value={alias}
          onInput={setAlias}
          isRequired
          hint="Predictions may ask for it as version, such as champion. A name that another version has moves here."
        />
        <RefusalBox refusal={naming.refusal} />
        <div class="actions">
          <button type="submit" class="button main" disabled={naming.isRunning || alias.trim() === ''}>
            Name it
          </button>
        </div>
      </form>
    </Dialog>
  )
}

function Going({ schema, model, version: { version }, onClose, onDone }: OfVersion) {
  const removal = useAction()
  const remove = async () => {
    const isDone = await removal.run(async () => {
      await call('DELETE /ml/{schema}/{model}/versions/{version}', { path: { schema, model, version } })
    })
    if (!isDone) return
    onDone()
    onClose()
  }
  return (
    <Dialog title={`Remove version ${version}?`} onClose={onClose}>
      <p>Its file and its names go, and cannot be brought back.</p>
      <RefusalBox refusal={removal.refusal} />
      <div class="actions">
        <button type="button" class="button" onClick={onClose}>
          Keep it
        </button>
        <button type="button" class="button danger" disabled={removal.isRunning} onClick={() => void remove()}>
          Remove it
        </button>
      </div>
    </Dialog>
  )
}
