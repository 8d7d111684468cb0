import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { suspend } from '../../../scripts/processes/suspend.js'

export const s3Keys = { accessKeyId: 'weir', secretAccessKey: 'a-secret-for-tests' }

/** A versitygw of its own on a free port, over a new folder. It needs a file system with extended attributes. */
export async function startS3Server(binary: string) {
  try {
    return await startOver(tmpdir(), binary)
  } catch {
    return startOver(join(homedir(), '.cache', 'weir'), binary)
  }
}

async function startOver(parent: string, binary: string) {
  const folder = await mkdtemp(join(parent, 'weir-s3-'))
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const { accessKeyId, secretAccessKey } = s3Keys
  const args = ['--port', `127.0.0.1:${port}`, '--access', accessKeyId, '--secret', secretAccessKey, '--quiet']
  const server = spawn(binary, [...args, 'posix', folder], { stdio: 'ignore' })
  const kill = () => server.kill('SIGKILL')
  process.once('exit', kill)
  const stop = async () => {
    process.off('exit', kill)
    kill()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await answers(endpoint, server)
    return { endpoint, stop, pause: () => suspend(server), resume: () => void server.kill('SIGCONT') }
  } catch (error) {
    await stop()
    throw error
  }
}

export type S3Server = Awaited<ReturnType<typeof startS3Server>>

async function answers(endpoint: string, server: ChildProcess): Promise<void> {
  const giveUp = Date.now() + 20_000
  while (server.exitCode === null && Date.now() < giveUp) {
    if (await fetch(endpoint).catch(() => undefined)) return
    await sleep(20)
  }
  throw new Error(`versitygw does not answer at ${endpoint}`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      )
    })
  })
}
