import { execFileSync } from 'node:child_process'
import { rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { temporaryFolder } from './temporary-folder.ts'

export type SmallDisk = {
  readonly folder: string
  fill(leaving_mb: number): void
  free(): void
}

/** A test over a disk of its own in memory: skipped, and said to be, where this process may not mount one. */
export function withSmallDisk(
  title: string,
  megabytes: number,
  run: (t: ExecutionContext, disk: SmallDisk) => Promise<void>,
): void {
  if (!isMountable()) {
    test.skip(`${title} (no small disk here: it is mounted in memory, which takes root)`, () => {})
    return
  }
  test.serial(title, (t) => {
    const folder = temporaryFolder()
    mount(folder, megabytes)
    t.teardown(() => unmount(folder))
    return run(t, diskIn(folder))
  })
}

function isMountable(): boolean {
  const folder = temporaryFolder()
  try {
    mount(folder, 1)
    unmount(folder)
    return true
  } catch {
    return false
  }
}

const mount = (folder: string, megabytes: number) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'weir-test', folder], { stdio: 'ignore' })
const unmount = (folder: string) => execFileSync('umount', ['-l', folder], { stdio: 'ignore' })

function diskIn(folder: string): SmallDisk {
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
