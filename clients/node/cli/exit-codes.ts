/**
 * How a command ended: 0 well; 1 something failed, or lines were refused; 2 the arguments are wrong, or a plan would
 * change something; 3 no answer came; 4 the key is missing or may not.
 */
export const exitCodes = { failed: 1, usage: 2, changes: 2, network: 3, key: 4 } as const

/** Ends the command with this code and one line; without a line what there is to say has been said. */
export class Exit extends Error {
  readonly code: number
  constructor(code: number, message = '') {
    super(message)
    this.code = code
  }
}
