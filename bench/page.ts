/** The page of figures: the text between a part's two marks is made by `npm run bench -- --readme`. */
import type { PartName } from './part-names.ts'

const marks = (part: PartName) => ({ begin: `<!-- bench: ${part} -->`, end: `<!-- end: ${part} -->` })

/** The page with a part's figures anew; an error where the page has no place for them. */
export function withFigures(page: string, part: PartName, machine: string, table: string): string {
  const { begin, end } = marks(part)
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`no place for ${part}: ${begin} and, behind it, ${end}`)
  return `${page.slice(0, from)}${begin}\n\n${machine}\n\n${table}\n\n${page.slice(to)}`
}
