import type { Wiki } from '@waystation/protocol/wiki/wiki.ts'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { client } from '#components/browser/client.ts'
import { readError } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'
import { useAction } from '#components/browser/use-action.ts'
import { IconButton } from '#components/ui/button.tsx'
import { ConfirmButtons } from '#components/ui/confirm.tsx'
import { Dialog } from '#components/ui/dialog.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { MoreIcon } from '#components/ui/icons.tsx'
import { Menu, MenuItem } from '#components/ui/menu.tsx'
import { Time } from '#components/ui/time.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { useWorkspace } from '#components/workspace/workspace-context.ts'

/** Lists the wikis of the workspace. */
export function WikiList({ wikis }: { wikis: readonly Wiki[] }) {
  return (
    <Rows aria-label="Wikis" data-hook="wikis">
      {wikis.map(wiki => (
        <Row
          key={wiki.name}
          name={wiki.name}
          href={`/wikis/${wiki.name}`}
          about={
            <p data-hook="wiki-facts">
              {pagesOf(wiki.tiddlers)} · changed <Time at={wiki.changedAt} short />
            </p>
          }
          actions={<WikiMenu wiki={wiki} />}
        />
      ))}
    </Rows>
  )
}

/** The actions of a wiki. Deleting it needs a confirmation. */
function WikiMenu({ wiki: { name, tiddlers } }: { wiki: Wiki }) {
  const { me } = useWorkspace()
  const router = useRouter()
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState('')
  const [remove] = useAction(async () => {
    const reply = await replyTo(client.call('deleteWiki', { path: { wiki: name } }))
    setFault(reply.ok ? '' : readError(reply))
    if (!reply.ok) return
    setAsked(false)
    router.refresh()
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton data-hook="wiki-menu" label={`More actions for ${name}`}>
            <MoreIcon />
          </IconButton>
        }
      >
        {(['json', 'html'] as const).map(format => (
          <MenuItem
            key={format}
            data-hook={`export-${format}`}
            onSelect={() =>
              window.location.assign(client.href('exportWiki', { path: { wiki: name }, query: { format } }))
            }
          >
            {`Export .${format}`}
          </MenuItem>
        ))}
        {me.mayEdit ? (
          <MenuItem danger data-hook="delete-wiki" onSelect={() => setAsked(true)}>
            Delete wiki…
          </MenuItem>
        ) : null}
      </Menu>
      <Dialog
        open={asked}
        onOpenChange={setAsked}
        title={`Delete the wiki ${name}?`}
        description={`This permanently deletes the wiki and its ${pagesOf(tiddlers)}. If you might need the wiki again, export it first.`}
      >
        <Fault>{fault}</Fault>
        <ConfirmButtons act="Delete wiki" onAct={() => void remove()} onKeep={() => setAsked(false)} />
      </Dialog>
    </>
  )
}

const pagesOf = (tiddlers: number) => `${tiddlers} ${tiddlers === 1 ? 'page' : 'pages'}`
