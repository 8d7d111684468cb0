import { machineMemory } from '../../base/memory.ts'
import { Refusal } from '../../base/refusal.ts'
import { decodeParameters, numberOf, type Parameter, textOf } from '../parameters.ts'

const half_mb = Math.floor(machineMemory() / 2 ** 21)

/** The members that Weir reads of `algo_param`; all other members are the script's own, and reach it in `config.json`. */
export const scriptParameters: readonly Parameter[] = [
  { name: 'script', type: 'text', description: 'The Python file in bucket weir_udf_bucket; required' },
  {
    name: 'time_limit_s',
    type: 'integer',
    default: 600,
    min: 1,
    max: 86_400,
    description: 'The script is ended when it runs longer than so many seconds',
  },
  {
    name: 'memory_mb',
    type: 'integer',
    default: 4096,
    min: 64,
    max: 1_048_576,
    description:
      "The script's processes may take so many megabytes together, and never more than half of the machine's",
  },
  {
    name: 'output_mb',
    type: 'integer',
    default: 1024,
    min: 1,
    max: 65_536,
    description: 'The script may write so many megabytes, its model among them',
  },
]

export type ScriptSettings = {
  readonly script: string
  readonly time_ms: number
  readonly memory_mb: number
  readonly output_mb: number
}

/** Throws a `Refusal` that names every fault. */
export function decodeScriptParameters(body: Readonly<Record<string, unknown>>): ScriptSettings {
  const own = scriptParameters.map(({ name }) => name)
  const parameters = decodeParameters(
    scriptParameters,
    Object.fromEntries(Object.entries(body).filter(([name]) => own.includes(name))),
  )
  const script = textOf(parameters, 'script', '')
  if (script === '' || script.split('/').includes('..')) {
    throw new Refusal(`algo_param.script is '${script}'; it must be the key of a Python file in weir_udf_bucket`)
  }
  return {
    script,
    time_ms: 1000 * numberOf(parameters, 'time_limit_s'),
    memory_mb: Math.min(half_mb, numberOf(parameters, 'memory_mb')),
    output_mb: numberOf(parameters, 'output_mb'),
  }
}
