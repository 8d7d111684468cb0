import { useState } from 'preact/hooks'
import { Bars } from '../../parts/bars.tsx'
import { CalibrationPlot } from '../../parts/calibration-plot.tsx'
import { ConfusionMatrix } from '../../parts/confusion-matrix.tsx'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { formatCount, formatShort } from '../../parts/format.ts'
import { Legend } from '../../parts/legend.tsx'
import { numberText } from '../../parts/number-text.ts'
import { Picture } from '../../parts/picture-card.tsx'
import { ResidualPlot } from '../../parts/residual-plot.tsx'
import { RocPlot } from '../../parts/roc-plot.tsx'
import { Table } from '../../parts/table.tsx'
import { TruthPlot } from '../../parts/truth-plot.tsx'
import { Centres } from './centres.tsx'
import { figures, figureText, holdoutText, type LabelFigures, type Metrics } from './metrics.ts'

type QualityProps = {
  readonly metrics: Metrics
  readonly task: string | undefined
  readonly target: string | undefined
}

/** How good a model is, in figures and pictures of the rows that it had not learnt from. */
export function Quality({ metrics, task, target = 'value' }: QualityProps) {
  const { rows, rowsLearnt, why } = metrics
  const hasAny = rows !== undefined && rows > 0
  return (
    <div class="stack">
      {hasAny && (
        <p class="soft">
          Measured on {formatCount(rows)} rows that were held out, {holdoutText(metrics.holdout)}
          {rowsLearnt !== undefined && `; learnt from ${formatCount(rowsLearnt)} others`}.
        </p>
      )}
      {why !== undefined && (
        <div class="notice warn">
          <p>{why}</p>
        </div>
      )}
      <Tiles metrics={metrics} task={task} />
      {!hasAny && metrics.centres.length === 0 && why === undefined && (
        <div class="card">
          <Empty title="Nothing was measured of this model" icon="models" />
        </div>
      )}
      <div class="pictures">
        {metrics.confusion.length > 0 && (
          <Picture
            title="Confusion matrix"
            says="Rows are actual labels, columns predicted ones. What is right stands on the diagonal."
          >
            <ConfusionMatrix labels={metrics.labels} rows={metrics.confusion} />
          </Picture>
        )}
        {metrics.byLabel.length > 0 && <ByLabel labels={metrics.byLabel} />}
        {metrics.roc.length > 0 && <Roc metrics={metrics} />}
        {metrics.calibration.length > 0 && <Calibration metrics={metrics} />}
        {metrics.residuals && (
          <Picture
            title="Residuals"
            says={
              metrics.interval.length === 2
                ? `Truth less prediction. Nine in ten rows lie between ${numberText(metrics.interval[0] ?? 0)} and ${numberText(metrics.interval[1] ?? 0)}.`
                : 'Truth less prediction.'
            }
          >
            <ResidualPlot {...metrics.residuals} />
          </Picture>
        )}
        {metrics.pairs.length > 0 && (
          <Picture
            title="Truth and prediction"
            says="A sample of the rows. On the dashed line the prediction is right."
          >
            <TruthPlot pairs={metrics.pairs} target={target} />
          </Picture>
        )}
        {(metrics.sizes.length > 0 || metrics.centres.length > 0) && <Centres metrics={metrics} />}
        {metrics.importance.length > 0 && <Importance metrics={metrics} />}
        {metrics.folds && <Folds folds={metrics.folds} />}
      </div>
    </div>
  )
}

function Tiles({ metrics, task }: { readonly metrics: Metrics; readonly task: string | undefined }) {
  const { figures: found } = metrics
  const { baseline } = found
  const shown = figures.filter(({ name }) => found[name] !== undefined)
  if (shown.length === 0) return null
  const besides = (name: string): string | undefined => {
    if (baseline === undefined) return undefined
    if (name === 'accuracy') return `${figureText('share', baseline)} by always saying the usual label`
    if (name === 'rmse')
      return found.baseline_last === undefined
        ? `${figureText('number', baseline)} by always saying the mean`
        : `${figureText('number', found.baseline_last)} by saying the latest value`
    if (name === 'auc') {
      const isGuess = Math.abs((found.auc ?? 1) - 0.5) < 0.03
      return task === 'classes' ? `0.5 by chance${isGuess ? ': no better than guessing' : ''}` : undefined
    }
    return undefined
  }
  return (
    <dl class="tiles">
      {shown.map(({ name, title, kind }) => (
        <div key={name} class="tile">
          <dt>{title}</dt>
          <dd>{figureText(kind, found[name] ?? 0)}</dd>
          {besides(name) !== undefined && <dd class="small">{besides(name)}</dd>}
        </div>
      ))}
    </dl>
  )
}

