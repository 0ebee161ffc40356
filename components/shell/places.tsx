import { icon } from '#components/ui/icons.tsx'

export type Place = {
  href: string
  label: string
  /** The keys that lead to the page. */
  keys: string
  Icon: () => React.ReactNode
  /** The paths of other pages that belong to it. */
  also?: readonly string[]
  /** Pages below its path do not belong to it. */
  exact?: boolean
}

/** The main pages, in the order of the navigation. */
export const places: readonly Place[] = [
  {
    href: '/waiting',
    label: 'Waiting',
    keys: 'g w',
    Icon: icon(<path d="M8 1v2M8 13v2M8 3.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9" />)
  },
  {
    href: '/sessions',
    label: 'Sessions',
    keys: 'g s',
    Icon: icon(<path d="M2.75 3.25h10.5v7.5h-6l-3 2.5v-2.5h-1.5z" />),
    exact: true
  },
  {
    href: '/agents',
    label: 'Agents',
    keys: 'g a',
    Icon: icon(<path d="M2.75 5.25h10.5v8H2.75zM8 5V2.5M6 8.25v2M10 8.25v2" />),
    // The catalog is outside of the agents' path, because an agent's ID can be "catalogue".
    also: ['/catalogue']
  },
  {
    href: '/connections',
    label: 'Connections',
    keys: 'g c',
    Icon: icon(<path d="M5.75 4.5V2M10.25 4.5V2M3.75 4.75h8.5v2.5a4.25 4.25 0 0 1-8.5 0zM8 11.5V14" />)
  },
  {
    href: '/wikis',
    label: 'Wikis',
    keys: 'g i',
    Icon: icon(<path d="M3.25 2.75h8a1.5 1.5 0 0 1 1.5 1.5v9h-8a1.5 1.5 0 0 1-1.5-1.5zM3.5 11h9M6 5.75h4" />)
  },
  {
    href: '/activity',
    label: 'Activity',
    keys: 'g y',
    Icon: icon(<path d="M1.5 8.25h3l2-5 3 9.5 2-4.5h3" />)
  }
]

export const settings: Place = {
  href: '/settings',
  label: 'Settings',
  keys: 'g ,',
  Icon: icon(
    <path d="M2 4.75h5M11 4.75h3M2 11.25h3M9 11.25h5M9 3a1.75 1.75 0 1 0 0 3.5A1.75 1.75 0 0 0 9 3M7 9.5a1.75 1.75 0 1 0 0 3.5 1.75 1.75 0 0 0 0-3.5" />
  ),
  also: ['/plugins']
}

/** Tells whether a path belongs to a place. */
export const isAt = (path: string, { href, also = [], exact }: Place): boolean =>
  [href, ...also].some(base => path === base || (!exact && path.startsWith(`${base}/`)))
