import { type CSSProperties, type ReactNode, useEffect, useState } from 'react'
import { browserStorage } from '#components/browser/storage.ts'
import { Trace } from '#components/session/inspector/trace/trace.tsx'
import { useSessionContext, useSessionState } from '#components/session/store/session-context.ts'
import type { InspectTab, SessionLocation } from '#components/session/wording/session-path.ts'
import { IconButton } from '#components/ui/button.tsx'
import { CloseIcon } from '#components/ui/icons.tsx'
import { Tabs } from '#components/ui/tabs.tsx'
import { ConfigTab } from './config.tsx'
import { ContextTab } from './context.tsx'
import { DeliveriesTab } from './deliveries.tsx'
import { PromptTab } from './prompt.tsx'

const narrowest = 380
const widest = 800
const keptWidth = 'inspector-width'
const clamp = (width: number) => Math.min(widest, Math.max(narrowest, width))

/**
 * The panel that shows the data of a session. From 1200 px on, it is next to the session. On smaller screens
 * it covers a part of the session, and on phones all of it. The browser stores the width, and the URL
 * contains the open tab and event.
 */
export function Inspector({ location, tab }: { location: SessionLocation; tab: InspectTab }) {
  const { go, agent } = useSessionContext()
  const sends = useSessionState(
    ({ transcript, deliveries }) =>
      Object.keys(deliveries).length > 0 ||
      Object.values(transcript.calls).some(call => call.where === 'external')
  )
  const [width, setWidth] = useState(480)
  useEffect(() => setWidth(width => clamp(browserStorage().get<number>(keptWidth) ?? width)), [])
  const store = (to: number) => browserStorage().set(keptWidth, to)
  const widen = (to: number) => {
    setWidth(clamp(to))
    store(clamp(to))
  }
  const hidden: Partial<Record<InspectTab, boolean>> = { deliveries: !sends, prompt: agent.external }
  const tabs: { name: InspectTab; label: string; content: ReactNode }[] = [
    { name: 'trace', label: 'Trace', content: <Trace location={location} full={false} /> },
    { name: 'prompt', label: 'Prompt', content: <PromptTab promptId={location.prompt} /> },
    { name: 'context', label: 'Context', content: <ContextTab /> },
    { name: 'config', label: 'Agent', content: <ConfigTab /> },
    { name: 'deliveries', label: 'Deliveries', content: <DeliveriesTab /> }
  ]
  return (
    <aside
      aria-label="Inspector"
      data-hook="inspector"
      style={{ '--inspector': `${width}px` } as CSSProperties}
      className="fixed inset-0 z-30 bg-panel mid:absolute mid:left-auto mid:w-(--inspector) mid:border-l mid:shadow-overlay wide:relative wide:z-0 wide:shrink-0 wide:shadow-none"
    >
      {/* biome-ignore lint/a11y/useSemanticElements: an <hr> cannot be dragged */}
      <div
        role="separator"
        aria-orientation="vertical"
        aria-label="Inspector width"
        aria-valuenow={width}
        aria-valuemin={narrowest}
        aria-valuemax={widest}
        tabIndex={0}
        onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={({ currentTarget, pointerId, clientX }) => {
          if (currentTarget.hasPointerCapture(pointerId)) setWidth(clamp(window.innerWidth - clientX))
        }}
        onLostPointerCapture={() => store(width)}
        onKeyDown={event => {
          if (event.key === 'ArrowLeft') widen(width + 20)
          if (event.key === 'ArrowRight') widen(width - 20)
        }}
        className="absolute inset-y-0 -left-1 z-10 hidden w-2 cursor-col-resize touch-none mid:block"
      />
      <Tabs
        label="Inspector"
        value={tab}
        onValueChange={inspect => go({ inspect })}
        tabs={tabs.filter(({ name }) => name === tab || !hidden[name])}
        end={
          <div className="self-center">
            <IconButton data-hook="close-inspector" label="Close inspector" onClick={() => go({})}>
              <CloseIcon />
            </IconButton>
          </div>
        }
      />
    </aside>
  )
}
