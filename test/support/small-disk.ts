import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import { temporaryFolder } from './temporary-folder.ts'

export type SmallDisk = {
  readonly folder: string
  fill(leaving_mb: number): void
  free(): void
}

/** A disk of its own in memory; undefined where this process may not mount one. */
export function mountSmallDisk(t: ExecutionContext, megabytes: number): SmallDisk | undefined {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'weir-test', folder], { stdio: 'pipe' })
  } catch (error) {
    t.log(`SKIPPED, a small disk cannot be mounted here: ${error instanceof Error ? error.message : error}`)
    return undefined
  }
  const unmount = () => execFileSync('umount', ['-l', folder], { stdio: 'ignore' })
  t.teardown(unmount)
  const ballast = join(folder, 'ballast')
  return {
    folder,
    fill(leaving_mb) {
      const { bavail, bsize } = statfsSync(folder)
      writeFileSync(ballast, Buffer.alloc(bavail * bsize - leaving_mb * 1024 * 1024))
    },
    free: () => rmSync(ballast),
  }
}
