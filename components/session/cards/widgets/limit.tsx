'use client'
import { Button } from '#components/ui/button.tsx'
import { Buttons, Primary } from './buttons.tsx'
import type { WidgetProps } from './widget.ts'

/** The turn met its cap of steps or cost: go on, or leave it there. */
export function LimitWidget({ answer, place }: WidgetProps) {
  return (
    <Buttons place={place}>
      <Primary onClick={() => answer({ approved: true })}>Continue</Primary>
      <Button onClick={() => answer({ approved: false })}>Stop here</Button>
    </Buttons>
  )
}
