import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'ava'
import { createRunScript } from '../../../../../activities/models/training/script/run-script.ts'
import { temporaryFolder } from '../../../../support/temporary-folder.ts'
import { until } from '../../../../support/until.ts'

test('what the scripts of a killed process have left goes when the next one starts', async (t) => {
  const parent = join(temporaryFolder(), 'scripts')
  mkdirSync(join(parent, 'script-0L9ebs'), { recursive: true })
  writeFileSync(join(parent, 'script-0L9ebs', 'data.csv'), '1,2\n')
  const unused = () => Promise.reject(new Error('not asked for'))
  createRunScript({ objects: { get: unused } as never, runProgram: unused, parent })
  await until('the folder is gone', () => !existsSync(parent))
  t.pass()
})
