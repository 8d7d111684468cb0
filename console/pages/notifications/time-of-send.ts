/** The time of a send, in microseconds since 1970, which its id ends in: `ntf_1_1795334472806000`. */
export function timeOfSend(id: string): number | undefined {
  const [, time] = /_(\d{16})$/.exec(id) ?? []
  return time === undefined ? undefined : Number(time)
}
