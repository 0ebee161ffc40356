import type { Answer, Call } from '@waystation/protocol/call/call.ts'
import type { FunctionComponent } from 'react'
import type { CardPlace } from '#components/session/call-card.tsx'

/** What answers a call. While an answer is on its way everything in it is disabled from outside. */
export type WidgetProps = { call: Call; answer: (answer: Answer) => void; place: CardPlace }
export type Widget = FunctionComponent<WidgetProps>
