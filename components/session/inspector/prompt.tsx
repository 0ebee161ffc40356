import type { StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { type KeyboardEvent, type ReactNode, useMemo, useRef, useState } from 'react'
import { exactOrClock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { inTokens } from '#components/session/wording/context-words.ts'
import { Button } from '#components/ui/button.tsx'
import { CopyButton } from '#components/ui/copy-button.tsx'
import { PromptBody } from './prompt-body.tsx'
import { PromptMessages } from './prompt-messages.tsx'
import { PromptPreview } from './prompt-preview.tsx'
import { useStepName } from './trace/use-trace.ts'
import { useStoredPrompt } from './use-stored-prompt.ts'

/**
 * The stored prompt of a step: how it was built, and its complete content. Shows the newest prompt unless the
 * URL names another one.
 */
export function PromptTab({ promptId }: { promptId: number | undefined }) {
  const { go, me } = useSessionContext()
  const { prompt, problem } = useStoredPrompt(promptId)
  const [previewing, setPreviewing] = useState(false)
  if (previewing) return <PromptPreview close={() => setPreviewing(false)} />
  const preview =
    me.may?.send === false ? null : (
      <Button data-hook="preview-prompt" tone="quiet" onClick={() => setPreviewing(true)}>
        Preview next prompt
      </Button>
    )
  if (problem !== undefined)
    return (
      <p data-hook="prompt-fault" className="px-4 py-3 text-fail">
        Couldn't load the prompt. {problem}{' '}
        {promptId === undefined ? null : (
          <Button tone="quiet" onClick={() => go({ inspect: 'prompt' })}>
            Show newest
          </Button>
        )}
      </p>
    )
  if (prompt === undefined) return <p className="px-4 py-3 text-muted">Loading…</p>
  if (prompt === null)
    return (
      <div className="px-4 py-3">
        <p data-hook="no-prompt" className="text-muted">
          No stored prompts yet. They appear after the first step.
        </p>
        {preview}
      </div>
    )
  return <Prompt prompt={prompt} preview={preview} />
}

function Prompt({ prompt, preview }: { prompt: StoredPrompt; preview: ReactNode }) {
  const { go } = useSessionContext()
  const now = useNow()
  const stepped = useRef(false)
  const { round, turnId, at, previous, next, tokens, cacheRead, error } = prompt
  const step = useStepName(prompt.promptId) ?? `Step ${round}`
  const text = useMemo(() => JSON.stringify(prompt, null, 2), [prompt])
  const stepTo = (to: number | undefined) => {
    if (to === undefined) return
    stepped.current = true
    go({ inspect: 'prompt', prompt: to })
  }
  const steps = [
    { hook: 'previous-prompt', label: 'Previous step', glyph: '←', to: previous },
    { hook: 'next-prompt', label: 'Next step', glyph: '→', to: next }
  ]
  const counted =
    error === undefined
      ? `counted by the provider with tools${cacheRead === 0 ? '' : `, ${inTokens(cacheRead)} from its cache`}`
      : 'estimated'
  const onKeyDown = (event: KeyboardEvent) => {
    // In a scroll box, the arrow keys scroll.
    const scrolls = event.target instanceof Element && event.target.closest('section[tabindex]') !== null
    const to = event.key === 'ArrowLeft' ? previous : event.key === 'ArrowRight' ? next : undefined
    if (to === undefined || scrolls || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    stepTo(to)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys work anywhere in the tab
    <div onKeyDown={onKeyDown} className="flex h-full flex-col">
      <div className="flex flex-col gap-2 border-b px-4 py-3">
        <div className="flex items-center gap-2">
          {steps.map(({ hook, label, glyph, to }) => (
            <Button
              key={hook}
              data-hook={hook}
              aria-label={label}
              title={label}
              // Not `disabled`, so that the button does not lose the focus.
              aria-disabled={to === undefined}
              onClick={() => stepTo(to)}
              className="aria-disabled:border-line aria-disabled:text-muted"
            >
              {glyph}
            </Button>
          ))}
          <h2
            data-hook="prompt-round"
            data-prompt={prompt.promptId}
            className="ml-1 min-w-0 flex-1 truncate font-semibold"
            title={turnId}
            aria-live="polite"
          >
            {step}
            {now === undefined ? null : (
              <span className="max-mid:hidden">{` · ${exactOrClock(at, now)}`}</span>
            )}
          </h2>
          <p data-hook="prompt-size" className="shrink-0 tabular-nums" title={counted}>
            {error === undefined ? inTokens(tokens) : `about ${inTokens(prompt.estimated)}`}
            <span className="sr-only">, {counted}</span>
          </p>
        </div>
        <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
          {preview}
          <CopyButton data-hook="copy-prompt" label="Copy as JSON" text={text} />
          {next === undefined ? null : (
            <Button data-hook="newest-prompt" tone="quiet" onClick={() => go({ inspect: 'prompt' })}>
              Show newest
            </Button>
          )}
        </div>
        {error === undefined ? null : (
          <p data-hook="prompt-error" className="text-fail [overflow-wrap:anywhere]">
            This step failed. {error.message}
          </p>
        )}
      </div>
      <PromptBody prompt={prompt}>
        <PromptMessages key={prompt.promptId} prompt={prompt} reveal={stepped.current} />
      </PromptBody>
    </div>
  )
}
