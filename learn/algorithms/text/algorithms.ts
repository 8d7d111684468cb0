import type { TextAlgorithm } from '../algorithm.ts'
import { entitiesParameters, textClassesParameters, textParameters } from './parameters.ts'

export const texts: readonly TextAlgorithm[] = [
  {
    name: 'IE',
    description: 'learns from texts: entities where the rows have a list of them, else a label a text',
    parameters: textParameters,
    learnsFrom: 'texts',
  },
  {
    name: 'IE_SENT',
    description: 'a label for a text',
    parameters: textClassesParameters,
    learnsFrom: 'texts',
    kind: 'classes',
  },
  {
    name: 'IE_NER',
    description: 'the named entities of a text, with their offsets',
    parameters: entitiesParameters,
    learnsFrom: 'texts',
    kind: 'entities',
  },
]
