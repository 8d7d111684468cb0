import type { StreamInfosAnswer } from '../../api/calls.ts'
import { formatAgo } from '../../parts/format.ts'
import { Progress } from '../../parts/progress.tsx'

type SchemaProgressProps = {
  readonly schema: string
  readonly info: StreamInfosAnswer | undefined
  /** Only of this stream, where it is given. */
  readonly stream?: string
}

/** How far an edit and rebuilds are, where some run or have failed. */
export function SchemaProgress({ schema, info, stream }: SchemaProgressProps) {
  const rebuilds = (info?.streams ?? []).flatMap(({ name, rebuild }) =>
    rebuild && (rebuild.state === 'running' || rebuild.state === 'failed') && (stream ?? name) === name
      ? [{ name, ...rebuild }]
      : [],
  )
  const edit = info?.edit
  if (!edit && rebuilds.length === 0) return null
  return (
    <div class="stack tight card inside" role="status">
      {edit && (
        <Progress
          label={`The edit of ${schema} fills what it adds from the events of before`}
          share={edit.done / Math.max(1, edit.total)}
          says={saysOf(edit)}
        />
      )}
      {rebuilds.map(({ name, ...rebuild }) =>
        rebuild.state === 'failed' ? (
          <p key={name} class="small">
            The last rebuild of {name} has failed; the log of the service says why. What was there still answers.
          </p>
        ) : (
          <Progress
            key={name}
            label={`Rebuild of ${name}`}
            share={rebuild.done / Math.max(1, rebuild.total)}
            says={saysOf(rebuild)}
          />
        ),
      )}
    </div>
  )
}

const saysOf = ({ done, total, since }: { readonly done: number; readonly total: number; readonly since?: number }) =>
  `${done} of ${total}${since === undefined ? '' : `, begun ${formatAgo(since)}`}`
