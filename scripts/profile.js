// `npm run profile`: of a Weir that runs with an inspector (`kill -USR1 <pid>` opens one), a CPU profile of every
// thread, the workers of trainings and graph algorithms among them, as files that Chrome's DevTools open. `-- --seconds
// 30` for 30 seconds, `-- --heap` for heap snapshots in its place; `-- --inspector 127.0.0.1:9230` where the inspector
// is not at its usual place, `-- --folder F` for files elsewhere than in profiles/.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { ensurePackages } from './packages.js'
import { root, say } from './processes/run.js'

await ensurePackages()
const { openInspector } = await import('./profile/inspector.js')

const { values } = parseArgs({
  options: {
    inspector: { type: 'string', default: '127.0.0.1:9229' },
    seconds: { type: 'string', default: '5' },
    heap: { type: 'boolean', default: false },
    folder: { type: 'string', default: join(root, 'profiles') },
  },
})

/** @typedef {import('./profile/inspector.js').Thread} Thread */

/** @param {Thread} thread
 * @returns {Promise<string>} the text of the profile */
async function profileOf(thread) {
  await thread.ask('Profiler.enable')
  await thread.ask('Profiler.start')
  await sleep(Number(values.seconds) * 1000)
  const { profile } = await thread.ask('Profiler.stop')
  return JSON.stringify(profile)
}

/** @param {Thread} thread
 * @returns {Promise<string>} the text of the snapshot */
async function heapOf(thread) {
  let text = ''
  thread.hear('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => {
    text += chunk
  })
  await thread.ask('HeapProfiler.takeHeapSnapshot', { reportProgress: false })
  return text
}

const { threads, close } = await openInspector(values.inspector)
mkdirSync(values.folder, { recursive: true })
const [take, ending] = values.heap ? [heapOf, 'heapsnapshot'] : [profileOf, 'cpuprofile']
const moment = new Date().toISOString().replaceAll(/[:.]/g, '-')
await Promise.all(
  threads.map(async (thread) => {
    const file = join(values.folder, `${moment}-${thread.name}.${ending}`)
    writeFileSync(file, await take(thread))
    say(`${thread.name}: ${file}`)
  }),
)
close()
