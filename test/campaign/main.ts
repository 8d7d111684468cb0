/**
 * `npm run campaign -- --rounds 100 [--seed N] [--mode embedded|kafka|server|stack] [--rules] [--fault cut|folder|byte|clock]`: load of every kind on a Weir whose
 * parts are killed at random moments, and after each round a count of lost and doubled things.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runCampaign } from './campaign.ts'
import { modeNames } from './parts/place.ts'
import { report } from './report.ts'
import { faultNames } from './round.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    mode: { type: 'string', default: 'embedded' },
    rules: { type: 'boolean' },
    fault: { type: 'string' },
  },
})
const mode = modeNames.find((name) => name === values.mode)
const [rounds, seed] = [Number(values.rounds), Number(values.seed)]
if (mode === undefined || !Number.isInteger(rounds) || !Number.isInteger(seed)) {
  console.error(`--mode is one of ${modeNames.join(', ')}; --rounds and --seed are whole numbers`)
  process.exit(2)
}
const fault = faultNames.find((name) => name === values.fault)
if (values.fault !== undefined && fault === undefined) {
  console.error(`--fault is one of ${faultNames.join(', ')}`)
  process.exit(2)
}
if (values.rules && mode !== 'embedded' && mode !== 'kafka') {
  console.error('--rules is for --mode embedded or kafka')
  process.exit(2)
}
// Processes that run for it are killed when it exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))
const folder = mkdtempSync(join(tmpdir(), 'weir-campaign-'))
console.log(`crash campaign: mode ${mode}, seed ${seed}, ${rounds} rounds`)
const ledger = await runCampaign({
  mode,
  isOfRules: values.rules === true,
  fault,
  rounds,
  seed,
  folder,
  say: console.log,
})
console.log(`\n${report(ledger, { mode, seed, rounds })}`)
const isGood = ledger.findings.length === 0
if (isGood) rmSync(folder, { recursive: true, force: true })
else console.log(`the data, and what Weir said, are kept in ${folder}`)
process.exit(isGood ? 0 : 1)
