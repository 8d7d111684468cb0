import { type Parameter, withDefaults } from '../../parameters.ts'
import { classWeightParameter } from '../class-weights.ts'

/** Further passes over entities learn the names of the texts by heart, and texts with other names are then tagged worse. */
export const usualEps = { ofClasses: 0.01, ofEntities: 0.1 } as const

const shared: readonly Parameter[] = [
  {
    name: 'hash_bits',
    type: 'integer',
    default: 18,
    min: 8,
    max: 22,
    description:
      'Features are hashed into 2^hash_bits buckets; one that is seen takes 4 bytes a class, or 16 bytes an entity label',
  },
  {
    name: 'min_count',
    type: 'integer',
    default: 1,
    min: 1,
    max: 1_000_000,
    description: 'Features that fewer training texts hold (entities: that occur at fewer tokens) are left out',
  },
  {
    name: 'eps',
    aliases: ['termination_criteria'],
    type: 'number',
    min: 1e-9,
    max: 1,
    description:
      "Classes: the tolerance of the solver's stopping rule (LIBLINEAR's solver 7), without it 0.01; entities: training ends once a pass lowers the loss by less than this share of it, without it 0.1",
  },
  {
    name: 'seed',
    type: 'integer',
    default: 1,
    description: 'Where the order of the texts begins; the same seed gives the same model',
  },
]

const ofClasses: readonly Parameter[] = [
  {
    name: 'word_ngrams',
    type: 'integer',
    default: 2,
    min: 1,
    max: 5,
    description: 'Classes: features are single words and runs of up to so many words',
  },
  {
    name: 'char_ngrams',
    type: 'integer',
    default: 5,
    min: 0,
    max: 8,
    description:
      'Classes: features are also runs of 3 to so many characters of a word, a blank at its ends; less than 3 for none',
  },
  {
    name: 'C',
    aliases: ['c', 'cost'],
    type: 'number',
    default: 10,
    min: 1e-6,
    max: 1e6,
    description: 'Classes: the cost of an error against the size of the weights',
  },
  {
    ...classWeightParameter,
    description:
      'Classes: balanced: all classes cost the same, however few their texts; probabilities stay those of the data as they are',
  },
]

const ofEntities: readonly Parameter[] = [
  {
    name: 'max_iter',
    aliases: ['epochs'],
    type: 'integer',
    default: 40,
    min: 1,
    max: 10_000,
    description: 'Entities: the most passes over the training texts',
  },
  {
    name: 'rate',
    type: 'number',
    default: 0.1,
    min: 1e-6,
    max: 10,
    description: 'Entities: the first step of gradient descent (AdaGrad); later ones get smaller by themselves',
  },
  {
    name: 'l2',
    type: 'number',
    default: 0.001,
    min: 0,
    max: 1,
    description: 'Entities: how strongly each step draws the weights it touches towards 0',
  },
]

/** IE_SENT. */
export const textClassesParameters: readonly Parameter[] = withDefaults([...ofClasses, ...shared], {
  eps: usualEps.ofClasses,
})

/** IE_NER. */
export const entitiesParameters: readonly Parameter[] = withDefaults([...ofEntities, ...shared], {
  eps: usualEps.ofEntities,
})

/** Plain IE, whose kind only the data decide: parameters of the other kind are without effect. */
export const textParameters: readonly Parameter[] = [...ofClasses, ...ofEntities, ...shared]
