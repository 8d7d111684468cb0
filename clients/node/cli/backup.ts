import { createWriteStream, existsSync, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Weir, WeirError } from '../src/index.ts'
import { Exit, exitCodes } from './exit-codes.ts'

/** Writes a copy of all data beside its place, and puts the copy there once it is whole: a file of the name is never a half one. */
export async function writeBackup(weir: Weir, file: string): Promise<void> {
  if (existsSync(file)) throw new Exit(exitCodes.usage, `${file} is there, and stays as it is: name another file`)
  const part = `${file}.${process.pid}.part`
  const { body } = await weir.backup()
  if (!body) throw new WeirError('foreign', 'the answer to the backup has no body')
  try {
    await pipeline(Readable.fromWeb(body as never), createWriteStream(part, { flags: 'wx', mode: 0o600 }))
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    // A fault of the file system names its call; any other is of the connection.
    if (error instanceof Error && 'syscall' in error && 'path' in error) throw error
    throw new WeirError('network', `the backup broke off, and nothing of it is kept: ${(error as Error).message}`)
  }
}
