import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { useFound } from '../../parts/find-field.tsx'
import { HelpLink } from '../../parts/help-link.tsx'
import { Icon } from '../../parts/icon.tsx'
import { pathOf } from '../../parts/paths.ts'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useInAddress } from '../../state/address.ts'
import { inZone } from '../../state/time-zone.ts'
import { HookForm } from './hook-form.tsx'
import { mayMakeHook } from './rights.ts'
import { schemeText } from './schemes.ts'

/** All that there may be. */
const maxHooks = 1000

/** The hooks, each with the sender whose signatures it knows. */
export function HookList() {
  const [isNew, setNew] = useInAddress('hook')
  const { value, refusal } = useAnswer((signal) => call('GET /hook', { query: { limit: maxHooks }, signal }), [], {
    every_ms: 5000,
  })
  const hooks = value?.hooks ?? []
  const { shown, field, none } = useFound('hook', hooks, ({ name, into }) => `${name} ${into}`)
  const button = mayMakeHook() && (
    <button type="button" class="button main" onClick={() => setNew('1')}>
      <Icon name="plus" />
      New hook
    </button>
  )
  return (
    <section class="card" aria-label="Webhooks">
      <header>
        <h2>Webhooks</h2>
        <p class="small soft grow">What others post by themselves, verified by their signature.</p>
        {hooks.length > 0 && button}
      </header>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && <Skeleton lines={3} />}
      {value && hooks.length === 0 && (
        <Empty title="No hook yet" icon="link">
          <p>
            A hook takes what GitHub, Stripe, Shopify, Slack and others send.{' '}
            <HelpLink to="doors#signed-webhooks">How hooks work</HelpLink>
          </p>
          {button}
        </Empty>
      )}
      {hooks.length > 0 && (
        <>
          {field}
          <Table label="Hooks" heads={['Hook', 'Into', 'Signed as', inZone('Changed')]}>
            {shown.map(({ name, into, verify, description, changed }) => (
              <tr key={name}>
                <th scope="row">
                  <a href={pathOf('doors', 'hooks', name)}>{name}</a>
                  {description !== undefined && <div class="small faint">{description}</div>}
                </th>
                <td class="mono">{into}</td>
                <td>{schemeText(verify.scheme)}</td>
                <td class="nowrap soft">{timeText(changed, 60)}</td>
              </tr>
            ))}
          </Table>
          {none}
        </>
      )}
      {isNew === '1' && mayMakeHook() && <HookForm onClose={() => setNew('')} />}
    </section>
  )
}
