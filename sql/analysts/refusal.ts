/** A statement that analysts may not run, under the exception that ClickHouse has for it. */
export class StatementRefusal extends Error {
  readonly code: number
  readonly exception: string

  constructor(code: number, exception: string, message: string) {
    super(message)
    this.name = 'StatementRefusal'
    this.code = code
    this.exception = exception
  }
}

export const syntaxError = (message: string): StatementRefusal => new StatementRefusal(62, 'SYNTAX_ERROR', message)

export const denied = (message: string): StatementRefusal => new StatementRefusal(497, 'ACCESS_DENIED', message)
