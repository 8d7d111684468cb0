/** The colours of several lines or areas; one needs none. */
export const Legend = ({ labels }: { readonly labels: readonly string[] }) =>
  labels.length < 2 ? null : (
    <ul class="legend small">
      {labels.map((label, place) => (
        <li key={label} class={`curve-${(place % 8) + 1}`}>
          <span class="swatch" aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  )
