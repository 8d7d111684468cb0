import type { Calls } from '../../api/calls.ts'
import { formatCount } from '../../parts/format.ts'
import { Table } from '../../parts/table.tsx'

export type SchemasProps = { readonly schemas: Calls['GET /stream/list']['schemas'] }

const maxShown = 50

/** The schemas that the key sees. */
export const Schemas = ({ schemas }: SchemasProps) => (
  <section class="card" aria-labelledby="schemas">
    <header>
      <h2 id="schemas" class="grow">
        Schemas
      </h2>
      <a href="/console/streams">All streams</a>
    </header>
    <Table label="List of schemas" heads={['Name', { number: 'Streams' }, 'State']}>
      {schemas.slice(0, maxShown).map(({ name, num_streams, state }) => (
        <tr key={name}>
          <td>
            <a href={`/console/streams/${encodeURIComponent(name)}`}>{name}</a>
          </td>
          <td class="number">{formatCount(num_streams)}</td>
          <td>
            <span class={isOn(state) ? 'badge good' : 'badge'}>{isOn(state) ? 'on' : 'off'}</span>
          </td>
        </tr>
      ))}
    </Table>
    {schemas.length > maxShown && <p class="inside soft small">and {formatCount(schemas.length - maxShown)} more</p>}
  </section>
)

const isOn = (state: unknown): boolean => state === 1 || state === 'ON' || state === 'on'
