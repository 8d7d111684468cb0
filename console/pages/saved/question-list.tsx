import { call } from '../../api/client.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { useFound } from '../../parts/find-field.tsx'
import { formatAgo } from '../../parts/format.ts'
import { HelpLink } from '../../parts/help-link.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Pager } from '../../parts/pager.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Table } from '../../parts/table.tsx'
import { timeText } from '../../parts/time-text.ts'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { inZone } from '../../state/time-zone.ts'
import { savedAddress } from './addresses.ts'
import { maySave } from './rights.ts'
import { StateBadge } from './state-badge.tsx'

const shownAtOnce = 1000

const shownLanguages = { sql: 'SQL', weir: "Weir's" } as const

/** All saved questions, with how their alerts stand and when they are due. */
export function QuestionList() {
  const [at] = useInAddress('at')
  const change = useChangeAddress()
  const { value, refusal } = useAnswer(
    (signal) => call('GET /saved', { query: { details: 1, limit: shownAtOnce, cursor: at }, signal }),
    [at],
    { every_ms: 5000 },
  )
  const all = value?.saved ?? []
  const { shown, field, none } = useFound('question', all, ({ name, description = '' }) => `${name} ${description}`)
  const button = maySave() && (
    <a class="button main" href="/console/saved?new=1">
      <Icon name="plus" />
      New question
    </a>
  )
  return (
    <>
      <PageHead
        title="Saved questions"
        says="Questions with a name: an address for a page or a program, an alert, a mail on Mondays."
      >
        {all.length > 0 && button}
      </PageHead>
      <RefusalBox refusal={refusal} />
      <div class="card">
        {field}
        {!value && !refusal && <Skeleton lines={5} />}
        {value && all.length === 0 && at === '' && (
          <Empty title="No question is saved yet" icon="saved">
            <p>
              Write one here, or save one that you have asked on the page of <a href="/console/query">Query</a>.{' '}
              <HelpLink to="saved">What a saved question does</HelpLink>
            </p>
            {button}
          </Empty>
        )}
        {all.length > 0 && none}
        {shown.length > 0 && (
          <Table
            label="Saved questions"
            heads={['Question', 'Language', { number: 'Version' }, inZone('Changed'), 'Alert', inZone('Next due')]}
          >
            {shown.map(({ name, description, language, version, changed, watch, state, next_due }) => (
              <tr key={name}>
                <th scope="row">
                  <a href={savedAddress(name)}>{name}</a>
                  {description !== undefined && <div class="small faint">{description}</div>}
                </th>
                <td>{language && shownLanguages[language]}</td>
                <td class="number">{version}</td>
                <td class="nowrap soft">{changed !== undefined && timeText(changed, 60)}</td>
                <td>{watch ? <StateBadge state={state} /> : <span class="faint">none</span>}</td>
                <td class="nowrap soft">
                  {next_due === undefined ? (
                    <span class="faint">no schedule</span>
                  ) : (
                    <span title={formatAgo(next_due)}>{timeText(next_due, 60)}</span>
                  )}
                </td>
              </tr>
            ))}
          </Table>
        )}
        {value && (at !== '' || value.cursor !== undefined) && (
          <Pager
            things="questions"
            isFirst={at === ''}
            onFirst={() => change({ at: undefined })}
            onNext={value.cursor === undefined ? undefined : () => change({ at: value.cursor }, 'push')}
          />
        )}
      </div>
    </>
  )
}
