import { readdir, readFile } from 'node:fs/promises'

/** The processes that a run has started, by Linux's /proc; where there is none, nothing is found. */
export type Members = { readonly pids: readonly number[]; readonly memory_mb: number }

const processIds = async (): Promise<number[]> => {
  const names = await readdir('/proc').catch(() => [])
  return names.filter((name) => /^\d+$/.test(name)).map(Number)
}

/** A process may end while it is looked at: then there is nothing to read. */
const read = (pid: number, file: string): Promise<string> => readFile(`/proc/${pid}/${file}`, 'latin1').catch(() => '')

/** proc(5): after the command in brackets come state, ppid, pgrp, session. */
function placeOf(stat: string) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { parent: Number(fields[1]), session: Number(fields[3]) }
}

const kilobytes = (text: string, field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)

async function megabytes(pids: readonly number[], file: string, field: string): Promise<number> {
  const sizes = await Promise.all(pids.map(async (pid) => kilobytes(await read(pid, file), field)))
  return sizes.reduce((sum, size) => sum + size, 0) / 1024
}

/**
 * The members of a session with all that descends from them, and the memory they hold together. Pages that forks share
 * count once for each process (RSS) while the sum is within `enough_mb`, and past it once in all (PSS), which is slower
 * to ask for.
 */
export async function membersOfSession(session: number, enough_mb: number): Promise<Members> {
  const all = await processIds()
  const places = new Map(await Promise.all(all.map(async (pid) => [pid, placeOf(await read(pid, 'stat'))] as const)))
  const known = new Map<number, boolean>([[0, false]])
  /** In a cage a process that leaves its session and its parents is still a child of the cage's first process. */
  const isMember = (pid: number): boolean => {
    const before = known.get(pid)
    if (before !== undefined) return before
    known.set(pid, false) // Ids may be reused while they are read: no way round in circles.
    const place = places.get(pid)
    const found = place !== undefined && (place.session === session || isMember(place.parent))
    known.set(pid, found)
    return found
  }
  const pids = all.filter(isMember)
  const resident = await megabytes(pids, 'status', 'VmRSS')
  return { pids, memory_mb: resident <= enough_mb ? resident : await megabytes(pids, 'smaps_rollup', 'Pss') }
}

/** Every process that was started with `entry` in its environment, also one that left its session or its parents. */
export async function processesWith(entry: string): Promise<number[]> {
  const all = await processIds()
  const has = await Promise.all(all.map(async (pid) => (await read(pid, 'environ')).split('\0').includes(entry)))
  return all.filter((_, index) => has[index])
}
