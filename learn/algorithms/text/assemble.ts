import { addOutputs } from '../../assemble.ts'
import { type ModelDescription, metadataOf } from '../../description.ts'
import { createGraph } from '../../onnx/graph.ts'
import type { TextClassesModel } from './classes/fit.ts'
import { addTextClassesGraph } from './classes/graph.ts'
import type { EntitiesModel } from './entities/fit.ts'
import { addEntitiesGraph } from './entities/graph.ts'

/** The facts that a training knows of itself; its `parameters` say how texts are hashed, and its one attribute is the text. */
export type TextDescription = Pick<
  ModelDescription,
  'algorithm' | 'attributes' | 'target' | 'separator' | 'parameters' | 'version'
>

/** So many texts are run at once: the graph of classes looks up all their features together. */
const batch = 64

/** One self-contained ONNX file, which `steps.ts` feeds. */
export function assembleTextClasses(model: TextClassesModel, known: TextDescription): Uint8Array {
  const graph = createGraph()
  const labels = [...model.labels]
  addOutputs(graph, addTextClassesGraph(graph, model), {
    ...known,
    weir: 1,
    task: 'classes',
    labels,
    outside: ['text classes'],
    batch,
  })
  return graph.bytes()
}

/** One self-contained ONNX file, which `steps.ts` feeds and whose outputs it reads. */
export function assembleEntities(model: EntitiesModel, known: TextDescription): Uint8Array {
  const graph = createGraph()
  addEntitiesGraph(graph, model)
  const labels = [...model.labels]
  const description: ModelDescription = { ...known, weir: 1, task: 'entities', labels, outside: ['entities'], batch }
  for (const [key, value] of metadataOf(description)) graph.metadata(key, value)
  return graph.bytes()
}
