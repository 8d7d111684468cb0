import { type Row, type Weir, WeirError } from '../../src/index.ts'
import type { Piece } from './files.ts'

type Values = Readonly<Record<string, unknown>>
type Hook = { readonly verify?: unknown } & Values

const variable = /^\$([A-Za-z_][A-Za-z0-9_]*)$/

/** The definition of a hook as the service takes it: a secret in a file is the name of a variable that has it, such as $STRIPE_SECRET. */
export function hookIn({ value }: Piece, environment: Readonly<Record<string, string | undefined>>): Hook {
  const { verify } = value
  if (typeof verify !== 'object' || verify === null) return value
  const named = verify as Values
  const read = (written: unknown): unknown => {
    const [, name] = typeof written === 'string' ? (variable.exec(written) ?? []) : []
    return name === undefined ? written : environment[name]
  }
  const { secret, secrets, ...others } = named
  const list = Array.isArray(secrets) ? secrets.map(read).filter((each) => each !== undefined) : secrets
  return {
    ...value,
    verify: {
      ...others,
      ...(read(secret) !== undefined && { secret: read(secret) }),
      ...(!(Array.isArray(list) && list.length === 0) && list !== undefined && { secrets: list }),
    },
  }
}

/** Tries a definition of a hook; `missing` where the stream is not there. */
export async function tryHook(weir: Weir, name: string, hook: Hook): Promise<'same' | 'new' | 'missing'> {
  try {
    const { msg } = await weir.hook(name).put(hook, { dry: true })
    return String(msg).includes('nothing would change') ? 'same' : 'new'
  } catch (error) {
    if (error instanceof WeirError && error.status === 404) return 'missing'
    throw error
  }
}

/** The definition of a hook that the service shows. */
export function shownHook({ name: _name, num_secrets: _secrets, changed: _changed, by: _by, ...hook }: Row): Values {
  return hook
}
