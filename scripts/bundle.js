// The workflows as Temporal's workers load them: one file, made beside dist/'s rooms.

import { writeFileSync } from 'node:fs'
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker'

const [workflowsPath, file] = process.argv.slice(2)
if (!workflowsPath || !file) throw new Error('which module, and where to?')
const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') })
writeFileSync(file, code)
