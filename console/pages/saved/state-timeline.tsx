import { formatCount, formatDuration } from '../../parts/format.ts'
import { timeText } from '../../parts/time-text.ts'
import { zoneName } from '../../state/time-zone.ts'
import type { Segment, Track } from './timeline.ts'

type StateTimelineProps = {
  readonly tracks: readonly Track[]
  /** Microseconds since 1970. */
  readonly from: number
  readonly to: number
}

/** More alerts than a reader looks through. */
const maxTracks = 40

const legend = [
  ['pending', 'pending: it holds, not yet for long enough'],
  ['firing', 'firing'],
  ['resolved', 'resolved, shown for 15 minutes'],
] as const

/** A row for each alert, in which the time runs from left to right. */
export function StateTimeline({ tracks, from, to }: StateTimelineProps) {
  const percent = (at: number): string => `${(((at - from) / Math.max(1, to - from)) * 100).toFixed(3)}%`
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((part) => from + part * (to - from))
  return (
    <figure class="timeline" aria-label="States over time">
      <ul>
        {tracks.slice(0, maxTracks).map(({ id, subject, segments }) => (
          <li key={id}>
            <span class="timeline-name" title={subject}>
              {subject}
            </span>
            <span class="timeline-track" role="img" aria-label={`${subject}: ${segments.map(segmentText).join('; ')}`}>
              {segments.map((segment) => (
                <span
                  key={`${segment.state} ${segment.from}`}
                  class={`timeline-part ${segment.state}`}
                  style={{
                    left: percent(segment.from),
                    width: `calc(${percent(from + segment.to - segment.from)} + 1px)`,
                  }}
                  title={segmentText(segment)}
                />
              ))}
            </span>
          </li>
        ))}
      </ul>
      <div class="timeline-axis small faint number" aria-hidden="true">
        {ticks.map((tick) => (
          <span key={tick}>{timeText(tick, 60).slice(to - from > 2 * 86_400e6 ? 5 : 11)}</span>
        ))}
      </div>
      <figcaption class="small soft row">
        {legend.map(([state, text]) => (
          <span key={state} class="row timeline-legend">
            <span class={`timeline-mark ${state}`} />
            {text}
          </span>
        ))}
        <span>{zoneName()}</span>
        {tracks.length > maxTracks && <span>{formatCount(tracks.length - maxTracks)} more are left out.</span>}
      </figcaption>
    </figure>
  )
}

const segmentText = ({ state, from, to }: Segment): string =>
  `${state} from ${timeText(from, 1)} to ${timeText(to, 1)}, ${formatDuration((to - from) / 1e6)}`
