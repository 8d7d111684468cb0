import type { ModelKey } from '../../activities/models/stores/training-record.ts'
import type { Config } from '../../infra/config.ts'
import { ids } from '../../workflows/ids.ts'

export type WorkflowConfig = Pick<Config, 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE' | 'TEMPORAL_UI_URL'>

/** How Temporal knows the training of a model, where Temporal runs it. */
export function createShownWorkflow(config: WorkflowConfig) {
  const { TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, TEMPORAL_UI_URL: ui } = config
  return (key: ModelKey) => {
    if (address === undefined) return {}
    const id = ids.trainModel(key)
    const path = `/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(id)}`
    return { workflow: { id, namespace, ...(ui !== undefined && { link: `${ui.replace(/(?<!\/)\/+$/, '')}${path}` }) } }
  }
}
