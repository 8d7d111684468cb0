// Builds the rooms into .dev/ by one bundler that remembers the files that it has read, and runs the service from there.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, rmSync, watch } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { context } from 'esbuild'
import { buildConsole } from '../../console/build.js'
import { optionsFor } from '../bundle.js'
import { copyAssets, rooms } from '../dist.js'
import { root, say } from '../processes/run.js'

const folder = '.dev'
/** An editor writes several files at once, and some of them twice. */
const settle_ms = 50
/** A clean stop takes less than ten seconds. */
const longestStop_ms = 12_000

/** Serves until a signal comes.
 * @param {readonly string[]} nodeArguments */
export async function serveChanges(nodeArguments) {
  rmSync(join(root, folder), { recursive: true, force: true })
  const bundler = await context({ ...optionsFor(folder), sourcemap: 'linked' })
  const service = createService(['--enable-source-maps', ...nodeArguments, join(root, folder, 'api/main.js')])
  const changes = watchRooms()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, changes.end)

  for (let isFirst = true; isFirst || (await changes.next()); isFirst = false) {
    const began = performance.now()
    // Both are waited for: a page that is still being built would be written into the folder after it was removed.
    const [built, page] = await Promise.allSettled([bundler.rebuild(), buildPage()])
    if (built.status === 'rejected' || page.status === 'rejected') {
      // The bundler has said why.
      say('not built; the next change tries again')
      continue
    }
    copyAssets(folder)
    await service.stop()
    removeOthers(Object.keys(built.value.metafile.outputs))
    if (changes.isEnded()) break
    service.start()
    say(`built in ${Math.round(performance.now() - began)} ms`)
  }
  await service.stop()
  await bundler.dispose()
  rmSync(join(root, folder), { recursive: true, force: true })
}

/** The page, where its sources are. */
async function buildPage() {
  if (!existsSync(join(root, 'console'))) return
  await buildConsole(join(root, folder, 'console'), { isQuick: true })
}

/** The changes of the rooms and of the page: `next` resolves to true after a change, also one since it was called last, and to false at the end. */
function watchRooms() {
  let [hasChanged, isEnded] = [false, false]
  let wake = () => {}
  const watchers = [...rooms, 'console']
    .filter((room) => existsSync(join(root, room)))
    .map((room) =>
      watch(join(root, room), { recursive: true }, () => {
        hasChanged = true
        wake()
      }),
    )
  return {
    async next() {
      if (!hasChanged && !isEnded) await new Promise((resolve) => (wake = () => resolve(undefined)))
      await sleep(settle_ms)
      hasChanged = false
      return !isEnded
    },
    end() {
      isEnded = true
      for (const watcher of watchers) watcher.close()
      wake()
    },
    isEnded: () => isEnded,
  }
}

/** The process that serves.
 * @param {string[]} args */
function createService(args) {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let child
  return {
    start() {
      const started = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' })
      child = started
      started.on('exit', (code, signal) => {
        if (child !== started) return
        child = undefined
        say(`the service ended by ${signal ?? `itself, with code ${code}`}; the next change starts it`)
      })
    },
    async stop() {
      const stopping = child
      child = undefined
      if (!stopping || stopping.exitCode !== null || stopping.signalCode !== null) return
      const ended = once(stopping, 'exit')
      stopping.kill('SIGTERM')
      const isLate = await Promise.race([ended.then(() => false), sleep(longestStop_ms, true, { ref: false })])
      if (isLate) stopping.kill('SIGKILL')
      await ended
    },
  }
}

/** Files of earlier builds.
 * @param {string[]} outputs relative to the repository */
function removeOthers(outputs) {
  const kept = new Set(outputs)
  const shared = `${folder}/shared`
  for (const name of existsSync(join(root, shared)) ? readdirSync(join(root, shared)) : []) {
    if (!kept.has(`${shared}/${name}`)) rmSync(join(root, shared, name))
  }
}
