import type { Approval, Call } from '@waystation/protocol/call/call.ts'
import { isRememberable } from '@waystation/protocol/call/tool-names.ts'
import { useId } from 'react'
import { useSessionContext } from '#components/session/store/session-context.ts'
import { Checkbox } from '#components/ui/checkbox.tsx'
import { Select } from '#components/ui/select.tsx'

/** The later calls that an approval covers. Empty: only this call is approved. */
export type Remembered = Pick<Approval, 'remember' | 'anyArguments'>

type RememberProps = { call: Call; value: Remembered; onChange: (value: Remembered) => void }

const spans = [
  { value: '', label: 'once' },
  { value: 'session', label: 'for this session' },
  { value: 'always', label: 'always, in every session' }
]

/**
 * Asks how long an approval is valid (001-15). By default, it covers this call only. A remembered approval
 * covers the same arguments, or any if the user selects this. End users approve once. Only an owner can
 * approve calls in all sessions.
 */
export function Remember({ call, value, onChange }: RememberProps) {
  const { can, me } = useSessionContext()
  const id = useId()
  if (
    !can.members ||
    me.id === undefined ||
    !isRememberable(call.toolName) ||
    call.render?.kind === 'tool-changed'
  )
    return null
  const { remember, anyArguments = false } = value
  const choose = (chosen: string) =>
    onChange(chosen === 'session' || chosen === 'always' ? { ...value, remember: chosen } : {})
  return (
    <div className="flex flex-col gap-1 py-1">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-wrap items-center gap-2">
          <label htmlFor={id}>Approve this call</label>
          <Select
            id={id}
            data-hook="approval-span"
            value={remember ?? ''}
            onChange={choose}
            options={me.role === 'owner' ? spans : spans.slice(0, 2)}
            className="max-w-full"
          />
        </div>
        {remember === undefined ? null : (
          <Checkbox
            data-hook="any-arguments"
            checked={anyArguments}
            aria-describedby={`${id}-means`}
            onChange={checked => onChange(checked ? { remember, anyArguments: true } : { remember })}
            className="items-baseline"
          >
            Allow any arguments for <code className="font-mono text-mono">{call.toolName}</code>
          </Checkbox>
        )}
      </div>
      {remember === undefined ? null : (
        <p
          id={`${id}-means`}
          role="status"
          data-hook="approval-scope"
          data-any={anyArguments}
          className={anyArguments ? 'max-w-[68ch] text-fail' : 'max-w-[68ch] text-muted'}
        >
          {anyArguments
            ? `Later calls to ${call.toolName} ${remember === 'always' ? 'by any agent in this workspace' : 'in this session'} will run without review. Only “Deny” rules still block them.`
            : "Calls with exactly these arguments won't ask for approval again."}
        </p>
      )}
    </div>
  )
}
