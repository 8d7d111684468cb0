import type { Config } from '../../../infra/config.ts'
import { createCage } from '../../../infra/subprocess/cage.ts'
import type { RunProgram } from '../../../infra/subprocess/run.ts'
import { createRunProgram } from '../../../infra/subprocess/subprocess.ts'

export type ScriptRunner = {
  readonly runProgram: RunProgram
  /** Why scripts are not run, in words for the user that asks for it; undefined where they are. */
  readonly whyOff: () => Promise<string | undefined>
}

/** Scripts run in a cage, or as a setting says without one; where no cage can be built they do not run. */
export function createScriptRunner({
  DATA_DIR,
  PY_UNCAGED,
  PY_NETWORK,
}: Pick<Config, 'DATA_DIR' | 'PY_UNCAGED' | 'PY_NETWORK'>): ScriptRunner {
  if (PY_UNCAGED === '1') return { runProgram: createRunProgram(), whyOff: async () => undefined }
  const cage = createCage({ hidden: [DATA_DIR], network: PY_NETWORK === '1' })
  return {
    runProgram: createRunProgram(cage),
    whyOff: async () => {
      const fault = await cage.fault()
      return (
        fault &&
        `PY is off: this machine cannot cage a script (${fault}); with PY_UNCAGED=1 scripts run without a cage, and can read all that the service can`
      )
    },
  }
}
