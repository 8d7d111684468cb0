import type { DrawnNode } from '../../parts/force-graph/drawing.ts'
import { quoted } from '../../parts/quoted.ts'

/** A node as a query names it, in quotes: names may have blanks and brackets. */
export function patternOf({ label, name }: Pick<DrawnNode, 'label' | 'name'>): string {
  return /^\w+$/.test(label) ? `(${label}:${quoted(name)})` : `(${quoted(`${label}:${name}`)})`
}
