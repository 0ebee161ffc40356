/** The SVG paths of known icons. */
const paths: Record<string, string> = {
  chat: 'M2.75 3.25h10.5v7.5h-6l-3 2.5v-2.5h-1.5z',
  calendar: 'M2.75 4.25h10.5v9H2.75zM2.75 7h10.5M5.5 2.5v3M10.5 2.5v3',
  terminal: 'M2.75 3.25h10.5v9.5H2.75zM5 6l2 2-2 2M8.5 10H11',
  sparkles: 'M7 2.5 8.2 6 11.5 7.2 8.2 8.4 7 12 5.8 8.4 2.5 7.2 5.8 6zM12 10.5v3M10.5 12h3'
}

/**
 * Shows the icon of a plugin or view, or nothing for an unknown name. It is decorative, because a name
 * follows.
 */
export function ViewIcon({ name }: { name: string }) {
  const path = Object.hasOwn(paths, name) ? paths[name] : undefined
  if (path === undefined) return null
  return (
    <svg
      viewBox="0 0 16 16"
      width="16"
      height="16"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.25"
    >
      <path d={path} />
    </svg>
  )
}
