/** Grey bars in the place of lines that are on their way. */
export const Skeleton = ({ lines = 3 }: { readonly lines?: number }) => (
  <div class="stack tight inside" aria-busy="true">
    <span class="visually-hidden">Loading</span>
    {Array.from({ length: lines }, (_, at) => (
      <span key={at} class="skeleton" style={{ width: `${92 - ((at * 23) % 45)}%` }} />
    ))}
  </div>
)
