import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { useFound } from '../../parts/find-field.tsx'
import { formatCount } from '../../parts/format.ts'
import { HelpLink } from '../../parts/help-link.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { SourceState } from './source-state.tsx'

const maxSources = 1000

/** The topics of others, each with how far Weir is behind. */
export function SourceList() {
  const { value, refusal } = useAnswer((signal) => call('GET /source', { query: { limit: maxSources }, signal }), [], {
    every_ms: 3000,
  })
  const sources = value?.sources ?? []
  const { shown, field, none } = useFound(
    'source',
    sources,
    ({ name, into, kafka }) => `${name} ${into} ${kafka.topic}`,
  )
  return (
    <section class="card" aria-label="Kafka topics of others">
      <header>
        <h2>Kafka topics of others</h2>
        <p class="small soft grow">Read as their messages come, each once.</p>
      </header>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && <Skeleton lines={3} />}
      {value && sources.length === 0 && (
        <Empty title="No source yet" icon="streams">
          <p>
            <code>PUT /source/N</code> brings a topic of somebody else's Kafka to a stream: JSON, Avro, Protobuf,
            Debezium. <HelpLink to="sources">How sources work</HelpLink>
          </p>
        </Empty>
      )}
      {sources.length > 0 && (
        <>
          {field}
          <Table
            label="Sources"
            heads={[
              'Source',
              'Topic',
              'Into',
              'State',
              { number: 'Behind' },
              { number: 'Events' },
              { number: 'Refused' },
            ]}
          >
            {shown.map(({ name, description, kafka, into, state, lag, accepted, rejected }) => (
              <tr key={name}>
                <th scope="row">
                  <a href={pathOf('doors', 'sources', name)}>{name}</a>
                  {description !== undefined && <div class="small faint">{description}</div>}
                </th>
                <td class="mono">{kafka.topic}</td>
                <td class="mono">{into}</td>
                <td>
                  <SourceState state={state} />
                </td>
                <td class="number">{formatCount(lag)}</td>
                <td class="number">{formatCount(accepted)}</td>
                <td class="number">{formatCount(rejected)}</td>
              </tr>
            ))}
          </Table>
          {none}
        </>
      )}
    </section>
  )
}
