import { statfsSync } from 'node:fs'

/** Throws before LMDB finds the disk full: lmdb-js then overruns a buffer of its own (mdb_page_flush in its mdb.c). */
export function needRoom(path: string, wanted: number): void {
  const { bavail, bsize } = statfsSync(path)
  const free = bavail * bsize
  if (free < wanted) throw new Error(`${free} bytes are free at ${path}, ${wanted} are needed`)
}
