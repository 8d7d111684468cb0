import { CopyButton } from './copy-button.tsx'

/** A text to be copied, such as a command. */
export const Code = ({ text }: { readonly text: string }) => (
  <div class="code">
    <pre>{text}</pre>
    <CopyButton text={text} />
  </div>
)
