/**
 * A workflow without an end of its own, which runs on Temporal alone: its activity does what is due, and it sleeps until the
 * next time, or until it is woken.
 */
export type Recurring<Request> = {
  /** The id of its run: one at a time has it. */
  id(request: Request): string
  /** A line for people. */
  title(request: Request): string
  /** The activity, and a line for people about it. */
  readonly step: string
  line(request: Request): string
}

/** Where those activities are called: of the one process that keeps the states. The workflows themselves run in any. */
export const savedQueue = 'weir-saved'

/** The activity's answer: the pause until the next time; null where there will be none. */
export type Next = {
  readonly wait_ms: number
  /** For people, in Markdown. */
  readonly says: string
} | null

/** A recurring workflow of a kind. */
export type Recurrence = { readonly kind: string; readonly request: unknown }
