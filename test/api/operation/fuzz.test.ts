import test from 'ava'
import { onGround, prepareGround } from '../../../scripts/fuzz-ground.js'
import { ensureSchemathesis, runSchemathesis } from '../../../scripts/parts/schemathesis.js'
import { isPicked, seed } from '../../support/random/seed.ts'
import { startService } from '../../support/service.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const place = await ensureSchemathesis()
const fuzz = place === undefined ? test.skip : test

/** Requests a call, and of how many calls one is asked in a run; `npm run fuzz` makes a hundred of each. */
const [examples, every] = [2, 6]

fuzz(
  'no request that the document allows, and none that it does not, gets a 5xx or an answer outside of it',
  async (t) => {
    t.timeout(750_000)
    t.log(`WEIR_SEED=${seed}`)
    const service = await startService()
    t.teardown(service.close)
    await prepareGround(service.url)
    const document = JSON.parse((await service.client.get('/openapi.json')).text)
    const picked = Object.entries(document.paths).filter((_, index) => isPicked(index, every))
    const { code, said } = await runSchemathesis({
      place: place ?? '',
      folder: temporaryFolder(),
      document: onGround({ ...document, paths: Object.fromEntries(picked) }),
      url: service.url,
      seed,
      examples,
      phases: ['fuzzing'],
    })
    t.is(code, 0, said.slice(-6000))
    t.regex(said, /[1-9]\d+ passed/)
  },
)
