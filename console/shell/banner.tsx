import { awaySince } from '../api/connection.ts'
import { Icon } from '../parts/icon.tsx'
import { clockText } from '../parts/time-text.ts'
import { zoneName } from '../state/time-zone.ts'

/** While the service does not answer; screen readers say it when it comes and when it goes. */
export const Banner = () => (
  <div role="status">
    {awaySince.value && (
      <div class="banner">
        <Icon name="warning" />
        Weir does not answer since {clockText(awaySince.value)} {zoneName()}, trying again
      </div>
    )}
  </div>
)
