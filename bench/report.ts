import { cpus, loadavg, totalmem } from 'node:os'
import { tableText } from '../examples/table.ts'

/** A measurement beside its floor or peer, and what it has to reach. */
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

const asMarkdown = (rows: readonly (readonly string[])[]): string =>
  [names, names.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export function report(figures: readonly Figure[], markdown: boolean): string {
  const rows = figures.map(cellsOf)
  return markdown ? asMarkdown(rows) : tableText(names, rows)
}

export function machine(): string {
  const [cpu] = cpus()
  const gigabytes = Math.round(totalmem() / 2 ** 30)
  const load = loadavg()[0]?.toFixed(1)
  const date = new Date().toISOString().slice(0, 10)
  return `${date}, ${cpus().length} cores (${cpu?.model.trim()}), ${gigabytes} GB, Node ${process.version}, load before ${load}`
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en')
export const milliseconds = (value: number): string => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`
export const megabytes = (value: number): string => `${whole(value)} MB`
export const seconds = (value: number): string => `${value.toFixed(1)} s`
export const percent = (share: number): string => `${(100 * share).toFixed(1)} %`
export const ratio = (value: number): string => value.toFixed(2)
