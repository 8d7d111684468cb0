import { statfs } from 'node:fs/promises'
import { fault } from '../../base/faults.ts'

const megabyte = 1024 * 1024
const usualShare = 1 / 20
const usualMax_mb = 1024
/** The log takes no event where less than 64 MB are free. */
const usualMin_mb = 96

/**
 * The room that objects leave on the disk that they share with events and ClickHouse: `reserve_mb` megabytes, or a
 * twentieth of the disk, 1 GB at most.
 */
export function createDiskReserve(path: string, reserve_mb?: number) {
  return {
    /** Fault `limited` where `bytes` more would leave less than the reserve. */
    async need(bytes: number): Promise<void> {
      const { bavail, blocks, bsize } = await statfs(path)
      const reserve =
        megabyte *
        (reserve_mb ??
          Math.max(usualMin_mb, Math.min(usualMax_mb, Math.floor((blocks * bsize * usualShare) / megabyte))))
      if (bavail * bsize - bytes >= reserve) return
      const free_mb = Math.floor((bavail * bsize) / megabyte)
      const text = `the disk has ${free_mb} MB left, of which objects leave ${Math.ceil(reserve / megabyte)} MB to events`
      throw fault('limited', text, { retryAfter: 60, limit: 'DISK_RESERVE_MB' })
    },
  }
}

export type DiskReserve = ReturnType<typeof createDiskReserve>
