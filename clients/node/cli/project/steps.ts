import { WeirError } from '../../src/index.ts'

/**
 * A change that an apply makes. `trial` asks the service whether it would refuse the step, where that can be asked only once
 * steps before it were taken: those of one stage are all asked before the first of them is taken. `undo` puts back what was
 * there before; a step without it cannot be taken back.
 */
export type Step = {
  readonly what: string
  readonly run: () => Promise<unknown>
  readonly trial?: { readonly stage: 'schemas' | 'doors'; readonly path: string; readonly run: () => Promise<unknown> }
  readonly undo?: () => Promise<unknown>
}

/**
 * Takes the steps of a plan, all or none: where the service refuses one, those before it are taken back. An error that says
 * nothing of the step, such as a service that is away, leaves what was done, from which the next apply goes on.
 */
export async function takeSteps(steps: readonly Step[], tell: (line: string) => void): Promise<void> {
  const done: Step[] = []
  const tried = new Set<string>()
  try {
    for (const [at, step] of steps.entries()) {
      if (step.trial && !tried.has(step.trial.stage)) {
        tried.add(step.trial.stage)
        await tryAll(steps.slice(at), step.trial.stage)
      }
      tell(step.what)
      await step.run()
      done.push(step)
    }
  } catch (error) {
    if (!isRefusal(error)) {
      const count = `${done.length} of ${steps.length} definitions are applied`
      throw saidOf(error, `${count}: weir apply goes on from there`)
    }
    const left = await takeBack(done, tell)
    const outcome =
      left.length === 0
        ? 'nothing is changed: what was made before it is taken back'
        : `what was made before it is taken back, but for ${left.join(', ')}`
    throw saidOf(error, outcome)
  }
}

async function tryAll(steps: readonly Step[], stage: string): Promise<void> {
  const refused: string[] = []
  for (const { trial } of steps) {
    if (trial?.stage !== stage) continue
    await trial.run().catch((error: unknown) => {
      if (!isRefusal(error)) throw error
      refused.push(`${trial.path}: ${messageOf(error)}`)
    })
  }
  if (refused.length > 0) throw new WeirError('refused', refused.join('\n'))
}

/** The last step first; returns those that stay. */
async function takeBack(done: readonly Step[], tell: (line: string) => void): Promise<string[]> {
  const left: string[] = []
  for (const { what, undo } of done.toReversed()) {
    try {
      if (undo === undefined) left.push(what)
      else {
        await undo()
        tell(`${what} is taken back`)
      }
    } catch (error) {
      left.push(`${what} (${messageOf(error)})`)
    }
  }
  return left
}

/** The error with a line behind its own, by which the command ends as by the error alone. */
const saidOf = (error: unknown, line: string): unknown =>
  error instanceof WeirError ? new WeirError(error.kind, `${error.message}\n${line}`, { cause: error }) : error

const isRefusal = (error: unknown): error is WeirError =>
  error instanceof WeirError && ['refused', 'conflict', 'missing', 'forbidden'].includes(error.kind)

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
