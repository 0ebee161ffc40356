import type { AnswerPolicy, AnswerRole } from '@waystation/protocol/call/answer-policy.ts'
import { useFormValue } from '#components/forms/use-form-value.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { RadioList } from '#components/ui/radio-list.tsx'

/** A member of the workspace, as listed for selection. */
export type Person = { userId: string; name: string; role: string }

const roles: ReadonlyArray<{ role: AnswerRole; label: string }> = [
  { role: 'owner', label: 'Owners' },
  { role: 'editor', label: 'Editors' },
  { role: 'operator', label: 'Operators' }
]

/** Edits the answer policy of an agent: roles, people, a required second person, and answer links. */
export function WhoMayAnswer({ people }: { people: readonly Person[] }) {
  const { value: policy, onChange } = useFormValue<AnswerPolicy | undefined>('chat.answer')
  const answer = { roles: [], people: [], notAsker: false, ...policy }
  const change = (part: AnswerPolicy) => onChange(policyOf({ ...answer, ...part }))
  const toggled = <T,>(list: readonly T[], one: T) =>
    list.includes(one) ? list.filter(other => other !== one) : [...list, one]
  const unnamed = answer.people.filter(id => !people.some(({ userId }) => userId === id))
  const choosable = [
    ...people.filter(({ role }) => role !== 'viewer'),
    ...unnamed.map(userId => ({ userId, name: `${userId} (no longer a member)`, role: '' }))
  ]
  const isUnrestricted = answer.roles.length === 0 && answer.people.length === 0
  const closed = !isUnrestricted || answer.notAsker
  return (
    <fieldset data-hook="answerers" className="min-w-0">
      <legend className="w-full border-b pb-2 text-person font-semibold">Answer permissions</legend>
      <RadioList
        legend="Answers to approvals and questions"
        hideLegend
        name="answerers"
        value={isUnrestricted ? 'anyone' : 'only'}
        onChange={choice => change({ roles: choice === 'only' ? ['owner'] : [], people: [] })}
        options={[
          { value: 'anyone', label: 'Everyone who can operate sessions' },
          { value: 'only', label: 'Specific roles or people' }
        ]}
        className="flex flex-col gap-2 py-3"
        itemClassName="items-baseline"
      />
      {isUnrestricted ? null : (
        <div className="grid gap-x-6 pl-6 mid:grid-cols-2">
          <div className="pb-2">
            {roles.map(({ role, label }) => (
              <Tick
                key={role}
                hook={`answer-${role}`}
                label={label}
                checked={answer.roles.includes(role)}
                onChange={() => change({ roles: toggled(answer.roles, role) })}
              />
            ))}
          </div>
          <div className="max-h-40 overflow-y-auto pb-2">
            {choosable.map(({ userId, name, role }) => (
              <Tick
                key={userId}
                label={name}
                note={role}
                checked={answer.people.includes(userId)}
                onChange={() => change({ people: toggled(answer.people, userId) })}
              />
            ))}
          </div>
        </div>
      )}
      <div className="border-t py-2">
        <Tick
          hook="answer-not-asker"
          label="Require a second person (not the requester)"
          checked={answer.notAsker}
          onChange={() => change({ notAsker: !answer.notAsker })}
        />
        <Tick
          hook="answer-links"
          label="Allow answer links and session tokens"
          note={
            closed ? "Off unless you select it, because links and tokens don't identify a person." : undefined
          }
          checked={answer.links ?? !closed}
          onChange={() => change({ links: !(answer.links ?? !closed) })}
        />
      </div>
      <p className="text-muted">Pending requests don't change.</p>
    </fieldset>
  )
}

/** Returns the policy without its unset fields, or undefined if no field is set. */
function policyOf({ roles = [], people = [], notAsker, links }: AnswerPolicy): AnswerPolicy | undefined {
  const policy = {
    ...(roles.length === 0 ? {} : { roles }),
    ...(people.length === 0 ? {} : { people }),
    ...(notAsker ? { notAsker } : {}),
    ...(links === undefined ? {} : { links })
  }
  return Object.keys(policy).length === 0 ? undefined : policy
}

type TickProps = {
  label: string
  note?: string | undefined
  checked: boolean
  onChange: () => void
  hook?: string
}

const Tick = ({ label, note, checked, onChange, hook }: TickProps) => (
  <Checkbox data-hook={hook} checked={checked} onChange={onChange} className="items-baseline py-0.5">
    {label}
    {note ? <span className="pl-2 text-muted">{note}</span> : null}
  </Checkbox>
)
