import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Loader } from '../load/load.ts'
import type { Figure } from '../report.ts'
import type { Size } from '../size.ts'
import { fits } from './fits.ts'
import { serving } from './serving.ts'

/** Fits beside compiled peers, and a service with models. */
export async function models(folder: string, _: Loader, size: Size): Promise<Figure[]> {
  await mkdir(folder, { recursive: true })
  return [...(await fits(folder, size)), ...(await serving(join(folder, 'service'), size))]
}
