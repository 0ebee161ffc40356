import type { PromptPreview as Preview } from '@waystation/protocol/session/prompt.ts'
import { useState } from 'react'
import { readDraft } from '#components/browser/drafts.ts'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import type { ComposerDraft } from '#components/session/store/composer-draft.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { inTokens } from '#components/session/wording/context-words.ts'
import { Button } from '#components/ui/button.tsx'
import { PromptBody } from './prompt-body.tsx'
import { PromptMessages } from './prompt-messages.tsx'
import { messagesIn } from './state-words.ts'

/** The prompt that the next step would send, with the text in the message field and the changes of plugins. */
export function PromptPreview({ close }: { close: () => void }) {
  const { sessionId, store } = useSessionContext()
  const draftText = () => readDraft<ComposerDraft>(sessionId, 'composer')?.text ?? ''
  const [text, setText] = useState(draftText)
  const query = useRead<Preview>({
    queryKey: ['prompt-preview', store.path, text],
    queryFn: () => store.client.call('previewPrompt', { path: store.path, body: { text } })
  })
  const problem = faultOf(query)
  const refresh = () => {
    const now = draftText()
    if (now === text) void query.refetch()
    else setText(now)
  }
  return (
    <div data-hook="prompt-preview" className="flex h-full flex-col">
      <div className="border-b px-4 py-2">
        <div className="flex items-center gap-2">
          <h2 className="min-w-0 flex-1 truncate font-semibold">Preview of the next prompt</h2>
          <Button data-hook="refresh-preview" tone="quiet" disabled={query.isFetching} onClick={refresh}>
            Refresh
          </Button>
          <Button data-hook="close-preview" onClick={close}>
            Close preview
          </Button>
        </div>
        <p className="mt-1 text-muted [overflow-wrap:anywhere]">
          {text.trim() === ''
            ? 'The message field is empty, so the preview ends with the conversation.'
            : 'The preview ends with the text in the message field.'}
        </p>
        {query.data === undefined ? null : (
          <p data-hook="preview-size" className="mt-1 text-muted tabular-nums">
            {query.data.model} · {messagesIn(query.data.messages.length)} · about{' '}
            {inTokens(query.data.estimated)}
          </p>
        )}
      </div>
      {problem !== undefined ? (
        <p role="alert" data-hook="preview-fault" className="px-4 py-3 text-fail">
          Couldn't preview the prompt. {problem}
        </p>
      ) : query.data === undefined ? (
        <p className="px-4 py-3 text-muted">Running the plugins…</p>
      ) : (
        <PromptBody prompt={query.data}>
          <PromptMessages prompt={{ ...query.data, same: 0 }} reveal={false} />
        </PromptBody>
      )}
    </div>
  )
}
