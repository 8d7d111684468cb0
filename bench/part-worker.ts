import { answer } from './answer.js'
import { createLoader } from './load/load.ts'
import type { PartName } from './part-names.ts'
import { parts } from './parts.ts'
import type { Size } from './size.ts'

export type PartMessage = { readonly name: PartName; readonly folder: string; readonly size: Size }

/** A part in a process of its own: ClickHouse has one folder open a process, and memory is that of the part alone. */
answer(async ({ name, folder, size }: PartMessage) => {
  const loader = createLoader()
  try {
    return await parts[name](folder, loader, size)
  } finally {
    await loader.close()
  }
})
