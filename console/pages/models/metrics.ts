/** The metrics of a model, of whatever task: members that are not there, or are none, are left out. */
import type { CalibrationCurve } from '../../parts/calibration-plot.tsx'
import type { Residuals } from '../../parts/residual-plot.tsx'
import type { RocCurve } from '../../parts/roc-plot.tsx'

type Wire = Readonly<Record<string, unknown>>

const isWire = (value: unknown): value is Wire => typeof value === 'object' && value !== null && !Array.isArray(value)
const wireOf = (value: unknown): Wire => (isWire(value) ? value : {})
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const numbersOf = (value: unknown): readonly number[] => listOf(value).filter((each) => typeof each === 'number')
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

export type LabelFigures = {
  readonly label: string
  readonly rows: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}

export type Metrics = ReturnType<typeof readMetrics>

export function readMetrics(metrics: unknown) {
  const wire = wireOf(metrics)
  const residuals = wireOf(wire.residuals)
  const folds = wireOf(wire.folds)
  return {
    rows: numberOf(wire.rows),
    rowsLearnt: numberOf(wire.rows_learnt),
    why: textOf(wire.reason) ?? textOf(wire.note),
    holdout: isWire(wire.holdout) ? wire.holdout : undefined,
    figures: Object.fromEntries(
      Object.entries(wire).flatMap(([name, value]) => (typeof value === 'number' ? [[name, value] as const] : [])),
    ),
    labels: listOf(wire.labels).map(String),
    confusion: listOf(wire.confusion).map(numbersOf),
    byLabel: listOf(wire.by_label).map((each): LabelFigures => {
      const { label, rows, precision, recall, f1 } = wireOf(each)
      const [count, found, right, both] = [rows, recall, precision, f1].map((value) => numberOf(value) ?? 0)
      return { label: String(label), rows: count ?? 0, recall: found ?? 0, precision: right ?? 0, f1: both ?? 0 }
    }),
    roc: listOf(wire.roc).map((each): RocCurve => {
      const curve = wireOf(each)
      return {
        label: String(curve.label),
        auc: numberOf(curve.auc) ?? 0,
        threshold: numbersOf(curve.threshold),
        true_positive: numbersOf(curve.true_positive),
        false_positive: numbersOf(curve.false_positive),
      }
    }),
    calibration: listOf(wire.calibration).map((each): CalibrationCurve => {
      const { label, bins } = wireOf(each)
      return {
        label: String(label),
        bins: listOf(bins).map((bin) => {
          const { rows, predicted, observed } = wireOf(bin)
          return { rows: numberOf(rows) ?? 0, predicted: numberOf(predicted) ?? 0, observed: numberOf(observed) ?? 0 }
        }),
      }
    }),
    residuals: isWire(wire.residuals)
      ? ({
          from: numberOf(residuals.from) ?? 0,
          to: numberOf(residuals.to) ?? 0,
          rows: numbersOf(residuals.rows),
          below: numberOf(residuals.below) ?? 0,
          above: numberOf(residuals.above) ?? 0,
        } satisfies Residuals)
      : undefined,
    pairs: listOf(wire.pairs).map(numbersOf),
    interval: numbersOf(wire.interval_90),
    sizes: numbersOf(wire.sizes),
    centres: listOf(wire.centres).map(wireOf),
    importance: Object.entries(wireOf(wire.importance)).flatMap(([name, value]) =>
      typeof value === 'number' ? [{ name, value }] : [],
    ),
    importanceBy: textOf(wire.importance_by),
    folds: isWire(wire.folds)
      ? {
          measure: textOf(folds.measure) ?? '',
          values: numbersOf(folds.values),
          mean: numberOf(folds.mean) ?? 0,
          spread: numberOf(folds.spread) ?? 0,
        }
      : undefined,
  }
}

export type Figure = {
  readonly name: string
  readonly title: string
  readonly kind: 'share' | 'number'
  /** Whether a greater one is better. */
  readonly rises: boolean
}

/** The figures that say how good a model is, the telling ones first. */
export const figures: readonly Figure[] = [
  { name: 'accuracy', title: 'Accuracy', kind: 'share', rises: true },
  { name: 'auc', title: 'AUC', kind: 'number', rises: true },
  { name: 'macro_f1', title: 'Macro F1', kind: 'number', rises: true },
  { name: 'log_loss', title: 'Log loss', kind: 'number', rises: false },
  { name: 'brier', title: 'Brier score', kind: 'number', rises: false },
  { name: 'f1', title: 'F1', kind: 'number', rises: true },
  { name: 'precision', title: 'Precision', kind: 'number', rises: true },
  { name: 'recall', title: 'Recall', kind: 'number', rises: true },
  { name: 'r2', title: 'R²', kind: 'number', rises: true },
  { name: 'rmse', title: 'RMSE', kind: 'number', rises: false },
  { name: 'mae', title: 'MAE', kind: 'number', rises: false },
  { name: 'silhouette', title: 'Silhouette', kind: 'number', rises: true },
  { name: 'inertia', title: 'Inertia', kind: 'number', rises: false },
]

/** The one figure that a list shows of a model. */
export function mainFigure(
  all: Readonly<Record<string, number>>,
): { readonly figure: Figure; readonly value: number } | undefined {
  for (const name of ['accuracy', 'r2', 'f1', 'silhouette']) {
    const [figure, value] = [figures.find((each) => each.name === name), all[name]]
    if (figure && value !== undefined) return { figure, value }
  }
  return undefined
}

const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })

export const figureText = (kind: Figure['kind'], value: number): string =>
  kind === 'share' ? `${precise.format(value * 100)} %` : precise.format(value)

/** How the rows that were measured were chosen. */
export function holdoutText(holdout: Readonly<Record<string, unknown>> | undefined): string {
  const { share, time, group, file } = holdout ?? {}
  if (file !== undefined) return `the rows of ${String(file)}`
  const part = typeof share === 'number' ? `${Math.round(share * 100)} %` : 'a part'
  if (time !== undefined) return `the latest ${part} by ${String(time)}`
  if (group !== undefined) return `${part}, whole groups of ${String(group)}`
  return `${part} by chance`
}
