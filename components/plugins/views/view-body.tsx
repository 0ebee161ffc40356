'use client'
import type { RenderedView } from '@waystation/protocol/plugin/plugin-view.ts'
import { useRouter } from 'next/navigation'
import { client } from '#components/browser/client.ts'
import { Button } from '#components/ui/button.tsx'
import { Children } from './component.tsx'
import { ViewContext } from './view-context.ts'

type ViewBodyProps = { workspaceId: string; plugin: string; shown: RenderedView | { error: string } }

/** Shows the components of a view, or an error with a button to retry. */
export function ViewBody({ workspaceId, plugin, shown }: ViewBodyProps) {
  const router = useRouter()
  const again = () => router.refresh()
  const base = `${client.href('listViews', { path: { workspaceId } })}/${encodeURIComponent(plugin)}`
  if ('error' in shown)
    return (
      <div className="flex max-w-[68ch] flex-col items-start gap-3">
        <p role="alert" data-hook="view-error" className="text-fail [overflow-wrap:anywhere]">
          {shown.error}
        </p>
        <Button onClick={again} data-hook="retry">
          Try again
        </Button>
      </div>
    )
  if (shown.components.length === 0) return <p className="text-muted">This view is empty.</p>
  return (
    <ViewContext value={{ base, again }}>
      <div className="flex max-w-[960px] flex-col gap-6">
        <Children of={shown.components} />
      </div>
    </ViewContext>
  )
}
