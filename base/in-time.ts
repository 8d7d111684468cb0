/** The result of `work`; rejects with what `late` gives where there is none after `timeout_ms`. The work goes on by itself. */
export async function inTime<Result>(work: Promise<Result>, timeout_ms: number, late: () => Error): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), timeout_ms)
  })
  try {
    return await Promise.race([work, expired])
  } finally {
    clearTimeout(timer)
  }
}
