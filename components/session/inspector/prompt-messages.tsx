import type { StoredPrompt } from '@waystation/protocol/session/prompt.ts'
import { useEffect, useRef, useState } from 'react'
import { plainText } from '#components/browser/plain-text.ts'
import { firstWords } from './first-words.ts'
import { Fold } from './fold.tsx'
import { MessageContent } from './message-content.tsx'
import { messagesIn } from './state-words.ts'

/**
 * The messages of a prompt, oldest first. Messages that the previous prompt also contains are collapsed, and
 * the others are marked as new. `reveal` scrolls to the first new message.
 */
export function PromptMessages({
  prompt,
  reveal
}: {
  prompt: Pick<StoredPrompt, 'messages' | 'same' | 'previous'>
  reveal: boolean
}) {
  const { messages, same, previous } = prompt
  const [unfolded, setUnfolded] = useState(false)
  const firstNew = useRef<HTMLLIElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: scroll only on the first render
  useEffect(() => {
    if (reveal) firstNew.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  const isFirst = previous === undefined
  const folded = isFirst || unfolded ? 0 : same
  return (
    <ol aria-label="Messages" data-hook="prompt-messages">
      {same === 0 ? null : (
        <li className="border-b">
          <button
            type="button"
            data-hook="show-same-messages"
            aria-expanded={unfolded}
            onClick={() => setUnfolded(!unfolded)}
            className="tap flex h-8 w-full items-center pr-4 pl-9 text-left text-muted outline-offset-[-2px] hover:bg-ground"
          >
            {`${messagesIn(same)} unchanged from the previous step`}
          </button>
        </li>
      )}
      {messages.slice(folded).map(({ role, content }, n) => {
        const at = folded + n
        return (
          <li key={at} ref={at === same ? firstNew : undefined}>
            <Fold
              name={role}
              mono
              part={role}
              note={plainText(firstWords(content))}
              fresh={!isFirst && at >= same}
              begin={!isFirst && at >= same}
              {...(!isFirst && at >= same && { end: 'new' })}
            >
              <MessageContent name={role} content={content} />
            </Fold>
          </li>
        )
      })}
      {!isFirst && same === messages.length ? (
        <li className="border-b py-2 pr-4 pl-9 text-muted">No new messages in this step.</li>
      ) : null}
    </ol>
  )
}
