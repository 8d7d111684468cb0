/** A status has so many sentences: each column of the data may have one. */
const maxNotes = 20

/** The first notes of a training, and how many more there are. */
export function firstOf(notes: readonly string[]): string[] {
  const more = notes.length - maxNotes
  return more > 0 ? [...notes.slice(0, maxNotes), `and ${more} more, which the log has`] : [...notes]
}
