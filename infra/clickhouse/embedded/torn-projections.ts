import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { foldersIn, namesIn } from './folders.ts'

const projection = '_watermark.proj'

/**
 * ClickHouse syncs the parts of a table, and not the projections in them. Where a power cut took the checksums of one,
 * ClickHouse would make them anew from what is left of its rows, and read those: fewer events would count as taken, or none
 * would be read. So such a projection gets checksums without a line, before ClickHouse opens the folder: then
 * ClickHouse takes the projection for broken, and reads the part itself.
 */
export function breakTornProjections(folder: string): void {
  for (const table of foldersIn(join(folder, 'store'))) {
    for (const part of namesIn(table)) {
      const place = join(table, part, projection)
      const checksums = join(place, 'checksums.txt')
      if (existsSync(place) && !existsSync(checksums)) writeFileSync(checksums, '')
    }
  }
}
