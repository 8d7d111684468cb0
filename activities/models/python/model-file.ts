import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../../../base/refusal.ts'
import { modelFile } from './workplace.ts'

const megabyte = 2 ** 20

/** ONNX files are one protobuf message, which ends at 2 GiB. */
const most_mb = 2047

/** What the script wrote as its model. A link is no model: it could lead out of the folder. */
export async function readModelFile(folder: string): Promise<Uint8Array> {
  const path = join(folder, modelFile)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch((error) => {
    throw new Refusal(`the script wrote no ${modelFile} in its folder (${error.code})`)
  })
  try {
    const stat = await file.stat()
    if (!stat.isFile()) throw new Refusal(`what the script left as ${modelFile} is no file`)
    if (stat.size === 0) throw new Refusal(`the ${modelFile} that the script wrote is empty`)
    if (stat.size > most_mb * megabyte)
      throw new Refusal(`the ${modelFile} that the script wrote exceeds ${most_mb} MB`)
    return await file.readFile()
  } finally {
    await file.close()
  }
}
