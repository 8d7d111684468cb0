import { spawn } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { availableParallelism, release, tmpdir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import { buffer } from 'node:stream/consumers'

/** The things that a program in a cage sees beside the system's own programs and libraries. */
export type Inside = {
  /** Its folder, `/task` inside: all that it may write, but for a little shared memory. */
  readonly folder: string
  /** Files and folders that it may read, under their own names. */
  readonly readable: readonly string[]
  /** Max processes that it may have at a time; each may have some threads besides. */
  readonly processes: number
}

export type CageOptions = {
  /** Folders that no program inside may see, also within readable ones. */
  readonly hidden: readonly string[]
  /** Whether programs inside reach the network, this machine's own ports among it. */
  readonly network: boolean
}

/** Where a caged program finds its folder. */
export const insideFolder = '/task'

/** The exit code of a cage that could not be built. */
const unbuilt = 125

/**
 * Runs as root of new namespaces: builds a root of its own, of which all but `/task` is read-only, and starts the
 * program in it without any capability. Old mounts are gone, and as the program stands in a chroot it can make no user
 * namespace, in which it would have capabilities again. The first process of the PID namespace is a shell: when it
 * ends, or is killed, the kernel ends all others there, in any session.
 *
 * Arguments: where to build, the program's user or nothing, its tasks, its folder, the readable, `--`, the hidden,
 * `--`, the command.
 */
const build = `
set -e
umask 022
trap 'exit ${unbuilt}' EXIT
PATH="$PATH:/usr/sbin:/sbin:/usr/bin:/bin"
new=$1 user=$2 tasks=$3 folder=$4
shift 4
if [ -n "$user" ]; then chown -R "$user:$user" "$folder"; fi
mount --make-rprivate /
mount -t tmpfs -o size=16m,mode=0755,nosuid,nodev tmpfs "$new"
r=$new/r
mkdir "$r" "$r/old" "$r/proc" "$r/dev" "$r/dev/shm" "$r${insideFolder}" "$r/etc"
protect() {
  # A user namespace must keep the flags of the mount below.
  for more in '' ,nosuid,nodev ,nosuid,nodev,noatime ,nosuid,nodev,relatime ,nosuid,nodev,noexec ,nosuid,nodev,noexec,relatime; do
    if mount -o "remount,bind,ro$more" "$1" 2>/dev/null; then return 0; fi
  done
  mount -o remount,bind,ro "$1"
}
show() {
  if [ -e "$r$1" ] || [ ! -e "$1" ]; then return 0; fi
  if [ -d "$1" ]; then mkdir -p "$r$1"; else mkdir -p "$r\${1%/*}"; : >"$r$1"; fi
  mount --rbind "$1" "$r$1"
  protect "$r$1"
  cat /proc/self/mountinfo >"$new/mounts"
  # The mounts below it came along as they are.
  while read -r _ _ _ _ at _; do
    case "$at" in *\\\\*) at=$(printf '%b' "$at");; esac
    case "$at" in "$r$1"/*) protect "$at" || umount -l "$at";; esac
  done <"$new/mounts"
}
for name in usr bin sbin lib lib32 lib64 libx32; do
  [ -e "/$name" ] || continue
  ln -s "r/$name" "$new/$name"
  if [ -L "/$name" ]; then cp -P "/$name" "$r/$name"; else show "/$name"; fi
done
for path in /nix/store /sys/devices/system/cpu /etc/ld.so.cache /etc/alternatives /etc/localtime; do show "$path" || :; done
if [ "$WEIR_CAGE_NETWORK" = 1 ]; then
  for path in /etc/resolv.conf /etc/hosts /etc/nsswitch.conf /etc/services /etc/ssl /etc/pki /etc/ca-certificates; do show "$path" || :; done
fi
unset WEIR_CAGE_NETWORK
for name in null zero full random urandom; do
  : >"$r/dev/$name"
  mount --bind "/dev/$name" "$r/dev/$name"
done
ln -s /proc/self/fd "$r/dev/fd"
echo "program:x:\${user:-0}:\${user:-0}::${insideFolder}:/bin/sh" >"$r/etc/passwd"
mount -t tmpfs -o size=64m,mode=1777,nosuid,nodev,noexec tmpfs "$r/dev/shm"
while [ "$1" != -- ]; do show "$1"; shift; done
shift
while [ "$1" != -- ]; do
  if [ -d "$r$1" ]; then mount -t tmpfs -o size=4k,mode=0555,ro tmpfs "$r$1"; fi
  shift
done
shift
[ -e "$r/tmp" ] || ln -s ${insideFolder} "$r/tmp"
mount --bind "$folder" "$r${insideFolder}"
# Containers that mask parts of /proc forbid a new one: then there is none.
mount -t proc -o nosuid,nodev,noexec proc "$r/proc" 2>/dev/null || :
mount -o remount,bind,ro "$new"
ids=
if [ -n "$user" ]; then ids="--reuid=$user --regid=$user --clear-groups"; fi
pivot_root "$new" "$r/old"
cd /r
exec chroot /r /bin/sh -c '
trap "exit ${unbuilt}" EXIT
umount -l /old || exit
cd ${insideFolder} || exit
exec "$@"' sh setpriv $ids --pdeathsig=KILL --bounding-set=-all --inh-caps=-all --no-new-privs /bin/sh -c '
tasks=$1
shift
ulimit -u "$tasks" 2>/dev/null || ulimit -p "$tasks" 2>/dev/null
"$@"
exit $?' init "$tasks" "$@"`

const namespaces = ['--mount', '--pid', '--fork', '--kill-child', '--ipc', '--uts']

/** Users of no file and no other process: systemd keeps this range for such use. */
const [firstUser, users] = [61_184, 4_336]

/** A failed cage is tried again after this time: an administrator may change the rights of a running system. */
const failure_ms = 30_000
const patience_ms = 20_000

/**
 * Linux namespaces by util-linux's `unshare`, as root or in a user namespace: a program sees no process, no file and no
 * network but its own. As root each run has a user of its own besides.
 */
export function createCage({ hidden, network }: CageOptions) {
  let user = firstUser + Math.floor(Math.random() * users)
  const isRoot = process.getuid?.() === 0
  let base: string | undefined
  // Before Linux 5.14 a user's tasks count together, whatever user namespace they are in.
  const [major = 0, minor = 0] = release().split('.').map(Number)
  const countsApart = isRoot || major > 5 || (major === 5 && minor >= 14)
  let tried: Promise<string | undefined> | undefined
  let expires_ms = 0

  const nextUser = (): string => {
    user = firstUser + ((user - firstUser + 1) % users)
    return String(user)
  }

  /** The command that runs `command` inside, and the environment that it needs. */
  function enclose(command: readonly string[], { folder, readable, processes }: Inside) {
    // A system that tidies its folder for temporary files takes an old empty one away.
    if (base === undefined || !existsSync(base)) base = emptyFolder()
    const into = [...(isRoot ? [] : ['--user', '--map-root-user']), ...namespaces, ...(network ? [] : ['--net'])]
    const [user, tasks] = [isRoot ? nextUser() : '', countsApart ? String(tasksOf(processes)) : 'unlimited']
    const paths = [base, user, tasks, resolve(folder), ...outermost(readable), '--', ...bothWays(hidden), '--']
    return {
      command: ['unshare', ...into, '/bin/sh', '-c', build, 'sh', ...paths, ...command],
      environment: network ? { WEIR_CAGE_NETWORK: '1' } : {},
    }
  }

  async function attempt(): Promise<string | undefined> {
    if (process.platform !== 'linux') return `it runs ${process.platform}, and cages are made of Linux namespaces`
    const folder = mkdtempSync(join(tmpdir(), 'weir-try-'))
    try {
      const inside = 'test "$PPID" = 1 && test ! -e /root && test -z "$(ls -A /old)" && touch tried && echo caged'
      const { command, environment } = enclose(['/bin/sh', '-c', inside], { folder, readable: [], processes: 16 })
      const { out, err } = await outputOf(command, environment)
      return out === 'caged' ? undefined : err.split('\n')[0] || 'the cage that was tried did not hold'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  return {
    enclose,
    /** Why this machine can cage no program; undefined where it can. It is tried, and then remembered. */
    fault(): Promise<string | undefined> {
      if (tried === undefined || performance.now() > expires_ms) {
        tried = attempt().then((fault) => {
          expires_ms = fault === undefined ? Number.POSITIVE_INFINITY : performance.now() + failure_ms
          return fault
        })
        expires_ms = Number.POSITIVE_INFINITY
      }
      return tried
    },
  }
}

export type Cage = ReturnType<typeof createCage>

/** On which cages are mounted, each in its own namespace: it stays empty, and one does for all of a user's processes. */
function emptyFolder(): string {
  const folder = join(tmpdir(), `weir-cage-${process.getuid?.() ?? ''}`)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch {
    // The folder is there, and may be the trap of another user.
    const found = lstatSync(folder, { throwIfNoEntry: false })
    if (found?.isDirectory() !== true || found.uid !== process.getuid?.())
      return mkdtempSync(join(tmpdir(), 'weir-cage-'))
  }
  return folder
}

async function outputOf([file = '', ...args]: readonly string[], environment: Readonly<Record<string, string>>) {
  const child = spawn(file, args, {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: patience_ms,
    killSignal: 'SIGKILL',
  })
  const failed = new Promise<never>((_, reject) => child.once('error', reject))
  const [out, err] = await Promise.race([Promise.all([buffer(child.stdout), buffer(child.stderr)]), failed])
  return { out: out.toString().trim(), err: err.toString().trim() }
}

/** A hard limit for a program that forks as fast as it can, until it is seen to have too many processes. */
const tasksOf = (processes: number): number => 4 * processes + 2 * availableParallelism()

/** The paths that lie in no other one, sorted. */
function outermost(paths: readonly string[]): string[] {
  const all = [...new Set(paths.map((path) => resolve(path)))].filter((path) => path !== sep)
  return all.filter((path) => !all.some((other) => path !== other && path.startsWith(other + sep))).sort()
}

/** The paths as they are named, and the paths that they lead to. */
function bothWays(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => [resolve(path), realOf(path)]))]
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return resolve(path)
  }
}
