/** Java's options for a program that lives for minutes at most: the second compiler would work for longer than that. */
export const shortLived = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
