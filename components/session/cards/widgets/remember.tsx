import type { Approval } from '@waystation/protocol/call/call.ts'
import { isRememberable } from '@waystation/protocol/call/tool-names.ts'
import { Fragment, useId, useState } from 'react'
import { type ApproveProps, useSessionContext } from '#components/session/store/session-context.ts'
import { Button } from '#components/ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '#components/ui/menu.tsx'
import { Primary } from './buttons.tsx'

const spans: { id: string; label: string; remembered: Pick<Approval, 'remember' | 'anyArguments'> }[] = [
  { id: 'once', label: 'Once', remembered: {} },
  { id: 'session', label: 'For this session', remembered: { remember: 'session' } },
  { id: 'always', label: 'Always, in every session', remembered: { remember: 'always' } },
  {
    id: 'session-any',
    label: 'For this session, any arguments',
    remembered: { remember: 'session', anyArguments: true }
  },
  {
    id: 'always-any',
    label: 'Always, any arguments',
    remembered: { remember: 'always', anyArguments: true }
  }
]

/**
 * The button that approves a call. Its menu selects how long the approval is valid (001-15): by default for this call
 * only, and otherwise for the same or any arguments. End users approve once. Only an owner can approve calls in all
 * sessions. Not part of the draft, so that the user chooses again each time the card opens.
 */
export function Approve({ call, label, onApprove }: ApproveProps) {
  const { can, me } = useSessionContext()
  const id = useId()
  const [chosen, setChosen] = useState('once')
  const { label: span, remembered } = spans.find(one => one.id === chosen) ?? { label: '', remembered: {} }
  const { remember, anyArguments = false } = remembered
  const offers =
    can.members &&
    me.id !== undefined &&
    call.where !== 'asker' &&
    isRememberable(call.toolName) &&
    call.render?.kind !== 'tool-changed'
  const approve = (
    <Primary
      data-hook="approve-call"
      aria-describedby={remember && `${id}-means`}
      onClick={() => onApprove(remembered)}
      className={offers ? 'grow rounded-r-none' : undefined}
    >
      {label}
      {remember && (remember === 'always' ? ' · always' : ' · for session')}
    </Primary>
  )
  if (!offers) return approve
  const offered = spans.filter(one => me.role === 'owner' || one.remembered.remember !== 'always')
  return (
    <>
      <span className="inline-flex">
        {approve}
        <Menu
          align="start"
          trigger={
            <Button
              tone="primary"
              data-hook="approval-span"
              data-span={chosen}
              aria-label={`How long to approve: ${span}`}
              className="chevron rounded-l-none border-l-rail px-2 after:ml-0.5"
            />
          }
        >
          {offered.map(one => (
            <Fragment key={one.id}>
              {one.id === 'session-any' ? <MenuLine /> : null}
              <MenuItem
                data-hook={`span-${one.id}`}
                checked={one.id === chosen}
                onSelect={() => setChosen(one.id)}
              >
                {one.label}
              </MenuItem>
            </Fragment>
          ))}
        </Menu>
      </span>
      {remember === undefined ? null : (
        <p
          id={`${id}-means`}
          role="status"
          data-hook="approval-scope"
          data-any={anyArguments}
          className={`order-last max-w-[68ch] basis-full ${anyArguments ? '' : 'text-muted'}`}
        >
          {anyArguments
            ? `Later calls to ${call.toolName} ${remember === 'always' ? 'by any agent in this workspace' : 'in this session'} will run without review. Only “Deny” rules still block them.`
            : "Calls with exactly these arguments won't ask for approval again."}
        </p>
      )}
    </>
  )
}
