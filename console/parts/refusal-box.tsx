import type { ComponentChildren } from 'preact'
import type { Refusal } from '../api/client.ts'
import { Icon } from './icon.tsx'

export type RefusalBoxProps = {
  readonly refusal: Refusal | undefined
  /** The ways out. */
  readonly children?: ComponentChildren
}

const titles: Readonly<Record<number, string>> = {
  401: 'The service asks for a key',
  403: 'The key may not do this',
  404: 'It is not there',
  409: 'It stands in the way of something',
  413: 'It is too large',
  429: 'Too many requests',
  503: 'A part of the service is not there',
  504: 'It took too long',
}

/** The service's own sentences on why it refused; screen readers say them when they come. */
export function RefusalBox({ refusal, children }: RefusalBoxProps) {
  return (
    <div role="alert">
      {refusal && (
        <div class="notice bad">
          <Icon name="warning" />
          <div class="stack tight grow">
            <strong>{titles[refusal.status] ?? 'Refused'}</strong>
            {refusal.reasons.map((reason) => (
              <Reason key={reason} text={reason} />
            ))}
            {children}
          </div>
        </div>
      )}
    </div>
  )
}

/** Reasons of several lines have a caret below the place that they are about. */
const Reason = ({ text }: { readonly text: string }) => (text.includes('\n') ? <pre>{text}</pre> : <p>{text}</p>)
