import { type ElicitHint, elicitHintOf } from '@waystation/protocol/call/elicitation.ts'
import { type FormEvent, useId, useState } from 'react'
import { useDraft } from '#components/browser/drafts.ts'
import { answerTo } from '#components/session/store/outbox.ts'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import { Buttons, Primary } from './buttons.tsx'
import { useDecline } from './decline.tsx'
import { ElicitFieldView } from './elicit-field.tsx'
import { type Filled, fieldsOf, filledIn } from './elicit-fields.ts'
import { GenericWidget } from './generic.tsx'
import type { WidgetProps } from './widget.ts'

type Draft = { filled: Filled; reason: string }
const empty: Draft = { filled: {}, reason: '' }

/** Shows a form of an MCP server that waits for the answer during a call (001-19). */
export function ElicitWidget(props: WidgetProps) {
  const hint = elicitHintOf(props.call)
  return hint === undefined ? <GenericWidget {...props} /> : <Asked {...props} hint={hint} />
}

function Asked({ call, answer, hint }: WidgetProps & { hint: ElicitHint }) {
  const { sessionId } = useSessionContext()
  const refused = useSessionState(state => answerTo(state.pending, call)?.refusal?.fields)
  const [draft, write] = useDraft(sessionId, `${call.toolCallId}:${hint.question}`, empty)
  const [faults, setFaults] = useState<Record<string, string>>({})
  const decline = useDecline({
    draft,
    write,
    onDecline: given => answer({ declined: true, question: hint.question, ...given })
  })
  const id = useId()
  const fields = fieldsOf(hint)
  if (decline.form !== undefined) return decline.form
  const send = (event: FormEvent) => {
    event.preventDefault()
    const said = filledIn(fields, draft.filled)
    if ('output' in said) {
      setFaults({})
      return answer({ output: said.output, question: hint.question })
    }
    setFaults(said.faults)
    const [first] = Object.keys(said.faults)
    document.getElementById(`${id}-${fields.findIndex(({ name }) => name === first)}`)?.focus()
  }
  return (
    <form noValidate onSubmit={send} data-hook="elicitation" className="flex min-w-0 flex-col gap-3">
      <p className="text-muted">Your answers go to {hint.service}, which must not ask for passwords.</p>
      {fields.map((field, at) => (
        <ElicitFieldView
          key={field.name}
          id={`${id}-${at}`}
          field={field}
          value={draft.filled[field.name] ?? field.start}
          fault={faults[field.name] ?? refused?.[field.name]}
          onChange={value => write({ filled: { ...draft.filled, [field.name]: value } })}
        />
      ))}
      <Buttons>
        <Primary data-hook="send-answer" type="submit">
          Send answer
        </Primary>
        {decline.button}
      </Buttons>
    </form>
  )
}
