import { Question } from '@waystation/protocol/call/question.ts'
import { useDraft } from '#components/browser/drafts.ts'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { GrowingText } from '#components/ui/text-area.tsx'
import { Buttons, Primary } from './buttons.tsx'
import { useDecline } from './decline.tsx'
import { GenericWidget } from './generic.tsx'
import { Options } from './options.tsx'
import type { WidgetProps } from './widget.ts'

type Draft = { chosen: string[]; text: string; reason: string }
const empty: Draft = { chosen: [], text: '', reason: '' }

/**
 * Shows a question of the agent (001-20). A click answers a single choice, which the user can undo. Several choices or
 * a text are sent with a button.
 */
export function QuestionWidget(props: WidgetProps) {
  const { call, answer } = props
  const { sessionId } = useSessionContext()
  const [draft, write] = useDraft(sessionId, `${call.toolCallId}:question`, empty)
  const decline = useDecline({
    draft,
    write,
    onDecline: given => answer({ declined: true, ...given })
  })
  const parsed = Question.safeParse(call.input)
  if (!parsed.success) return <GenericWidget {...props} />
  const { inputType, options = [], allowFreeform } = parsed.data
  if (decline.form !== undefined) return decline.form
  const multiple = inputType === 'multi-select'
  const words = draft.text.trim()
  const chosen = multiple ? [...draft.chosen, ...(words === '' ? [] : [words])] : words
  const writes = inputType === 'text' || allowFreeform || options.length === 0
  const label = inputType === 'text' || options.length === 0 ? 'Your answer' : 'Other answer…'
  // A click on a single choice already answers, so the button appears only for a text.
  const hasButton = multiple || (writes && (options.length === 0 || words !== ''))
  return (
    <div data-hook="ask-question-container" className="contents">
      {inputType === 'text' || options.length === 0 ? null : (
        <Options
          options={options}
          multiple={multiple}
          chosen={draft.chosen}
          onChoose={chosen =>
            multiple ? write({ chosen }) : answer({ output: { answer: chosen[0] } }, { undo: true })
          }
        />
      )}
      <Buttons>
        {writes ? (
          <GrowingText
            aria-label={label}
            placeholder={label}
            value={draft.text}
            onChange={event => write({ text: event.target.value })}
            rows={1}
            data-hook="ask-question-input"
            className="tap max-h-40 min-h-[30px] min-w-0 flex-1 rounded-sm border border-rail bg-ground px-2 py-[3px] text-person max-mid:basis-full max-mid:py-2.5"
          />
        ) : null}
        {hasButton ? (
          <Primary
            disabled={chosen.length === 0}
            onClick={() => answer({ output: { answer: chosen } })}
            data-hook="ask-question-submit"
          >
            Send answer
          </Primary>
        ) : null}
        {decline.button}
      </Buttons>
    </div>
  )
}
