import type { StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import type { ReactNode } from 'react'
import { plainText } from '#components/browser/plain-text.ts'
import { count } from '#components/session/wording/context-words.ts'
import { Json } from '#components/ui/json.tsx'
import { Fold } from './fold.tsx'
import { MessageContent } from './message-content.tsx'
import { stateName, stateWords } from './state-words.ts'

type PromptBodyProps = {
  prompt: Pick<StoredPrompt, 'states' | 'instructions' | 'tools' | 'messages' | 'estimated'>
  /** The messages of the prompt. */
  children: ReactNode
}

/** A prompt in groups: its instructions, its tools, its messages, and how it was built. */
export function PromptBody({
  prompt: { states, instructions, tools, messages, estimated },
  children
}: PromptBodyProps) {
  const final = states.find(({ stage }) => stage === 'final')
  const inTools = estimated - (final?.tokens ?? estimated)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <Fold heading name="Instructions" part="instructions" note={plainText(instructions)}>
        <MessageContent name="Instructions" content={instructions} />
      </Fold>
      {tools.length === 0 ? null : (
        <Fold
          heading
          name="Tools"
          hook="prompt-tools"
          end={`${count(tools.length)}${inTools > 0 ? ` · about ${count(inTools)} tokens` : ''}`}
        >
          <ul aria-label="Tools">
            {tools.map(({ name, description = '', inputSchema }) => (
              <li key={name}>
                <Fold name={name} mono part={name} note={plainText(description)}>
                  <div className="flex flex-col gap-3 border-b pt-2 pr-4 pb-4 pl-9">
                    <p className="max-w-[68ch] whitespace-pre-wrap [overflow-wrap:anywhere]">{description}</p>
                    <Json label={`Input of ${name}`} value={inputSchema} />
                  </div>
                </Fold>
              </li>
            ))}
          </ul>
        </Fold>
      )}
      <Fold heading begin name="Messages" hook="prompt-messages-group" end={count(messages.length)}>
        {children}
      </Fold>
      <Fold
        heading
        name="How it was built"
        hook="prompt-built"
        // A plugin that took part is the reason to look here.
        begin={states.some(({ stage }) => stage === 'plugin')}
        end={`${count(states.length)} ${states.length === 1 ? 'stage' : 'stages'}`}
      >
        <ol
          data-hook="prompt-states"
          aria-label="How the prompt was built"
          className="px-5 pt-3 pb-4 tabular-nums"
        >
          {states.map((state, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the states of a prompt never change their order
            <li key={n} className="relative border-l border-l-rail pb-1 pl-4 last:pb-0">
              <span
                aria-hidden="true"
                className="absolute top-2 left-0 size-[7px] -translate-x-1/2 rounded-full border border-rail bg-panel data-[strong=true]:border-ink data-[strong=true]:bg-ink"
                data-strong={state.stage === 'final' || state.outcome === 'changed'}
              />
              <span className={state.stage === 'plugin' ? 'font-mono text-mono' : ''}>
                {stateName(state)}
              </span>{' '}
              <span className={state.outcome === 'failed' ? 'text-fail' : 'text-muted'}>
                {stateWords(state, states[n - 1])}
              </span>
            </li>
          ))}
        </ol>
        <p data-hook="states-about" className="border-b px-4 pb-3 text-muted">
          These sizes are estimates without the tools.
        </p>
      </Fold>
    </div>
  )
}
