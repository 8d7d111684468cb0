import type { KafkaTopics } from '../topics.ts'

/** The group whose offsets say how far the tasks of a queue of turns are. It never has members. */
export const groupOfTurns = (topics: Pick<KafkaTopics, 'nameOf'>, queue: string): string =>
  `${topics.nameOf(queue)}.tasks`
