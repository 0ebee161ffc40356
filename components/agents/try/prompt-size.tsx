import { useState } from 'react'
import type { EditedDraft } from '#components/agents/draft/use-agent-draft.ts'
import { client } from '#components/browser/client.ts'
import { faultOf, useRead } from '#components/browser/queries.tsx'
import { useEffectOnChange } from '#components/browser/use-effect-on-change.ts'
import { inTokens } from '#components/session/wording/context-words.ts'
import { ScrollBox } from '#components/ui/scroll-box.tsx'
import type { Trial } from './use-trial.ts'

/**
 * The size of the prompt that the draft makes, before any message, beside the label of the instructions. When it is open,
 * it shows the system prompt and the tools below them, and follows each saved change.
 */
export function PromptSize({ trial, draft }: { trial: Trial; draft: EditedDraft }) {
  const { sessionId, exists, pinned } = trial
  const [open, setOpen] = useState(false)
  const version = draft.draft?.version
  useEffectOnChange([open, version], () => void (open && trial.prepare()))
  const query = useRead({
    queryKey: ['draft-prompt', sessionId, pinned],
    queryFn: () => client.call('previewPrompt', { path: { sessionId: sessionId ?? '' }, body: { text: '' } }),
    enabled: exists
  })
  const prompt = query.data
  const problem = faultOf(query)
  if (sessionId === undefined) return null
  return (
    <details
      data-hook="prompt-size"
      className="text-muted"
      onToggle={event => setOpen(event.currentTarget.open)}
    >
      <summary className="reach absolute! top-0 right-0 tabular-nums">
        {prompt === undefined ? 'Prompt' : `Prompt ${inTokens(prompt.estimated)}`}
      </summary>
      {problem === undefined ? null : <p className="text-fail">{problem}</p>}
      {!open || prompt === undefined ? null : (
        <div className="flex flex-col gap-3 pt-2">
          <ScrollBox label="System prompt" className="max-h-80">
            <pre className="p-2 font-mono text-mono whitespace-pre-wrap [overflow-wrap:anywhere]">
              {String(prompt.instructions)}
            </pre>
          </ScrollBox>
          <ul aria-label="Tools in the prompt" className="border-t">
            {prompt.tools.map(tool => (
              <li key={tool.name} className="border-b py-1">
                <details>
                  <summary className="cursor-pointer font-mono text-mono text-ink">{tool.name}</summary>
                  <p className="max-w-[68ch] py-1 whitespace-pre-wrap">{tool.description}</p>
                </details>
              </li>
            ))}
          </ul>
        </div>
      )}
    </details>
  )
}
