import type { Wiki } from '@waystation/protocol/wiki/wiki.ts'
import { useRouter } from 'next/navigation'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { ConfirmButton } from '#components/ui/confirm-button.tsx'
import { Time } from '#components/ui/time.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Lists the wikis of the workspace. Editors can delete them. */
export function WikiList({ wikis }: { wikis: readonly Wiki[] }) {
  const { me } = useWorkspace()
  return (
    <Rows aria-label="Wikis" data-hook="wikis">
      {wikis.map(wiki => (
        <Row
          key={wiki.name}
          name={wiki.name}
          href={`/wikis/${wiki.name}`}
          about={
            <p data-hook="wiki-facts">
              {wiki.tiddlers} {wiki.tiddlers === 1 ? 'page' : 'pages'} · changed{' '}
              <Time at={wiki.changedAt} short />
            </p>
          }
          actions={
            <>
              {(['json', 'html'] as const).map(format => (
                <a
                  key={format}
                  href={client.href('exportWiki', { path: { wiki: wiki.name }, query: { format } })}
                  download
                  data-hook={`export-${format}`}
                  aria-label={`Export .${format} of ${wiki.name}`}
                  className="tap inline-flex items-center px-1"
                >
                  Export .{format}
                </a>
              ))}
              {me.mayEdit ? <DeleteWiki wiki={wiki} /> : null}
            </>
          }
        />
      ))}
    </Rows>
  )
}

/** Deletes a wiki, after a confirmation. */
function DeleteWiki({ wiki: { name, tiddlers } }: { wiki: Wiki }) {
  const router = useRouter()
  return (
    <ConfirmButton
      data-hook="delete-wiki"
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
