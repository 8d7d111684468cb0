// The part of `npm run check` that refuses slow regular expressions, in a process of its own: it works for some seconds.

import { randomInt } from 'node:crypto'
import { filesIn } from './checks/citations.js'
import { faultyPatterns } from './checks/patterns.js'
import { rooms } from './dist.js'
import { say } from './processes/run.js'

const files = [...rooms, 'console'].flatMap(filesIn).filter((file) => /\.(?:ts|tsx|js)$/.test(file))
const isCi = process.env.CI === 'true' || process.env.CI === '1'
const seed = isCi ? Number(process.env.WEIR_SEED ?? randomInt(2 ** 31)) : undefined
const faults = await faultyPatterns(files, seed)
for (const fault of faults) say(fault)
if (faults.length > 0) say('write them in another way, or bound their input and say so in scripts/checks/patterns.js')
// The checker leaves a process of its own behind, which ends with this one.
process.exit(faults.length > 0 ? 1 : 0)
