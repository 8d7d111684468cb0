/**
 * A worker's side of `ask`: answers each message with the result of `work`, until its parent lets it go. Plain
 * JavaScript, for workers whose start and memory are measured.
 * @template Message
 * @param {(message: Message) => Promise<unknown>} work
 */
export function answer(work) {
  process.on('disconnect', () => process.exit())
  process.on('message', (/** @type {Message} */ message) => {
    work(message).then(
      (result) => process.send?.({ result }),
      (/** @type {unknown} */ error) => process.send?.({ error: error instanceof Error ? error.stack : String(error) }),
    )
  })
}
