import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { rowsOf } from '../log/embedded/commit.ts'
import { fileName } from '../log/embedded/copy-log.ts'
import { type Mark, readMark } from './mark.ts'

/** A part as a start finds it: the mark of its folder, and whether its data is there. */
export type Found = { readonly mark: Mark | undefined; readonly hasData: boolean }

export function findClickHouse(folder: string): Found {
  const metadata = join(folder, 'metadata')
  return {
    mark: readMark(folder),
    hasData: existsSync(join(metadata, 'weir')) || existsSync(join(metadata, 'weir.sql')),
  }
}

/** An empty file is no log: LMDB would begin a new one in it. */
export function findLog(folder: string): Found {
  const size = statSync(join(folder, fileName), { throwIfNoEntry: false })?.size ?? 0
  return { mark: readMark(folder), hasData: size > 0 }
}

/** The events that wait in a log, for a person. */
export function waitingIn(folder: string): { readonly rows: number; readonly queues: number } {
  const root = open({ path: join(folder, fileName), readOnly: true, maxDbs: 16 })
  try {
    const chunks = root.openDB<Buffer, [string, number, number]>({ name: 'chunks', encoding: 'binary' })
    const queues = new Set<string>()
    let rows = 0
    for (const { key, value } of chunks.getRange()) {
      queues.add(key[0])
      rows += rowsOf(value)
    }
    return { rows, queues: queues.size }
  } finally {
    void root.close()
  }
}
