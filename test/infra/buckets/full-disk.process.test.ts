import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { createPutSlices } from '../../../activities/objects/put-slices.ts'
import { Fault } from '../../../base/faults.ts'
import { createDiskReserve } from '../../../infra/buckets/disk-reserve.ts'
import { openFolderStore } from '../../../infra/buckets/folder/store.ts'
import { openScratch } from '../../../infra/buckets/scratch.ts'
import { withSmallDisk } from '../../support/small-disk.ts'

const megabyte = 1024 * 1024
const limited = { instanceOf: Fault, message: /^the disk has \d+ MB left, of which objects leave 32 MB to events$/ }

const ofSize = (megabytes: number): Readable =>
  Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(megabyte, 1)))

withSmallDisk(
  'objects leave a reserve of the disk to events, and a refused one leaves nothing',
  128,
  async (t, disk) => {
    const free_mb = (): number => {
      const { bavail, bsize } = statfsSync(disk.folder)
      return Math.round((bavail * bsize) / megabyte)
    }
    const { buckets, objects } = await openFolderStore(join(disk.folder, 'buckets'), 32)
    await buckets.create('b')
    disk.fill(16)
    const refused = await t.throwsAsync(objects.put('b', 'small', ofSize(1)), limited)
    t.like(refused, { kind: 'limited', details: { retryAfter: 60, limit: 'DISK_RESERVE_MB' } })
    disk.free()

    disk.fill(72)
    const before = free_mb()
    await t.throwsAsync(objects.put('b', 'large', ofSize(60)), limited)
    t.is(free_mb(), before)
    t.is(await objects.stat('b', 'large'), undefined)
    await objects.put('b', 'small', ofSize(8))

    const scratch = await openScratch(join(disk.folder, 'uploads'))
    const put = createPutSlices({ objects, scratch, reserve: createDiskReserve(disk.folder, 32) })
    await t.throwsAsync(put.begin({ bucket: 'b', key: 'sliced', size: 60 * megabyte }), limited)
    t.truthy((await put.begin({ bucket: 'b', key: 'sliced', size: 4 * megabyte })).key)
    await put.close()
  },
)
