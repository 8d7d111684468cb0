import test, { type ExecutionContext, type Implementation, registerCompletionHandler } from 'ava'
import { ensureTemporal, startTemporal, type Temporal } from '../../../scripts/parts/temporal.js'
import { onePerFile } from '../one-per-file.ts'
import { temporaryFolder } from '../temporary-folder.ts'

// The SDK's own threads may go on waiting for a server that was killed before its worker had ended.
registerCompletionHandler(() => process.exit())

/** `npm test` has looked for it; empty where there is none. */
const { WEIR_TEST_TEMPORAL } = process.env
const binary = WEIR_TEST_TEMPORAL === undefined ? await ensureTemporal() : WEIR_TEST_TEMPORAL || undefined
const shared = onePerFile(
  'Temporal is ended',
  () => start({}),
  (temporal) => temporal.kill(),
)

export type TemporalOptions = Omit<Parameters<typeof startTemporal>[0], 'binary' | 'folder'> & {
  readonly folder?: string
}

/** A server for this test alone, over a folder of its own where none is given; killed when the test ends. */
export async function startTestTemporal(t: ExecutionContext, options: TemporalOptions = {}): Promise<Temporal> {
  const temporal = await start(options)
  t.teardown(() => temporal.kill())
  return temporal
}

/** One server for all tests of a file, started by the first that asks: workflows need ids of their own. */
export const sharedTemporal = (): Promise<Temporal> => shared.get()

async function start(options: TemporalOptions): Promise<Temporal> {
  if (binary === undefined) throw new Error('there is no Temporal here: such a test begins by withTemporal')
  return startTemporal({ folder: temporaryFolder(), ...options, binary })
}

/** A test that needs Temporal: skipped, and said to be, where it cannot be had. */
export function withTemporal(title: string, run: Implementation<[]>): void {
  shared.endsWithFile()
  if (binary === undefined) test.skip(`${title} (no Temporal here: see above)`, run)
  else test(title, run)
}
withTemporal.serial = (title: string, run: Implementation<[]>): void => {
  shared.endsWithFile()
  if (binary === undefined) test.serial.skip(`${title} (no Temporal here: see above)`, run)
  else test.serial(title, run)
}
