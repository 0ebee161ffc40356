'use client'
import type { Wiki } from '@waystation/protocol/wiki/wiki.ts'
import { useRouter } from 'next/navigation'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Time } from '#components/ui/time.tsx'
import { Link } from '#components/workspace/link.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'
import { NewWiki } from './new-wiki.tsx'

/** Lists the wikis of the workspace. Editors can create and delete them. */
export function WikiList({ wikis }: { wikis: readonly Wiki[] }) {
  const { me } = useWorkspace()
  return (
    <div className="flex flex-col gap-8">
      {wikis.length === 0 ? (
        <p data-hook="no-wikis" className="max-w-[68ch]">
          A wiki is a TiddlyWiki that agents in this workspace can search and read.{' '}
          {me.mayEdit ? 'Create one below.' : 'Ask an editor or owner to create one.'}
        </p>
      ) : (
        <ul aria-label="Wikis" data-hook="wikis" className="border-t">
          {wikis.map(wiki => (
            <li
              key={wiki.name}
              className="relative isolate grid items-center gap-x-4 border-b py-3 before:absolute before:inset-y-0 before:-inset-x-3 before:-z-10 hover:before:bg-panel mid:grid-cols-[minmax(0,1fr)_auto]"
            >
              <div className="min-w-0">
                <Link
                  href={`/wikis/${wiki.name}`}
                  className="text-person font-semibold no-underline [overflow-wrap:anywhere] after:absolute after:inset-0"
                >
                  {wiki.name}
                </Link>
                <p data-hook="wiki-facts" className="text-muted">
                  {wiki.tiddlers} {wiki.tiddlers === 1 ? 'page' : 'pages'} · changed{' '}
                  <Time at={wiki.changedAt} short />
                </p>
              </div>
              <div className="relative z-10 flex flex-wrap items-center gap-x-4">
                {(['json', 'html'] as const).map(format => (
                  <a
                    key={format}
                    href={client.href('exportWiki', { path: { wiki: wiki.name }, query: { format } })}
                    download
                    data-hook={`export-${format}`}
                    aria-label={`Export .${format} of ${wiki.name}`}
                    className="tap inline-flex items-center"
                  >
                    Export .{format}
                  </a>
                ))}
                {me.mayEdit ? <DeleteWiki wiki={wiki} /> : null}
              </div>
            </li>
          ))}
        </ul>
      )}
      {me.mayEdit ? <NewWiki /> : null}
    </div>
  )
}

/** Deletes a wiki, after a confirmation. */
function DeleteWiki({ wiki: { name, tiddlers } }: { wiki: Wiki }) {
  const router = useRouter()
  return (
    <ConfirmButton
      data-hook="delete-wiki"
      tone="quiet"
      aria-label={`Delete ${name}…`}
      title={`Delete the wiki ${name}?`}
      description={`This permanently deletes the wiki and its ${tiddlers} ${tiddlers === 1 ? 'page' : 'pages'}. If you might need the wiki again, export it first.`}
      act="Delete wiki"
      onAct={async () => {
        const reply = await replyTo(client.call('deleteWiki', { path: { wiki: name } }))
        if (!reply.ok) return readError(reply)
        router.refresh()
      }}
    >
      Delete…
    </ConfirmButton>
  )
}
