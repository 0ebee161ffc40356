import { useState } from 'react'
import { clientInfo } from '#components/session/store/client-tools.ts'
import { Button } from '#components/ui/button.tsx'
import { Buttons, Primary } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

/**
 * Asks for the user's time zone, language and location. Used only if the agent wants the location, because
 * the browser provides it only after a click.
 */
export function ClientInfoWidget({ answer }: WidgetProps) {
  const [problem, setProblem] = useState<string>()
  const share = () => {
    if (!('geolocation' in navigator))
      return setProblem("This browser can't share its location. You can answer without it.")
    navigator.geolocation.getCurrentPosition(
      ({ coords }) =>
        answer({
          output: { ...clientInfo(), location: { latitude: coords.latitude, longitude: coords.longitude } }
        }),
      () => setProblem("The browser didn't share its location. You can answer without it."),
      { timeout: 20_000 }
    )
  }
  const { timeZone, locale } = clientInfo()
  return (
    <>
      <p className="font-mono text-mono">
        {timeZone} · {locale}
      </p>
      {problem === undefined ? null : (
        <p role="alert" className="text-fail">
          {problem}
        </p>
      )}
      <Buttons>
        <Primary onClick={share}>Share with location</Primary>
        <Button onClick={() => answer({ output: clientInfo() })}>Share without location</Button>
        <Button onClick={() => answer({ declined: true })}>Decline</Button>
      </Buttons>
    </>
  )
}
