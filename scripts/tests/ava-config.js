// How ava runs the files that run.js hands it: translated already, one after the other, and reporting its events.

/** Passes the members of an event of ava that outcome.js needs to the process that runs the tests.
 * @param {import('ava/internal').Event & Record<string, unknown>} event */
function tell({
  type,
  testFile,
  title,
  skip,
  todo,
  knownFailing,
  period,
  signal,
  nonZeroExitCode,
  forcedExit,
  ...rest
}) {
  const { message, formattedDetails } =
    /** @type {{ message?: string, formattedDetails?: { label: string, formatted: string }[] }} */ (rest.err ?? {})
  process.send?.({
    type,
    testFile,
    title,
    skip,
    todo,
    knownFailing,
    period,
    signal,
    nonZeroExitCode,
    forcedExit,
    message,
    details: formattedDetails?.map(({ label, formatted }) => `${label} ${formatted}`).join(' '),
  })
}

const untold = new Set(['stats', 'worker-stdout', 'worker-stderr', 'hook-finished', 'test-register-log-reference'])

export default {
  files: (process.env.WEIR_TEST_FILES ?? '').split('\n'),
  workerThreads: false,
  concurrency: 1,
  timeout: '8m',
  cache: false,
  nonSemVerExperiments: { observeRunsFromConfig: true },
  /** @param {import('ava/internal').ObservedRun} run */
  async observeRun({ events }) {
    for await (const event of events) if (!untold.has(event.type)) tell(event)
  },
}
