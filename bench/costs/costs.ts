import { mkdir } from 'node:fs/promises'
import { ensureModelReferences } from '../../scripts/parts/model-references.js'
import type { Loader } from '../load/load.ts'
import type { Figure } from '../report.ts'
import type { Size } from '../size.ts'
import { fits } from './fits.ts'
import { trainings } from './trainings.ts'

/** The costs of models, beside models of others that learn from the same rows. */
export async function costs(folder: string, _: Loader, size: Size): Promise<Figure[]> {
  await mkdir(folder, { recursive: true })
  const packages = await ensureModelReferences()
  if (packages === undefined)
    return [{ part: 'costs', what: 'models beside those of others', weir: '', beside: 'no peer here', target: '' }]
  return [...(await fits({ folder, packages }, size)), ...(await trainings({ folder, packages }, size))]
}
