/** Line drawings on a field of 24, beside words that say the same: no reader needs them. */
const paths = {
  home: 'M4 11l8-7 8 7M6 9.5V20h4.5v-5.5h3V20H18V9.5',
  streams: 'M3 8c3-3 6-3 9 0s6 3 9 0M3 13c3-3 6-3 9 0s6 3 9 0M3 18c3-3 6-3 9 0s6 3 9 0',
  query: 'M5 6l5 6-5 6M12 18h7',
  saved: 'M6 4h12v16l-6-4.5L6 20z',
  graph:
    'M6 8.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM18 14a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM8 20.5a2.5 2.5 0 100-5 2.5 2.5 0 000 5zM8.3 7l7.4 3.5M6.4 8.5l1.2 7M10 17l6-4',
  models: 'M4 20V10M9.5 20V4M15 20v-7M20.5 20V8',
  tables: 'M4 5h16v14H4zM4 10h16M10 10v9',
  objects: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  notifications: 'M6 16V11a6 6 0 1112 0v5l1.5 2h-15zM10 20.5h4',
  clock: 'M12 7.5V12l3 2M12 20a8 8 0 100-16 8 8 0 000 16z',
  keys: 'M14.5 9.5a4.5 4.5 0 11-9 0 4.5 4.5 0 019 0zM13.2 12.7L20 19.5M17 16.5l2-2',
  changes: 'M12 8v4.5l3 2M4.5 12a7.5 7.5 0 102.3-5.4M4 4v4h4',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
  theme: 'M20 14.5A8.5 8.5 0 019.5 4a8.5 8.5 0 1010.5 10.5z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  enter: 'M10 4H5v16h5M20 12H9M13 8l-4 4 4 4',
  leave: 'M14 4h5v16h-5M4 12h11M11 8l4 4-4 4',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M4 20h16',
  upload: 'M12 16V5M7.5 9.5L12 5l4.5 4.5M4 20h16',
  play: 'M7 5l12 7-12 7z',
  pause: 'M8 5v14M16 5v14',
  search: 'M10.5 17a6.5 6.5 0 100-13 6.5 6.5 0 000 13zM15.5 15.5L20 20',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13',
  edit: 'M4 20l1-4L16 5l3 3L8 19z',
  again: 'M19.5 12a7.5 7.5 0 11-2.3-5.4M20 4v4h-4',
  down: 'M6 9.5l6 6 6-6',
  right: 'M9.5 6l6 6-6 6',
  left: 'M14.5 6l-6 6 6 6',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  link: 'M10 14l4-4M8.5 11l-3 3a3.5 3.5 0 005 5l3-3M15.5 13l3-3a3.5 3.5 0 00-5-5l-3 3',
  book: 'M5 4h10a4 4 0 014 4v12H9a4 4 0 01-4-4zM5 16a4 4 0 014-4h10',
} as const

export type IconName = keyof typeof paths

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  )
}
