import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createDiskReserve } from '../disk-reserve.ts'
import { bucketName } from '../names.ts'
import { createRecords } from '../records.ts'
import { openScratch } from '../scratch.ts'
import type { Store } from '../store.ts'
import { createFolderBuckets } from './buckets.ts'
import { filePath } from './file-names.ts'
import { createFolderObjects } from './objects.ts'

/** Buckets as folders under `root` (`DATA_DIR/buckets`), objects as files in them, named by `file-names.ts`. */
export async function openFolderStore(root: string, reserve_mb?: number): Promise<Store> {
  const records = join(root, '.records')
  const aside = join(root, '.kept')
  for (const folder of [records, aside]) await mkdir(folder, { recursive: true })
  const scratch = await openScratch(join(root, '.scratch'))
  const folderOf = (bucket: string) => filePath(root, bucketName(bucket))
  return {
    buckets: createFolderBuckets({ root, aside, folderOf }),
    objects: createFolderObjects({ scratch, folderOf, reserve: createDiskReserve(root, reserve_mb) }),
    records: createRecords(createFolderObjects({ scratch, folderOf: () => records })),
    close: async () => {},
  }
}
