import { call } from '../../api/client.ts'
import { may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { TextField } from '../../parts/fields.tsx'
import { formatAgo } from '../../parts/format.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Scrolls } from '../../parts/scrolls.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { useInAddress } from '../../state/address.ts'
import { modelPath } from './paths.ts'
import { StateBadge } from './state-badge.tsx'
import { isUnderWay } from './states.ts'

const taskNames: Readonly<Record<string, string>> = {
  classes: 'classes',
  numbers: 'a number',
  clusters: 'clusters',
  entities: 'entities in texts',
}

export function ModelList() {
  const [filter, setFilter] = useInAddress('q')
  const { value, refusal } = useAnswer((signal) => call('GET /ml', { signal }), [], { every_ms: 3000 })
  const models = value?.models ?? []
  const wanted = filter.trim().toLowerCase()
  const shown = models.filter((each) =>
    `${each['schema-name']} ${each.model_name} ${each.algo_type} ${each.target ?? ''}`.toLowerCase().includes(wanted),
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
          {models.length > 8 && (
            <header>
              <div class="grow">
                <TextField label="Find a model" type="search" value={filter} onInput={setFilter} />
              </div>
            </header>
          )}
          <Scrolls label="Models">
            <table class="table">
              <caption class="visually-hidden">Models</caption>
              <thead>
                <tr>
                  <th scope="col">Model</th>
                  <th scope="col">Predicts</th>
                  <th scope="col">Algorithm</th>
                  <th scope="col" class="number">
                    Version
                  </th>
                  <th scope="col">Latest training</th>
                  <th scope="col">Serves since</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((each) => {
                  const { 'schema-name': schema, model_name: model, task, target, version, num_versions } = each
                  return (
                    <tr key={`${schema}:${model}`}>
                      <td>
                        <a href={modelPath(schema, model)}>
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
              </tbody>
            </table>
          </Scrolls>
          {shown.length === 0 && <Empty title={`No model is called like “${filter}”`} />}
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
