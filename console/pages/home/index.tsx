import { call } from '../../api/client.ts'
import { isEverywhere, may } from '../../api/session.ts'
import { useAnswer } from '../../api/use-answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { PageHead } from '../../parts/page-head.tsx'
import { RefusalBox } from '../../parts/refusal-box.tsx'
import { Skeleton } from '../../parts/skeleton.tsx'
import { Backup } from './backup.tsx'
import { Figures } from './figures.tsx'
import { FirstSteps } from './first-steps.tsx'
import { Parts } from './parts.tsx'
import { Schemas } from './schemas.tsx'

const again_ms = 5000

/** A place to begin where nothing is there yet, else how the service does. */
export default function Home() {
  const { value, refusal } = useAnswer((signal) => readHome(signal), [may('read')], { every_ms: again_ms })
  return (
    <>
      <PageHead title="Home">
        {value?.about && (
          <span class="small faint">
            Weir {value.about.version}, {partsOf(value.about.parts)}
          </span>
        )}
      </PageHead>
      <RefusalBox refusal={refusal} />
      {!value && !refusal && <Skeleton lines={6} />}
      {value && <Shown schemas={value.list?.schemas} />}
    </>
  )
}

type List = Awaited<ReturnType<typeof readHome>>['list']

function Shown({ schemas }: { readonly schemas: NonNullable<List>['schemas'] | undefined }) {
  if (!schemas)
    return (
      <div class="card">
        <Empty title="This key reads nothing" icon="keys">
          <p>
            It may {may('write') || may('ingest') ? 'send events' : 'do other things'}; the pages need a key with the
            scope read.
          </p>
        </Empty>
      </div>
    )
  return (
    <div class="stack">
      <FirstSteps isEmpty={schemas.length === 0} />
      {isEverywhere() && <Figures />}
      <div class="two">
        {schemas.length > 0 && <Schemas schemas={schemas} />}
        <div class="stack">
          {isEverywhere() && <Parts />}
          {may('admin') && <Backup />}
        </div>
      </div>
    </div>
  )
}

async function readHome(signal: AbortSignal) {
  const [about, list] = await Promise.all([
    call('GET /', { signal }),
    may('read') ? call('GET /stream/list', { signal }) : undefined,
  ])
  return { about, list }
}

/** In words: `ClickHouse embedded, log embedded, …`. */
const partsOf = (parts: Readonly<Record<string, string>>): string =>
  Object.values(parts).every((each) => /embedded|folder|in process|all|off|required/.test(each))
    ? 'everything embedded'
    : ['clickhouse', 'log', 'buckets', 'orchestration'].map((name) => `${name}: ${parts[name] ?? ''}`).join(', ')
