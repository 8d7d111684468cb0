import { join } from 'node:path'
import type { Loader } from './load/load.ts'
import type { Figure } from './report.ts'
import type { Size } from './size.ts'

/** A piece of a part, with services of its own. */
export type Section = {
  readonly what: string
  readonly measure: (folder: string, loader: Loader, size: Size) => Promise<Figure[]>
}

/** The figures of a part's sections, or of the share of them that a smoke run takes. */
export async function measureSections(
  sections: readonly Section[],
  folder: string,
  loader: Loader,
  size: Size,
): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const [i, { what, measure }] of sections.entries()) {
    if (size.share !== undefined && i % size.share.of !== size.share.taken) continue
    console.error(`${what} ...`)
    figures.push(...(await measure(join(folder, String(i)), loader, size)))
  }
  return figures
}
