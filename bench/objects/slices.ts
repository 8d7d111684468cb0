import { join } from 'node:path'
import { createGetSlices } from '../../activities/objects/get-slices.ts'
import { createPutSlices } from '../../activities/objects/put-slices.ts'
import { openScratch } from '../../infra/buckets/scratch.ts'
import type { Store } from '../../infra/buckets/store.ts'

export async function putInSlices(
  objects: Store['objects'],
  bytes: number,
  chunk: Buffer,
  folder: string,
): Promise<void> {
  const put = createPutSlices({ objects, scratch: await openScratch(join(folder, 'slices')) })
  const { key = '', slices, sliceBytes } = await put.begin({ bucket: 'b', key: 'big', size: bytes })
  const slice = Buffer.alloc(sliceBytes, chunk).toString('base64')
  for (let i = 0; i < slices; i++) await put.slice('b', key, i, slice)
  await put.close()
}

export async function getInSlices(objects: Store['objects']): Promise<void> {
  const get = createGetSlices({ objects, secret: 'bench' })
  const { key = '', slices = 0 } = (await get.begin('b', 'big')) ?? {}
  for (let i = 0; i < slices; i++) await get.slice('b', key, i)
}
