import { Icon } from './icon.tsx'

type CrumbsProps = { readonly steps: readonly (readonly [text: string, address?: string])[] }

/** Where a page stands, above its title. */
export const Crumbs = ({ steps }: CrumbsProps) => (
  <nav class="crumbs small" aria-label="Where this is">
    {steps.map(([text, address], place) => (
      <span key={text} class="crumb">
        {place > 0 && <Icon name="right" />}
        {address === undefined ? text : <a href={address}>{text}</a>}
      </span>
    ))}
  </nav>
)
