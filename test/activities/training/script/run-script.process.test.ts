import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import test from 'ava'
import { createRunScript } from '../../../../activities/training/script/run-script.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { until } from '../../../support/until.ts'

const unused = () => Promise.reject(new Error('not asked for'))

test('what the scripts of a killed process have left goes when the next one starts', async (t) => {
  const parent = join(temporaryFolder(), 'scripts')
  const folderOf = (pid: number | undefined) => join(parent, `${hostname()}@${pid}@another-run@0`, 'script-0L9ebs')
  const living = spawn('sleep', ['60'])
  t.teardown(() => {
    living.kill()
  })
  const [left, kept] = [folderOf(spawnSync('true').pid), folderOf(living.pid)]
  for (const folder of [left, kept]) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'data.csv'), '1,2\n')
  }
  const scripts = { runProgram: unused, whyOff: async () => undefined }
  createRunScript({ objects: { get: unused } as never, scripts, apart: { open: unused }, parent, modelBytes: 1e9 })
  await until('the folder is gone', () => !existsSync(left))
  t.true(existsSync(join(kept, 'data.csv')), 'that of another process')
})

test('a folder that could not be made at first is made once a script is to run', async (t) => {
  const parent = join(temporaryFolder(), 'scripts')
  writeFileSync(parent, 'in the way')
  const run = createRunScript({
    modelBytes: 1e9,
    objects: { get: async () => undefined } as never,
    scripts: { runProgram: unused, whyOff: async () => undefined },
    apart: { open: unused },
    parent,
  })
  const asked = () =>
    run({
      request: { schema: 's', model: 'm', layout: { columns: [], separator: ',' }, parameters: { script: 'x.py' } },
      signal: new AbortController().signal,
    } as never)
  await t.throwsAsync(asked(), { code: 'EEXIST' })
  rmSync(parent)
  await t.throwsAsync(asked(), { message: 'there is no script x.py in bucket weir_udf_bucket' })
})
