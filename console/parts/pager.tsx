import { Icon } from './icon.tsx'

type PagerProps = {
  /** The name of the pages' content, such as "records". */
  readonly things: string
  readonly isFirst: boolean
  readonly onFirst: () => void
  /** Absent on the last page. */
  readonly onNext?: (() => void) | undefined
}

/** Pages behind each other: the browser's own Back leads to the one before. */
export const Pager = ({ things, isFirst, onFirst, onNext }: PagerProps) =>
  isFirst && onNext === undefined ? null : (
    <nav class="pager" aria-label={`Pages of ${things}`}>
      <button type="button" class="button small" disabled={isFirst} onClick={onFirst}>
        First page
      </button>
      <button type="button" class="button small" disabled={isFirst} onClick={() => history.back()}>
        <Icon name="left" />
        Back
      </button>
      <button type="button" class="button small" disabled={onNext === undefined} onClick={onNext}>
        Next
        <Icon name="right" />
      </button>
    </nav>
  )
