export type ProgressProps = {
  readonly label: string
  /** 0 to 1; absent where the rest is unknown. */
  readonly share?: number | undefined
  /** The name of the work, such as "12 of 40 MB". */
  readonly says?: string
}

export const Progress = ({ label, share, says }: ProgressProps) => (
  <div class="stack tight">
    <div class="row spread small">
      <span>{label}</span>
      <span class="soft">{says ?? (share === undefined ? '' : `${Math.floor(share * 100)} %`)}</span>
    </div>
    {share === undefined ? (
      <progress class="progress" aria-label={label} />
    ) : (
      <progress class="progress" aria-label={label} value={share} max={1} />
    )}
  </div>
)
