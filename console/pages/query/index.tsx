import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { SelectField } from '../../parts/fields.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { ChangeDialog, HistoryButton, StatementCard } from '../../parts/statement-card.tsx'
import { useChangeAddress, useInAddress } from '../../state/address.ts'
import { newQuestionAddress } from '../saved/addresses.ts'
import { maySave } from '../saved/rights.ts'
import { holdsKey } from './asked.ts'
import { createCatalogue } from './catalogue.ts'
import { CopyDialog } from './copy-dialog.tsx'
import { type Example, findExamples } from './examples.ts'
import { remember } from './history.ts'
import { HistoryDialog } from './history-dialog.tsx'
import { Result } from './result.tsx'
import { runsByItself } from './runs-by-itself.ts'
import { suggestSql } from './suggest-sql.ts'
import { suggestWeir } from './suggest-weir.ts'
import { type Statement, useRun } from './use-run.ts'
import { isSelect } from './weir-rows.ts'

/** The statement of the address at which the document was opened, to which another site may have led. */
const openedWith = new URLSearchParams(location.search).get('q')

const usualDatabase = 'mydb'
/** The address follows the typing after a pause. */
const typing_ms = 500

export default function Query() {
  const [language, setLanguage] = useLanguage()
  const [database, setDatabase] = useInAddress('db', usualDatabase)
  const [asked] = useInAddress('q')
  const change = useChangeAddress()
  const [text, setText] = useState(asked)
  const [dialog, setDialog] = useState<'history' | 'copy' | 'change'>()
  const { run, ask, more, goLive, cancel } = useRun()
  const catalogue = useMemo(createCatalogue, [])
  const databases = useAnswer(() => catalogue.databases(), [])
  const examples = useAnswer(() => findExamples(catalogue), [])
  const latestDatabase = useRef(database)
  latestDatabase.current = database
  const suggest = useMemo(
    () => (language === 'sql' ? suggestSql(catalogue) : suggestWeir(catalogue, () => latestDatabase.current)),
    [language, catalogue],
  )

  const statement: Statement = { language, text, database }
  const isRunning = run.state === 'running'
  // A key stands in no address.
  const canSave = maySave() && text.trim() !== '' && !holdsKey(text) && (language === 'sql' || isSelect(text))
  const isLive = run.state === 'live' || run.state === 'lost'

  // An address that was shared or gone back to: what it asks is shown; what would change something waits for a hand.
  const written = useRef('')
  useEffect(() => {
    if (asked === written.current) return
    written.current = asked
    setText(asked)
    const cameFrom = asked === openedWith ? document.referrer : ''
    if (asked.trim() !== '' && runsByItself({ language, text: asked }, cameFrom, location.origin))
      void ask({ language, text: asked, database })
  }, [asked])
  useEffect(() => {
    if (text === written.current) return
    const timer = setTimeout(() => write(text, 'replace'), typing_ms)
    return () => clearTimeout(timer)
  }, [text])

  function write(value: string, how: 'replace' | 'push'): void {
    written.current = value
    // An address is kept by browsers, and shared.
    change({ q: holdsKey(value) ? undefined : value }, how)
  }

  function start(wanted: Statement = statement): void {
    if (wanted.text.trim() === '') return
    write(wanted.text, 'push')
    remember({ language: wanted.language, text: wanted.text, place: wanted.database, at_ms: Date.now() })
    void ask(wanted)
  }

  function onRun(): void {
    if (language === 'weir' && text.trim() !== '' && !isSelect(text)) setDialog('change')
    else start()
  }

  function choose(wanted: Pick<Statement, 'language' | 'text'> & { readonly database?: string }): void {
    setDialog(undefined)
    setText(wanted.text)
    written.current = wanted.text
    change(
      {
        q: holdsKey(wanted.text) ? undefined : wanted.text,
        lang: wanted.language === 'weir' ? undefined : wanted.language,
        db: wanted.database ?? database,
      },
      'push',
    )
    const chosen = { database, ...wanted }
    if (chosen.language === 'sql' || isSelect(chosen.text)) start(chosen)
  }

  return (
    <>
      <PageHead title="Query">
        <HistoryButton onClick={() => setDialog('history')} />
        <button type="button" class="button" disabled={text.trim() === ''} onClick={() => setDialog('copy')}>
          <Icon name="copy" />
          Copy as code
        </button>
        {canSave && (
          <>
            <a class="button" href={newQuestionAddress({ sql: text, language, database })}>
              <Icon name="saved" />
              Save this question
            </a>
            <a class="button" href={newQuestionAddress({ sql: text, language, database, alert: {} })}>
              <Icon name="notifications" />
              Make it an alert
            </a>
          </>
        )}
      </PageHead>
      <div class="stack">
        <StatementCard
          language={language}
          text={text}
          onInput={setText}
          onRun={onRun}
          onCancel={cancel}
          run={run}
          state={isRunning ? 'running' : isLive ? 'live' : undefined}
          suggest={suggest}
          help={language === 'sql' ? 'analysts' : 'streams#queries'}
          placeholder={language === 'sql' ? 'SELECT ...' : 'select * from schema.stream'}
          choices={
            <>
              {' '}
              <fieldset class="choices" aria-label="Language">
                {(['weir', 'sql'] as const).map((each) => (
                  <button
                    key={each}
                    type="button"
                    aria-pressed={language === each}
                    onClick={() => {
                      if (language !== each) setLanguage(each)
                    }}
                  >
                    {each === 'weir' ? "Weir's language" : 'SQL'}
                  </button>
                ))}
              </fieldset>
              {language === 'weir' && (
                <DatabaseChoice all={databases.value ?? []} chosen={database} onChoose={(name) => setDatabase(name)} />
              )}
            </>
          }
        >
          {' '}
          {language === 'weir' && (
            <button
              type="button"
              class="button"
              disabled={!isSelect(text)}
              title="Asks again whenever the answer changes"
              onClick={() => {
                write(text, 'push')
                void goLive(statement)
              }}
            >
              <Icon name="streams" />
              Live
            </button>
          )}
        </StatementCard>
        {run.shown && <Result shown={run.shown} state={run.state} onMore={(isAll) => void more(isAll)} />}
        {!run.shown && isRunning && (
          <div class="card">
            <Skeleton lines={6} />
          </div>
        )}
        {!run.shown && !isRunning && !run.refusal && (
          <Beginnings examples={examples.value} isLoading={examples.isAsking} onChoose={choose} />
        )}
      </div>
      {dialog === 'history' && (
        <HistoryDialog
          of={['weir', 'sql']}
          onClose={() => setDialog(undefined)}
          onChoose={({ language: of, text: chosen, place }) =>
            choose({ language: of === 'sql' ? 'sql' : 'weir', text: chosen, database: place })
          }
        />
      )}
      {dialog === 'copy' && <CopyDialog statement={statement} onClose={() => setDialog(undefined)} />}
      {dialog === 'change' && (
        <ChangeDialog
          title="This statement changes what is stored"
          text={text}
          onClose={() => setDialog(undefined)}
          onRun={() => start()}
        />
      )}
    </>
  )
}

