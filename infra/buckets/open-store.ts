import { join } from 'node:path'
import type { Config } from '../config.ts'
import { openFolderStore } from './folder-store.ts'
import { openS3Store } from './s3-store.ts'
import type { Store } from './store.ts'

/** The store that the settings name: an S3 server, or else a folder under `DATA_DIR`. */
export function openStore(config: Config): Promise<Store> {
  const { S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = config
  if (endpoint === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    return openFolderStore(join(config.DATA_DIR, 'buckets'))
  }
  return openS3Store({ endpoint, prefix: config.S3_BUCKET_PREFIX, accessKeyId, secretAccessKey })
}
