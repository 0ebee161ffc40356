import type { TiddlerPage, WikiWithTags } from '@waystation/protocol/wiki/wiki.ts'
import { client } from '#components/browser/client.ts'
import { useTiddlers } from '#components/browser/use-tiddlers.ts'
import { Button } from '#components/ui/button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Input } from '#components/ui/input.tsx'
import { Select } from '#components/ui/select.tsx'
import { Link } from '#components/workspace/link.tsx'

type TiddlerListProps = { wiki: WikiWithTags; first: TiddlerPage; shown: string | undefined }

/** Lists the pages of a wiki, filtered by text and tag. */
export function TiddlerList({ wiki, first, shown }: TiddlerListProps) {
  const { page, fault, search, setSearch, tag, setTag, more } = useTiddlers(client, wiki.name, first)
  return (
    <nav aria-label="Pages" data-hook="tiddlers" className="flex min-w-0 flex-col gap-2">
      <Input
        type="search"
        value={search}
        onChange={event => setSearch(event.target.value)}
        placeholder="Search this wiki"
        aria-label="Search this wiki"
        className="w-full"
      />
      {wiki.tags.length === 0 ? null : (
        <Select
          aria-label="Tag"
          value={tag}
          onChange={setTag}
          options={[
            { value: '', label: 'All tags' },
            ...wiki.tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${count})` }))
          ]}
          className="w-full"
        />
      )}
      <p role="status" data-hook="tiddler-count" className="text-muted tabular-nums">
        {page.total} {page.total === 1 ? 'page' : 'pages'}
      </p>
      <Fault>{fault}</Fault>
      <ul className="border-t empty:hidden">
        {page.tiddlers.map(({ title }) => (
          <li key={title} className="border-b">
            <Link
              href={`/wikis/${wiki.name}?tiddler=${encodeURIComponent(title)}`}
              aria-current={title === shown ? 'page' : undefined}
              prefetch={false}
              className="tap -mx-2 block rounded-sm px-2 py-1.5 no-underline outline-offset-[-2px] [overflow-wrap:anywhere] hover:bg-panel aria-[current]:bg-panel aria-[current]:font-semibold"
            >
              {title}
            </Link>
          </li>
        ))}
      </ul>
      {page.nextOffset === null ? null : (
        <Button data-hook="show-more" onClick={more}>
          Show more
        </Button>
      )}
    </nav>
  )
}
