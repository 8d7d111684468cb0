import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { damageOf } from '../log/embedded/check-file.ts'
import { type ChunkKey, rowsOf } from '../log/embedded/chunk.ts'
import { fileName } from '../log/embedded/copy-log.ts'
import { type Mark, readMark } from './mark.ts'

/** A part as a start finds it: the mark of its folder, and whether its data is there. */
export type Found = { readonly mark: Mark | undefined; readonly hasData: boolean; readonly damage?: string }

export function findClickHouse(folder: string): Found {
  const metadata = join(folder, 'metadata')
  return {
    mark: readMark(folder),
    hasData: existsSync(join(metadata, 'weir')) || existsSync(join(metadata, 'weir.sql')),
  }
}

/** An empty file is no log: LMDB would begin a new one in it. A damaged one is not opened. */
export function findLog(folder: string): Found {
  const file = join(folder, fileName)
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0
  const damage = size > 0 ? damageOf(file) : undefined
  return { mark: readMark(folder), hasData: size > 0 && damage === undefined, ...(damage !== undefined && { damage }) }
}

/** The events that wait in a log, for a person. */
export function waitingIn(folder: string): { readonly rows: number; readonly queues: number } {
  const root = open({ path: join(folder, fileName), readOnly: true, maxDbs: 16 })
  try {
    const chunks = root.openDB<Buffer, ChunkKey>({ name: 'chunks', encoding: 'binary' })
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
