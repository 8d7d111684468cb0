import type { DrawnNode } from '../../parts/force-graph/drawing.ts'

/** A node as a query names it, in quotes: names may have blanks and brackets. */
export function patternOf({ label, name }: Pick<DrawnNode, 'label' | 'name'>): string {
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
  return /^\w+$/.test(label) ? `(${label}:${quoted(name)})` : `(${quoted(`${label}:${name}`)})`
}
