import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { writeExactJson } from '../../../base/exact-json.ts'
import type { FormatName } from '../../../learn/formats/index.ts'
import type { Source } from '../../../learn/formats/read-rows.ts'
import type { AttributeEntry } from '../../../learn/layout.ts'

export const modelFile = 'model.onnx'
export const configFile = 'config.json'

/** The input of a script, apart from its own bytes: `config.json` holds all of it, and the name of the data file. */
export type ScriptConfig = {
  readonly algo_param: Readonly<Record<string, unknown>>
  readonly attr_list: readonly AttributeEntry[]
  readonly target_idx?: number | undefined
  readonly format: FormatName
}

export type Workplace = {
  readonly folder: string
  /** The script's file in it. */
  readonly script: string
  readonly data_mb: number
  readonly remove: () => Promise<void>
}

type Contents = {
  readonly script: { readonly key: string; readonly bytes: Uint8Array }
  readonly data: Source
  readonly config: ScriptConfig
}

/** A new folder under `parent` with the script, its data and its configuration, for the script alone. */
export async function createWorkplace(parent: string, contents: Contents, signal: AbortSignal): Promise<Workplace> {
  await mkdir(parent, { recursive: true })
  const folder = await mkdtemp(join(parent, 'script-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 })
  try {
    const script = fileOf(contents.script.key)
    const data = `data.${contents.config.format.toLowerCase()}`
    await pipeline(Readable.from(contents.data), createWriteStream(join(folder, data)), { signal })
    await writeFile(join(folder, script), contents.script.bytes)
    await writeFile(join(folder, configFile), writeExactJson({ ...contents.config, data_file: data }))
    return { folder, script, data_mb: (await stat(join(folder, data))).size / 2 ** 20, remove }
  } catch (error) {
    await remove()
    signal.throwIfAborted()
    throw error
  }
}

/** A key's last part where it is a plain name, so that a traceback shows the name that the user wrote. */
function fileOf(key: string): string {
  const name = key.split('/').at(-1) ?? ''
  return /^[A-Za-z_][\w-]{0,100}\.py$/.test(name) ? name : 'script.py'
}
