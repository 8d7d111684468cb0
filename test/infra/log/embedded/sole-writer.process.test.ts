import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import test from 'ava'
import { takeSoleWriter } from '../../../../infra/log/embedded/sole-writer.ts'
import { loader, pathOf } from '../../../support/program.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

test('a folder has one writer at a time', async (t) => {
  const folder = temporaryFolder()
  const writer = await takeSoleWriter(folder)
  await t.throwsAsync(takeSoleWriter(folder), { message: /another process \(\d+\) uses the data folder .*DATA_DIR/ })
  writer.release()
  t.false(existsSync(join(folder, 'writer.json')))
  const next = await takeSoleWriter(folder)
  next.release()
})

test('what a process that died left behind keeps nobody out', async (t) => {
  const left = await leftBy(temporaryFolder())
  const started = performance.now()
  const writer = await takeSoleWriter(left)
  writer.release()
  t.true(performance.now() - started < 2_500, 'its heart beats are not waited for')
})

test('a process that was killed and is not reaped yet keeps nobody out', async (t) => {
  const folder = temporaryFolder()
  // The shell becomes a program that never waits for its children: the killed one stays in the table of processes.
  const parent = spawn('sh', ['-c', `${writerCommand(folder)} & exec sleep 60`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.teardown(() => parent.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: parent.stdout }), 'line')
  await t.throwsAsync(takeSoleWriter(folder), { message: /another process \(\d+\)/ })
  process.kill(Number(line), 'SIGKILL')
  await until('it is a zombie', () => readFileSync(`/proc/${line}/stat`, 'latin1').includes(') Z '))
  const writer = await takeSoleWriter(folder)
  writer.release()
})

test('a number that was given out again is not the process that had it', async (t) => {
  const folder = await leftBy(temporaryFolder())
  const { place } = JSON.parse(readFileSync(join(folder, 'writer.json'), 'utf8'))
  writeFileSync(join(folder, 'writer.json'), JSON.stringify({ pid: 1, place }))
  const writer = await takeSoleWriter(folder)
  writer.release()
  t.pass()
})

const writerCommand = (folder: string): string => {
  const module = JSON.stringify(pathOf('infra/log/embedded/sole-writer.ts'))
  const script = `import(${module}).then((m) => m.takeSoleWriter(${JSON.stringify(folder)})).then(() => {
    console.log(process.pid); setInterval(() => {}, 1000) })`
  return `${JSON.stringify(process.execPath)} ${loader.join(' ')} -e '${script}'`
}

/** A folder whose writer was killed. */
async function leftBy(folder: string): Promise<string> {
  const child = spawn('sh', ['-c', `exec ${writerCommand(folder)}`], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(createInterface({ input: child.stdout }), 'line')
  child.kill('SIGKILL')
  await once(child, 'exit')
  return folder
}

test('a writer on another machine that is silent is dead', async (t) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'writer.json'), JSON.stringify({ pid: 1, place: 'elsewhere' }))
  const writer = await takeSoleWriter(folder)
  writer.release()
  t.pass()
})
