import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { useFound } from '../../parts/find-field.tsx'
import { formatAgo } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { StateBadge } from './state-badge.tsx'
import { isUnderWay } from './states.ts'

const taskNames: Readonly<Record<string, string>> = {
  classes: 'classes',
  numbers: 'a number',
  clusters: 'clusters',
  entities: 'entities in texts',
}

export function ModelList() {
  const { value, refusal } = useAnswer((signal) => call('GET /ml', { signal }), [], { every_ms: 3000 })
  const models = value?.models ?? []
  const { shown, field, none } = useFound(
    'model',
    models,
    (each) => `${each['schema-name']} ${each.model_name} ${each.algo_type} ${each.target ?? ''}`,
  )
  const canTrain = may('train') && may('write')
  return (
    <>
      <PageHead
        title="Models"
        says="Trained on files and streams, published as ONNX files, and asked by HTTP or as events come in."
      >
        {canTrain && (
          <a class="button main" href="/console/models/new">
            <Icon name="plus" />
            New model
          </a>
        )}
      </PageHead>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && (
        <div class="card">
          <Skeleton lines={5} />
        </div>
      )}
      {value && models.length === 0 && (
        <div class="card">
          <Empty title="No model yet" icon="models">
            <p>Take a CSV that you have: its columns are recognised, and it is a model some seconds later.</p>
            {canTrain && (
              <a class="button main" href="/console/models/new">
                Train one from a CSV
              </a>
            )}
          </Empty>
        </div>
      )}
      {models.length > 0 && (
        <div class="card">
          {field}
          <Table
            label="Models"
            heads={['Model', 'Predicts', 'Algorithm', { number: 'Version' }, 'Latest training', 'Serves since']}
          >
            {shown.map((each) => {
              const { 'schema-name': schema, model_name: model, task, target, version, num_versions } = each
              return (
                <tr key={`${schema}:${model}`}>
                  <td>
                    <a href={pathOf('models', schema, model)}>
                      <strong>{model}</strong>
                    </a>
                    <div class="small faint">{schema}</div>
                  </td>
                  <td>
                    {target ?? (task === undefined ? '' : taskNames[task])}
                    {target !== undefined && task !== undefined && <div class="small faint">{taskNames[task]}</div>}
                  </td>
                  <td>{each.algo_type}</td>
                  <td class="number">
                    {version ?? '–'}
                    {num_versions > 1 && <span class="faint"> of {num_versions}</span>}
                  </td>
                  <td>
                    <StateBadge state={each.train_req_state} />
                    {isUnderWay(each.train_req_state) && <UnderWay schema={schema} model={model} />}
                  </td>
                  <td class="soft nowrap">{each.since === undefined ? '–' : formatAgo(each.since)}</td>
                </tr>
              )
            })}
          </Table>
          {none}
        </div>
      )}
    </>
  )
}

function UnderWay({ schema, model }: { readonly schema: string; readonly model: string }) {
  const { value } = useAnswer(
    (signal) => call('GET /ml/{schema}/{model}/status', { path: { schema, model }, signal }),
    [schema, model],
    { every_ms: 1000 },
  )
  if (!value) return null
  return <progress class="progress under-way" aria-label={`progress of ${model}`} value={value.progress} max={1} />
}
