import test from 'ava'
import { rounds, seed } from '../support/random/seed.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { runCampaign } from './campaign.ts'

test('a round of the crash campaign loses nothing and doubles nothing', async (t) => {
  t.timeout(1_800_000)
  t.log(`WEIR_SEED=${seed}`)
  const ledger = await runCampaign({
    ...{ mode: 'embedded', rounds: 1, seed, folder: temporaryFolder(), say: t.log },
    // Making a hundred and comparing them takes as long as all else.
    streams: rounds(100, 30),
  })
  t.deepEqual(ledger.findings, [])
  t.true(ledger.answers() > 10)
})
