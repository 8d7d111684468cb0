import { awaySince } from '../api/connection.ts'
import { formatClock } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'

/** While the service does not answer; screen readers say it when it comes and when it goes. */
export const Banner = () => (
  <div role="status">
    {awaySince.value && (
      <div class="banner">
        <Icon name="warning" />
        Weir does not answer since {formatClock(awaySince.value)}, trying again
      </div>
    )}
  </div>
)
