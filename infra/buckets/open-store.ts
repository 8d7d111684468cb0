import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openFolderStore } from './folder/store.ts'
import type { Store } from './store.ts'

/** The store that the settings name: an S3 server, or else a folder under `DATA_DIR`. */
export async function openStore(config: Config): Promise<Store> {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return openFolderStore(join(config.DATA_DIR, 'buckets'), config.DISK_RESERVE_MB)
  }
  // The SDK takes 0.2 s to load, which a start without S3 is spared.
  const { openS3Store } = await import('./s3/store.ts')
  return openS3Store({ endpoint, prefix: config.S3_BUCKET_PREFIX, accessKeyId, secretAccessKey })
}
