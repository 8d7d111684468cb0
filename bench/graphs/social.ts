/** People that know or follow each other: always the same graph, in which few are known by many. */
import { createRandom } from '../../test/support/random/random.ts'
import { timeOf, type Workload } from '../load/workload.ts'

const seed = 11
const cities = 100
/** Relations a person. */
const density = 10

export type Social = {
  readonly people: number
  readonly relations: number
  /** The subject of each relation. */
  readonly subject: Uint32Array
  readonly object: Uint32Array
  readonly weight: Uint8Array
  /** The age of each person. */
  readonly age: Uint8Array
  readonly city: Uint8Array
}

export function createSocial(people: number): Social {
  const random = createRandom(seed)
  const relations = people * density
  const social = {
    ...{ people, relations },
    subject: new Uint32Array(relations),
    object: new Uint32Array(relations),
    weight: new Uint8Array(relations),
    age: new Uint8Array(people),
    city: new Uint8Array(people),
  }
  for (let person = 0; person < people; person++) {
    social.age[person] = random.whole(18, 77)
    social.city[person] = random.whole(0, cities - 1)
  }
  for (let relation = 0; relation < relations; relation++) {
    // Everyone is a subject once, so that each has an age and a city.
    social.subject[relation] = relation < people ? relation : random.whole(0, people - 1)
    social.object[relation] = Math.floor(people * random.next() ** 2)
    social.weight[relation] = random.whole(1, 100)
  }
  return social
}

/** Four in five relations are KNOWS, the others FOLLOWS. */
export const isKnows = (relation: number): boolean => relation % 5 !== 0

const attr = [
  ...['person', 'friend', 'followed', 'city'].map((name) => ({ name, type: 'STRING' })),
  ...['weight', 'age'].map((name) => ({ name, type: 'LONG' })),
]
const ends = {
  sub: 'person',
  sub_label: 'Person',
  obj_label: 'Person',
  sub_props: ['age', 'city'],
  rel_props: ['weight'],
}
const rels = [
  { ...ends, obj: 'friend', rel: 'KNOWS' },
  { ...ends, obj: 'followed', rel: 'FOLLOWS' },
]
const stream = { type: 1, swsz: 0, inpt: [], attr }
const schemaBody = {
  schema: 'social',
  streams: [
    { ...stream, name: 'related', rels },
    { ...stream, name: 'plain' },
  ],
}
export const graph = 'social_graph'

/** The relations as events of a stream: `related` brings them into the graph, `plain` has the same events alone. */
export function relationEvents(social: Social, stream: 'related' | 'plain'): Workload {
  const event = (i: number): object => {
    const person = social.subject[i] ?? 0
    return {
      person: `p${person}`,
      [isKnows(i) ? 'friend' : 'followed']: `p${social.object[i]}`,
      weight: social.weight[i],
      age: social.age[person],
      city: `c${social.city[person]}`,
    }
  }
  return { schemaBody, path: `social/${stream}`, event, row: (i) => ({ _pk: timeOf(i), _seq: i, ...event(i) }) }
}