function ByLabel({ labels }: { readonly labels: readonly LabelFigures[] }) {
  const [isAll, setAll] = useState(false)
  const shown = isAll ? labels : labels.slice(0, 12)
  return (
    <section class="card picture-card">
      <header>
        <h2>By label</h2>
        <p class="small soft">
          Precision: of what is named so, the share that is. Recall: of what is, the share that is named.
        </p>
      </header>
      <Table
        label="Figures by label"
        heads={['Label', { number: 'Rows' }, { number: 'Precision' }, { number: 'Recall' }, { number: 'F1' }]}
      >
        {shown.map(({ label, rows, precision, recall, f1 }) => (
          <tr key={label}>
            <td class="mono label-cell">{label}</td>
            <td class="number">{formatCount(rows)}</td>
            <td class="number">{shareText(precision)}</td>
            <td class="number">{shareText(recall)}</td>
            <td class="number">{f1.toFixed(3)}</td>
          </tr>
        ))}
      </Table>
      {labels.length > shown.length && (
        <div class="inside">
          <button type="button" class="button small" onClick={() => setAll(true)}>
            All {formatCount(labels.length)} labels
          </button>
        </div>
      )}
    </section>
  )
}

const shareText = (share: number): string => `${(share * 100).toFixed(1)} %`

function Roc({ metrics: { roc } }: { readonly metrics: Metrics }) {
  const only = roc.length === 1 ? roc[0] : undefined
  const last = (only?.threshold.length ?? 1) - 1
  const usual = only ? Math.max(1, only.threshold.findIndex((threshold) => threshold < 0.5) - 1) : 0
  const [at, setAt] = useState(usual)
  const pc = (share: number | undefined) => `${Math.round((share ?? 0) * 100)} %`
  return (
    <Picture
      title="ROC curve"
      says="How many rows of a label are found, and how many others are taken for it, as the threshold falls."
    >
      <RocPlot curves={roc} {...(only && { chosen: at })} />
      {only ? (
        <div class="stack tight threshold">
          <label class="small" for="threshold">
            Threshold <strong>{(only.threshold[at] ?? 0).toFixed(2)}</strong>
          </label>
          <input
            id="threshold"
            type="range"
            min={1}
            max={last}
            value={at}
            aria-valuetext={`from ${pc(only.threshold[at])} on`}
            onInput={(event) => setAt(Number(event.currentTarget.value))}
          />
          <p class="small soft" aria-live="polite">
            Where {String(only.label)} is said from {pc(only.threshold[at])} on, {pc(only.true_positive[at])} of its
            rows are found, and {pc(only.false_positive[at])} of the others are taken for it.
          </p>
        </div>
      ) : (
        <Legend labels={roc.map(({ label, auc }) => `${label} ${auc.toFixed(3)}`)} />
      )}
    </Picture>
  )
}

function Calibration({ metrics: { calibration } }: { readonly metrics: Metrics }) {
  const [chosen, choose] = useState(0)
  const curve = calibration[chosen] ?? calibration[0]
  return (
    <Picture
      title="Calibration"
      says="How often what a probability says comes true. On the dashed line probabilities can be taken at their word."
    >
      <CalibrationPlot curves={curve ? [curve] : []} />
      {calibration.length > 1 && (
        <div class="two-fields">
          <SelectField
            label="Of label"
            value={String(chosen)}
            options={calibration.map(({ label }, place) => [String(place), String(label)] as const)}
            onInput={(place) => choose(Number(place))}
          />
        </div>
      )}
    </Picture>
  )
}

const importanceSays: Readonly<Record<string, string>> = {
  gain: 'The share of what the trees gain by splitting on each attribute.',
  weights: 'The share of the weights that each attribute has.',
  permutation: 'What is lost when an attribute is shuffled among the rows held out.',
}

function Importance({ metrics: { importance, importanceBy = '' } }: { readonly metrics: Metrics }) {
  const [isAll, setAll] = useState(false)
  const most = Math.max(...importance.map(({ value }) => value), 1e-12)
  const shown = isAll ? importance : importance.slice(0, 12)
  return (
    <Picture title="Importance" says={importanceSays[importanceBy] ?? 'How much each attribute counts.'}>
      <Bars
        label="Importance by attribute"
        bars={shown.map(({ name, value }) => ({
          name,
          share: value / most,
          says: formatShort(Number(value.toPrecision(3))),
        }))}
      />
      {importance.length > shown.length && (
        <button type="button" class="button small more" onClick={() => setAll(true)}>
          All {importance.length} attributes
        </button>
      )}
    </Picture>
  )
}

function Folds({ folds }: { readonly folds: NonNullable<Metrics['folds']> }) {
  const { measure, values, mean, spread } = folds
  const most = Math.max(...values, 1e-12)
  return (
    <Picture
      title="Folds of the tuning"
      says={`${measure} of the chosen parameters: ${numberText(mean)} ± ${numberText(spread)}. A difference within that says nothing.`}
    >
      <Bars
        label="By fold"
        bars={values.map((value, place) => ({
          name: `fold ${place + 1}`,
          share: value / most,
          says: numberText(value),
        }))}
      />
    </Picture>
  )
}
