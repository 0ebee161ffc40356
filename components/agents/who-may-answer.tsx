'use client'
import type { AnswerRole } from '@waystation/protocol/call/answer-policy.ts'
import type { AnswerDraft } from './agent-draft.ts'

/** A member of the workspace, as listed for selection. */
export type Person = { userId: string; name: string; role: string }

type WhoMayAnswerProps = {
  answer: AnswerDraft
  people: readonly Person[]
  onChange: (answer: AnswerDraft) => void
}

const roles: ReadonlyArray<{ role: AnswerRole; label: string }> = [
  { role: 'owner', label: 'Owners' },
  { role: 'editor', label: 'Editors' },
  { role: 'operator', label: 'Operators' }
]

/** Edits the answer policy of an agent: roles, people, a required second person, and answer links. */
export function WhoMayAnswer({ answer, people, onChange }: WhoMayAnswerProps) {
  const toggled = <T,>(list: readonly T[], one: T) =>
    list.includes(one) ? list.filter(other => other !== one) : [...list, one]
  const unnamed = answer.people.filter(id => !people.some(({ userId }) => userId === id))
  const choosable = [
    ...people.filter(({ role }) => role !== 'viewer'),
    ...unnamed.map(userId => ({ userId, name: `${userId} (no longer a member)`, role: '' }))
  ]
  const nobody = answer.roles.length === 0 && answer.people.length === 0
  const closed = !nobody || answer.notAsker
  return (
    <fieldset data-hook="answerers" className="min-w-0">
      <legend className="pb-1 text-person font-semibold">Answer permissions</legend>
      <p className="pb-2 text-muted">
        {nobody
          ? 'Owners, editors and operators can answer approvals and questions. To limit this, select roles or people.'
          : "Only the selected roles and people can answer approvals and questions. Pending requests don't change."}
      </p>
      <div className="grid gap-x-6 border-t mid:grid-cols-2">
        <div className="py-2">
          {roles.map(({ role, label }) => (
            <Tick
              key={role}
              hook={`answer-${role}`}
              label={label}
              checked={answer.roles.includes(role)}
              onChange={() => onChange({ ...answer, roles: toggled(answer.roles, role) })}
            />
          ))}
        </div>
        <div className="max-h-40 overflow-y-auto py-2">
          {choosable.map(({ userId, name, role }) => (
            <Tick
              key={userId}
              label={name}
              note={role}
              checked={answer.people.includes(userId)}
              onChange={() => onChange({ ...answer, people: toggled(answer.people, userId) })}
            />
          ))}
        </div>
      </div>
      <div className="border-t border-b py-2">
        <Tick
          hook="answer-not-asker"
          label="Require a second person"
          note="The person whose message led to a call can't approve it."
          checked={answer.notAsker}
          onChange={() => onChange({ ...answer, notAsker: !answer.notAsker })}
        />
        <Tick
          hook="answer-links"
          label="Allow answer links and session tokens"
          note={
            closed ? "Off unless you select it, because links and tokens don't identify a person." : undefined
          }
          checked={answer.links ?? !closed}
          onChange={() => onChange({ ...answer, links: !(answer.links ?? !closed) })}
        />
      </div>
    </fieldset>
  )
}

type TickProps = {
  label: string
  note?: string | undefined
  checked: boolean
  onChange: () => void
  hook?: string
}

const Tick = ({ label, note, checked, onChange, hook }: TickProps) => (
  <label className="tap flex min-w-0 items-start gap-2 py-0.5">
    <input type="checkbox" data-hook={hook} checked={checked} onChange={onChange} className="mt-1 shrink-0" />
    <span className="min-w-0">
      <span className={checked ? 'font-semibold' : ''}>{label}</span>
      {note ? <span className="pl-2 text-muted">{note}</span> : null}
    </span>
  </label>
)
