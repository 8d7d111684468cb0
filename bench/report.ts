import { cpus, loadavg, totalmem } from 'node:os'
import { tableText } from '../examples/table.ts'
import { median } from './quantile.ts'

/** A measurement beside its floor or peer, and its target. */
export type Figure = {
  readonly part: string
  readonly what: string
  readonly weir: string
  readonly beside: string
  readonly target: string
  readonly isMet?: boolean
}

const names = ['', 'measured', 'Weir', 'beside it', 'target', ''] as const

const cellsOf = ({ part, what, weir, beside, target, isMet }: Figure): string[] => [
  part,
  what,
  weir,
  beside,
  target,
  isMet === undefined ? '' : isMet ? 'met' : 'MISSED',
]

export const asText = (figures: readonly Figure[]): string => tableText(names, figures.map(cellsOf))

/** The part goes without saying in a table of its own; a target that is not reached is bold. */
export const asMarkdown = (figures: readonly Figure[]): string =>
  [names, names.map(() => '---'), ...figures.map(cellsOf)]
    .map(([, what = '', weir = '', beside = '', target = '', verdict = '']) => {
      const figure = verdict === 'MISSED' ? `**${weir}**` : weir
      return `| ${[what, figure, beside, target].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
    })
    .join('\n')

export function machine(): string {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpus().length} cores (${cpu?.model.trim()}), ${gigabytes} GB, Node ${process.version}, load before ${load}`
}

/** The median of rounds, with the least and the most of them. */
export function spread(values: readonly number[], shown: (value: number) => string): string {
  const middle = shown(median(values))
  return values.length < 2 ? middle : `${middle} (${shown(Math.min(...values))} to ${shown(Math.max(...values))})`
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const megabytes = (value: number): string => `${whole(value)} MB`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
export const ratio = (value: number): string => value.toFixed(2)