function useLanguage(): readonly ['weir' | 'sql', (language: 'weir' | 'sql') => void] {
  const [language, setLanguage] = useInAddress('lang', 'weir')
  return [language === 'sql' ? 'sql' : 'weir', (wanted) => setLanguage(wanted)]
}

type DatabaseChoiceProps = {
  readonly all: readonly string[]
  readonly chosen: string
  readonly onChoose: (name: string) => void
}

/** The database of tables that are named without one: of interest where there is more than one. */
function DatabaseChoice({ all, chosen, onChoose }: DatabaseChoiceProps) {
  const names = [...new Set([...all, chosen, usualDatabase])].sort()
  if (names.length < 2) return null
  return (
    <div class="database-choice">
      <SelectField label="Database" value={chosen} options={names.map((name) => [name, name])} onInput={onChoose} />
    </div>
  )
}

type BeginningsProps = {
  readonly examples: readonly Example[] | undefined
  readonly isLoading: boolean
  readonly onChoose: (example: Example) => void
}

function Beginnings({ examples, isLoading, onChoose }: BeginningsProps) {
  if (isLoading && !examples) {
    return (
      <div class="card">
        <Skeleton />
      </div>
    )
  }
  if (!examples || examples.length === 0) {
    return (
      <div class="card">
        <Empty title="There is nothing to ask yet" icon="query">
          <p>
            Register a schema and send an event: <a href="/">Home</a> shows how.
          </p>
        </Empty>
      </div>
    )
  }
  return (
    <section class="card" aria-label="Statements to begin with">
      <header>
        <h2>Begin with</h2>
      </header>
      <ul class="beginnings">
        {examples.map((example) => (
          <li key={example.text}>
            <button type="button" onClick={() => onChoose(example)}>
              <strong>{example.says}</strong>
              <span class="mono soft">{example.text.replace(/\s+/g, ' ')}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
