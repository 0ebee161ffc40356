'use client'
import type { Result } from '@waystation/client'
import { client } from '#components/browser/client.ts'
import { clock } from '#components/browser/format-time.ts'
import { useNow } from '#components/browser/use-now.ts'
import { Button } from '#components/ui/button.tsx'
import { Fault } from '#components/ui/fault.tsx'
import { Row, Rows } from '#components/workspace/rows.tsx'
import { ago } from './ago.ts'
import { browserName } from './browser-of.ts'
import { SettingSection } from './setting-section.tsx'
import { useChange } from './use-change.ts'

type ListedSignIn = Result<'listSignIns'>['signIns'][number]

/** Lists the sign-ins of the user, with buttons that end one, all others, or all. */
export function SignIns({ signIns }: { signIns: readonly ListedSignIn[] }) {
  const { change, fault } = useChange()
  const now = useNow()
  return (
    <SettingSection
      title="Sign-ins"
      hook="you"
      action={
        signIns.length < 2 ? null : (
          <div className="flex flex-wrap items-center gap-4">
            <Button
              tone="quiet"
              onClick={async () => {
                if (await change(client.call('endSignIns'))) window.location.assign('/sign-in')
              }}
              data-hook="sign-out-everywhere"
            >
              Sign out everywhere
            </Button>
            <Button
              onClick={() => void change(client.call('endSignIns', { query: { others: 'true' } }))}
              data-hook="end-other-sign-ins"
            >
              End other sign-ins
            </Button>
          </div>
        )
      }
    >
      <Rows aria-label="Your sign-ins" data-hook="sign-ins">
        {signIns.map(({ id, userAgent, createdAt, expiresAt, current }) => (
          <Row
            key={id}
            data-current={current}
            name={`${browserName(userAgent)}${current ? ' (this browser)' : ''}`}
            about={
              now === undefined
                ? 'Signed in'
                : `Signed in ${ago(createdAt, now)}, expires ${clock(expiresAt, now)}`
            }
            actions={
              current ? undefined : (
                <Button
                  aria-label={`End sign-in: ${browserName(userAgent)}`}
                  data-hook="end-sign-in"
                  onClick={() => void change(client.call('endSignIn', { path: { signInId: id } }))}
                >
                  End sign-in
                </Button>
              )
            }
          />
        ))}
      </Rows>
      <Fault>{fault}</Fault>
    </SettingSection>
  )
}
