import { icon } from '#components/ui/icons.tsx'

/** A pictogram for each kind of service, with the words that its name or description contains. */
const kinds = [
  {
    words: /git|code|repositor/i,
    Icon: icon(<path d="M5.5 4.25 1.75 8l3.75 3.75M10.5 4.25 14.25 8l-3.75 3.75" />)
  },
  { words: /mail|outlook/i, Icon: icon(<path d="M2.25 3.75h11.5v8.5H2.25zM2.5 4.25 8 8.75l5.5-4.5" />) },
  {
    words: /calendar/i,
    Icon: icon(<path d="M2.75 3.75h10.5v9.5H2.75zM2.75 6.75h10.5M5.5 1.75v3M10.5 1.75v3" />)
  },
  {
    words: /slack|chat|discord|teams|messag/i,
    Icon: icon(<path d="M2.25 3.25h11.5v7.5h-6l-3.5 2.75v-2.75h-2zM5 6h6M5 8.25h4" />)
  },
  {
    words: /linear|jira|issue|ticket|task|track/i,
    Icon: icon(<path d="m2 4.25 1.25 1.25 2-2.25M2 10.75 3.25 12l2-2.25M7.75 4.5h6.5M7.75 11h6.5" />)
  },
  {
    words: /sql|database|postgres|redis|warehouse/i,
    Icon: icon(
      <path d="M2.75 4c0-2.4 10.5-2.4 10.5 0S2.75 6.4 2.75 4v8c0 2.4 10.5 2.4 10.5 0V4M2.75 8c0 2.4 10.5 2.4 10.5 0" />
    )
  },
  {
    words: /notion|page|docs|document|wiki|drive|files|dropbox/i,
    Icon: icon(<path d="M3.75 2.25h5.5l3 3v8.5h-8.5zM9 2.5v3h3M6 8.25h4M6 10.75h4" />)
  },
  {
    words: /cloud|aws|azure|deploy/i,
    Icon: icon(<path d="M4.5 12.25a2.75 2.75 0 0 1-.4-5.47 4 4 0 0 1 7.75.75 2.4 2.4 0 0 1-.35 4.72z" />)
  }
]
const OtherIcon = icon(<path d="M8 1.75 13.5 5v6L8 14.25 2.5 11V5zM2.75 5.25 8 8.25l5.25-3M8 8.25v5.75" />)

/** The kind of a service as a picture, by its name or else by its description. */
export function ServiceMark({ name, about = '' }: { name: string; about?: string | undefined }) {
  const { Icon } = kinds.find(({ words }) => words.test(name)) ??
    kinds.find(({ words }) => words.test(about)) ?? { Icon: OtherIcon }
  return (
    <span
      aria-hidden="true"
      className="flex size-9 shrink-0 items-center justify-center rounded-sm border bg-panel text-muted"
    >
      <Icon />
    </span>
  )
}
